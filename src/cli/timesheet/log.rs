//! `dayledger timesheet log`: logs a draft.

use std::process::ExitCode;

use dayledger_terminal::output::{self, Output};
use dayledger_timesheet::{DraftId, Hours};

use super::shared::{RoundingArguments, app, confirm, days, draft_days, is_interactive};
use crate::App;
use crate::cli::history::HistoryArguments;
use crate::report;
use crate::request::Error;
use crate::timesheet::Suggestions;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// At most 31 days: a week such as `2025-W43` or `last week`, a date or a month [default: this week]
    #[arg(conflicts_with = "draft")]
    week: Vec<String>,
    #[command(flatten)]
    rounding: RoundingArguments,
    /// Log the draft with this ID instead of a new one, or `last`
    #[arg(long, value_name = "ID", value_parser = parse_draft_ref, conflicts_with = "round_to")]
    draft: Option<DraftRef>,
    /// Log without asking
    #[arg(long, short, conflicts_with = "draft")]
    yes: bool,
}

/// The draft that the command logs.
#[derive(Debug, Clone, Copy)]
enum DraftRef {
    Last,
    Id(DraftId),
}

fn parse_draft_ref(text: &str) -> Result<DraftRef, String> {
    if text == "last" {
        return Ok(DraftRef::Last);
    }
    text.parse().map(DraftRef::Id).map_err(|_| "pass the ID of a draft, or `last`".to_owned())
}

pub(super) async fn run(arguments: &Arguments, history: &HistoryArguments) -> anyhow::Result<ExitCode> {
    let draft = match arguments.draft {
        Some(DraftRef::Id(id)) => Some(id),
        Some(DraftRef::Last) => None,
        None if !arguments.yes && !is_interactive() => {
            let message = "cannot ask for confirmation: input is not a terminal";
            let hint = "review the draft with `dayledger timesheet draft`, then pass `--draft ID` or `--yes`";
            return Err(Error::for_command(message, hint).into());
        }
        None => {
            let app = app(history)?;
            let draft = draft_days(days(&arguments.week, history)?, arguments.rounding, &app).await?;
            if !arguments.yes {
                Output::new().write_styled(|out, style| report::write_draft(out, &draft, style))?;
            }
            let (rows, hours) = loggable_rows(&draft);
            if rows == 0 {
                output::write_stderr(|out, style| report::write_nothing_to_log(out, &draft, style));
                return Ok(ExitCode::SUCCESS);
            }
            if !arguments.yes && !confirm(&format!("Log {rows} of these rows ({hours} hours)?"))? {
                output::write_stderr(|out, _| writeln!(out, "cancelled: nothing was logged"));
                return Ok(ExitCode::SUCCESS);
            }
            Some(draft.draft)
        }
    };
    log_draft(draft, &app(history)?).await
}

/// Returns the number of rows that can be logged, and the sum of their hours.
fn loggable_rows(draft: &Suggestions) -> (usize, Hours) {
    let loggable = || draft.days.iter().flat_map(|day| &day.rows).filter(|row| row.can_be_logged());
    (loggable().count(), loggable().map(|row| row.hours).sum())
}

async fn log_draft(draft: Option<DraftId>, app: &App) -> anyhow::Result<ExitCode> {
    let logged = app.timesheet().log_draft(draft).await?;
    Output::new().write_styled(|out, style| report::write_logged(out, &logged, style))?;
    Ok(if logged.has_refused() { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}
