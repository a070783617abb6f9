//! `dayledger timesheet edit`: a draft as a text in the person's editor.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use dayledger_timesheet::DraftId;

use super::confirm::{confirm, is_interactive};
use super::draft::draft_days;
use super::edited_text::EditedText;
use super::failure::{Failure, resume_hint};
use super::scope::{app, days};
use crate::App;
use crate::cli::history::HistoryArguments;
use crate::cli::{Output, config, output};
use crate::report;
use crate::timesheet::{DraftText, LoggedDraft, LoggedText};

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// At most 31 days: a week such as `2025-W43` or `last week`, a date, a month [default: this week]
    week: Vec<String>,
    /// Go on with a text that was kept
    #[arg(long, value_name = "FILE", conflicts_with = "week")]
    resume: Option<PathBuf>,
}

pub(super) async fn run(arguments: &Arguments, history: &HistoryArguments) -> anyhow::Result<ExitCode> {
    let editor = config::editor().filter(|editor| !editor.trim().is_empty()).ok_or(Failure::NoEditor)?;
    let house = app(history)?;
    let (draft, text) = if let Some(path) = &arguments.resume {
        let text = EditedText::resume(path)?;
        let draft = DraftText::parse_draft_id(&text.read()?).ok_or_else(|| Failure::NoDraft(path.clone()))?;
        (draft, text)
    } else {
        let draft = draft_days(days(&arguments.week, history)?, &house).await?.draft;
        let DraftText { text, rows } = house.timesheet().draft_text(draft).await?;
        if rows == 0 {
            output::write_stderr(|out, _| writeln!(out, "there is nothing to log"));
            return Ok(ExitCode::SUCCESS);
        }
        (draft, EditedText::create(&text)?)
    };
    let Some((booked, text)) = edit_and_log(draft, text, &editor, &house).await? else { return Ok(ExitCode::SUCCESS) };
    Output::new().write_styled(|out, style| report::write_logged(out, &booked, style))?;
    if !booked.has_refused() {
        text.remove();
        return Ok(ExitCode::SUCCESS);
    }
    let path = text.path();
    output::write_stderr(|out, _| writeln!(out, "your text is in `{}`; {}", path.display(), resume_hint(path)));
    Ok(ExitCode::FAILURE)
}

/// Lets the person edit until it can be booked, and books it. Returns `None` if the person answers no.
async fn edit_and_log(
    draft: DraftId,
    text: EditedText,
    editor: &str,
    house: &App,
) -> anyhow::Result<Option<(LoggedDraft, EditedText)>> {
    loop {
        if let Err(why) = open_editor(editor, text.path()) {
            return Err(Failure::Editor { editor: editor.to_owned(), why, text: text.set_aside() }.into());
        }
        // An editor that does not wait, or was closed in haste, is no consent.
        if !text.is_changed() {
            if !is_interactive() {
                return Err(Failure::GivenUp { text: text.set_aside() }.into());
            }
            if !confirm("Nothing was changed. Log the draft as it is?")? {
                print_given_up(text);
                return Ok(None);
            }
        }
        match house.timesheet().log_text(draft, &text.read()?).await {
            Ok(LoggedText::Booked(booked)) => return Ok(Some((booked, text))),
            Ok(LoggedText::Marked { text: marked, mistakes }) => {
                text.replace(&marked)?;
                let lines = if mistakes == 1 { "1 line" } else { &format!("{mistakes} lines") };
                output::write_stderr(|out, _| {
                    writeln!(out, "{lines} cannot be logged; a comment below each says why.")
                });
                if !is_interactive() {
                    return Err(Failure::GivenUp { text: text.set_aside() }.into());
                }
                if !confirm("Open the editor again?")? {
                    print_given_up(text);
                    return Ok(None);
                }
            }
            Err(source) => return Err(Failure::Unbooked { text: text.path().to_owned(), source }.into()),
        }
    }
}

/// Says that nothing was logged, and how to go on with a text that was changed.
fn print_given_up(text: EditedText) {
    output::write_stderr(|out, _| match text.set_aside() {
        Some(path) => writeln!(out, "nothing was logged; your text is in `{}`; {}", path.display(), resume_hint(&path)),
        None => writeln!(out, "nothing was logged"),
    });
}

/// Opens the file in the editor and waits until it is closed. An error says what became of the editor, in words that follow
/// its name.
fn open_editor(editor: &str, file: &Path) -> Result<(), String> {
    let mut words = editor.split_whitespace();
    match Command::new(words.next().unwrap_or_default()).args(words).arg(file).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("ended with {status}")),
        Err(error) => Err(format!("cannot be started: {error}")),
    }
}
