//! `dayledger timesheet log`: a draft becomes entries.

use std::process::ExitCode;

use dayledger_timesheet::{DraftId, Hours};

use super::confirm::{can_ask, confirm};
use super::draft::drafted;
use super::failure::Failure;
use super::scope::{days, house};
use crate::House;
use crate::cli::history::HistoryArguments;
use crate::cli::{Output, output};
use crate::report;
use crate::timesheet::Suggestions;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Days to draft and log, at most 31 [default: this week]
    #[arg(conflicts_with = "draft")]
    week: Vec<String>,
    /// Log this draft, which you have seen: its id, or `last`
    #[arg(long, value_name = "ID", value_parser = which)]
    draft: Option<Which>,
    /// Log a new draft without asking
    #[arg(long, short, conflicts_with = "draft")]
    yes: bool,
}

/// Which draft is meant.
#[derive(Debug, Clone, Copy)]
enum Which {
    Last,
    Id(DraftId),
}

fn which(text: &str) -> Result<Which, String> {
    if text == "last" {
        return Ok(Which::Last);
    }
    text.parse().map(Which::Id).map_err(|_| "it is neither the id of a draft nor `last`".to_owned())
}

pub(super) async fn run(arguments: &Arguments, history: &HistoryArguments) -> anyhow::Result<ExitCode> {
    let draft = match arguments.draft {
        Some(Which::Id(id)) => Some(id),
        Some(Which::Last) => None,
        None if !arguments.yes && !can_ask() => return Err(Failure::NobodyToAsk.into()),
        None => {
            let house = house(history)?;
            let draft = drafted(days(&arguments.week, history)?, &house).await?;
            if !arguments.yes {
                Output::new().draw(|out, style| report::write_draft(out, &draft, style))?;
            }
            let (rows, hours) = bookable(&draft);
            if rows == 0 {
                output::talk(|out, _| writeln!(out, "nothing can be logged as it is"));
                return Ok(ExitCode::SUCCESS);
            }
            if !arguments.yes && !confirm(&format!("Log {rows} of these rows, {hours} hours?"))? {
                output::talk(|out, _| writeln!(out, "nothing was logged"));
                return Ok(ExitCode::SUCCESS);
            }
            Some(draft.draft)
        }
    };
    book(draft, &house(history)?).await
}

/// How many rows can be logged as they are, and their hours.
fn bookable(draft: &Suggestions) -> (usize, Hours) {
    let rows = || draft.days.iter().flat_map(|day| &day.rows);
    let bookable = || rows().filter(|row| row.notes.is_empty() && row.project_code.is_some() && row.task.is_some());
    (bookable().count(), bookable().map(|row| row.hours).sum())
}

async fn book(draft: Option<DraftId>, house: &House) -> anyhow::Result<ExitCode> {
    let booked = house.sheet().log_draft(draft).await?;
    Output::new().draw(|out, style| report::write_booked(out, &booked, style))?;
    Ok(if booked.has_refused() { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}
