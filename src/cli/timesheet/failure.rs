//! What goes wrong between a person and a draft.

use std::io;
use std::path::PathBuf;

/// How to name a week, as a hint.
pub(super) const WEEKS: &str = "name it as `2025-W43`, `this week` or `last week`";

/// Why a command of the timesheet does not go on.
#[derive(Debug, thiserror::Error)]
pub(in crate::cli) enum Failure {
    /// Days that are no week.
    #[error("`{0}` is not one week")]
    NoWeek(String),
    /// Nobody is there to be asked.
    #[error("nothing was logged: nobody is at a terminal to look at the draft")]
    NobodyToAsk,
    /// The environment names no editor.
    #[error("no editor is set")]
    NoEditor,
    /// The editor does not start, or ended with a mistake of its own.
    #[error("the editor `{editor}` {why}; nothing was logged{}", at(.text.as_ref()))]
    Editor { editor: String, why: String, text: Option<PathBuf> },
    /// The person did not want to go on.
    #[error("nothing was logged{}", at(.text.as_ref()))]
    GivenUp { text: Option<PathBuf> },
    /// What was edited could not be booked at all.
    #[error("nothing was logged; your text is in `{}`", .text.display())]
    Unbooked { text: PathBuf, source: crate::request::Error },
    /// A text that names no draft.
    #[error("`{}` does not name a draft", .0.display())]
    NoDraft(PathBuf),
    /// A file that a command needs.
    #[error("cannot {what} `{}`", .path.display())]
    File { what: &'static str, path: PathBuf, source: io::Error },
}

fn at(text: Option<&PathBuf>) -> String {
    text.map(|text| format!("; your text is in `{}`", text.display())).unwrap_or_default()
}

/// How somebody goes on with a text.
pub(super) fn resume_hint(text: &std::path::Path) -> String {
    format!("`dayledger timesheet edit --resume {}` goes on with it", text.display())
}

impl Failure {
    /// What to do about it.
    pub(in crate::cli) fn hint(&self) -> Option<String> {
        Some(match self {
            Self::NoWeek(_) => WEEKS.to_owned(),
            Self::NobodyToAsk => "look at it with `dayledger timesheet draft`, then pass `--draft ID`; `--yes` logs \
                                  a new draft unseen"
                .to_owned(),
            Self::NoEditor => "set VISUAL or EDITOR, such as `export EDITOR=nano`".to_owned(),
            Self::Editor { text: Some(text), .. } | Self::GivenUp { text: Some(text) } => resume_hint(text),
            Self::Editor { .. } => "VISUAL and EDITOR name it; it has to wait until the text is closed".to_owned(),
            Self::Unbooked { text, source } => format!("{}; {}", source.hint, resume_hint(text)),
            Self::NoDraft(_) => "its first line has to be `# Draft ID`, as it was written".to_owned(),
            Self::GivenUp { text: None } => "`dayledger timesheet` shows what is open".to_owned(),
            Self::File { .. } => return None,
        })
    }
}
