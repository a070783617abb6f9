//! `dayledger timesheet submit` and `reopen`: a week is handed in, and taken back.

use std::process::ExitCode;

use super::scope::{house, week};
use crate::cli::Output;
use crate::cli::history::HistoryArguments;
use crate::report;
use crate::timesheet::{Asker, SubmitRequest, ToSubmit};

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The week, such as `2025-W43` or `last week`; an entry belongs to the one in which it starts
    #[arg(required = true)]
    week: Vec<String>,
}

pub(super) async fn submit(arguments: &Arguments, history: &HistoryArguments) -> anyhow::Result<ExitCode> {
    let what = ToSubmit::Week(week(&arguments.week, history)?);
    let submitted = house(history)?.ask(SubmitRequest { what, asker: Asker::new() }).await?;
    Output::new().draw(|out, style| report::write_submitted(out, &submitted, style))?;
    Ok(if submitted.failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

pub(super) async fn reopen(arguments: &Arguments, history: &HistoryArguments) -> anyhow::Result<()> {
    let week = week(&arguments.week, history)?;
    let reopened = house(history)?.sheet().reopen(week).await?;
    Output::new().draw(|out, style| report::write_reopened(out, &reopened, style))
}
