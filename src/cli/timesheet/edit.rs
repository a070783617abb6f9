//! `dayledger timesheet edit`: opens a draft as text in the user's editor, and logs the edited draft.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use dayledger_terminal::output::{self, Output};
use dayledger_timesheet::DraftId;

use super::edited_text::EditedText;
use super::shared::{RoundingArguments, app, confirm, days, draft_days, is_interactive, not_logged, resume_hint};
use crate::App;
use crate::cli::config;
use crate::cli::history::HistoryArguments;
use crate::report;
use crate::request::Error;
use crate::timesheet::{DraftText, LoggedDraft, LoggedText};

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// At most 31 days: a week such as `2025-W43` or `last week`, a date or a month [default: this week]
    week: Vec<String>,
    #[command(flatten)]
    rounding: RoundingArguments,
    /// Continue with a text that an earlier `edit` kept
    #[arg(long, value_name = "FILE", conflicts_with_all = ["week", "round_to"])]
    resume: Option<PathBuf>,
}

pub(super) async fn run(arguments: &Arguments, history: &HistoryArguments) -> anyhow::Result<ExitCode> {
    let editor = config::editor().filter(|editor| !editor.trim().is_empty()).ok_or_else(|| {
        Error::for_command(
            "cannot open an editor: neither VISUAL nor EDITOR is set",
            "set one, such as `export EDITOR=nano`",
        )
    })?;
    let app = app(history)?;
    let (draft, text) = if let Some(path) = &arguments.resume {
        let text = EditedText::resume(path)?;
        let draft = DraftText::parse_draft_id(&text.read()?).ok_or_else(|| {
            let message = format!("cannot continue with `{}`: it does not contain the ID of a draft", path.display());
            Error::for_command(message, "restore its first line, `# Draft ID`")
        })?;
        (draft, text)
    } else {
        let draft = draft_days(days(&arguments.week, history)?, arguments.rounding, &app).await?.draft;
        let DraftText { text, rows } = app.timesheet().draft_text(draft).await?;
        if rows == 0 {
            output::write_stderr(|out, _| writeln!(out, "nothing to log: the draft has no rows"));
            return Ok(ExitCode::SUCCESS);
        }
        (draft, EditedText::create(&text)?)
    };
    let Some((logged, text)) = edit_and_log(draft, text, &editor, &app).await? else { return Ok(ExitCode::SUCCESS) };
    Output::new().write_styled(|out, style| report::write_logged(out, &logged, style))?;
    if !logged.has_refused() {
        text.remove();
        return Ok(ExitCode::SUCCESS);
    }
    let path = text.path();
    output::write_stderr(|out, style| {
        writeln!(out, "your text is in `{}`: {}", path.display(), style.with_source(&resume_hint(path)))
    });
    Ok(ExitCode::FAILURE)
}

/// Lets the user edit the draft until its text is valid, then logs it. Returns `None` if the user decides not to log
/// it.
async fn edit_and_log(
    draft: DraftId,
    text: EditedText,
    editor: &str,
    app: &App,
) -> anyhow::Result<Option<(LoggedDraft, EditedText)>> {
    loop {
        if let Err(why) = open_editor(editor, text.path()) {
            let hint = "set VISUAL or EDITOR to an editor that runs until you close the text";
            let why = format!("the editor `{editor}` {why}; ");
            return Err(not_logged(&why, text.set_aside().as_deref(), hint).into());
        }
        // An unchanged text doesn't count as consent, because the editor may have returned immediately or may have been
        // closed by mistake.
        if !text.is_changed() {
            if !is_interactive() {
                return Err(given_up(text).into());
            }
            if !confirm("Nothing was changed. Log the draft unchanged?")? {
                print_given_up(text);
                return Ok(None);
            }
        }
        match app.timesheet().log_text(draft, &text.read()?).await {
            Ok(LoggedText::Logged(logged)) => return Ok(Some((logged, text))),
            Ok(LoggedText::Marked(marked)) => {
                text.replace(&marked.text)?;
                let lines = if marked.mistakes == 1 { "1 line" } else { &format!("{} lines", marked.mistakes) };
                output::write_stderr(|out, _| {
                    writeln!(out, "{lines} cannot be logged: the comment below each explains why.")
                });
                if !is_interactive() {
                    return Err(given_up(text).into());
                }
                if !confirm("Open the editor again?")? {
                    print_given_up(text);
                    return Ok(None);
                }
            }
            Err(error) => {
                let path = text.path();
                let message = format!("nothing was logged: {} (your text is in `{}`)", error.message, path.display());
                return Err(Error::for_command(message, format!("{}; {}", error.hint, resume_hint(path))).into());
            }
        }
    }
}

/// Returns the error for a draft that isn't logged. Without a terminal, the user can't confirm the draft.
fn given_up(text: EditedText) -> Error {
    not_logged("", text.set_aside().as_deref(), "run `dayledger timesheet` to show the open hours")
}

/// Prints that nothing was logged. If the user changed the text, also prints how to continue with it.
fn print_given_up(text: EditedText) {
    output::write_stderr(|out, style| match text.set_aside() {
        Some(path) => {
            let hint = resume_hint(&path);
            writeln!(out, "nothing was logged; your text is in `{}`: {}", path.display(), style.with_source(&hint))
        }
        None => writeln!(out, "nothing was logged"),
    });
}

/// Opens the file in the editor and waits until the editor is closed. The text of an error is the second part of a
/// message, after the editor's name.
fn open_editor(editor: &str, file: &Path) -> Result<(), String> {
    let mut words = editor.split_whitespace();
    match Command::new(words.next().unwrap_or_default()).args(words).arg(file).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("failed with {status}")),
        Err(error) => Err(format!("cannot start: {error}")),
    }
}
