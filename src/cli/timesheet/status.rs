//! `dayledger timesheet submit` and `reopen`: submit a week, and reopen a submitted week.

use std::process::ExitCode;

use dayledger_terminal::output::Output;

use super::shared::{app, week};
use crate::cli::history::HistoryArguments;
use crate::report;
use crate::timesheet::{CallSession, Confirmation, SubmitRequest, SubmitTarget};

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// A week such as `2025-W43` or `last week`; an entry belongs to the week in which it starts
    #[arg(required = true)]
    week: Vec<String>,
}

pub(super) async fn submit(arguments: &Arguments, history: &HistoryArguments) -> anyhow::Result<ExitCode> {
    let target = SubmitTarget::Week(week(&arguments.week, history)?);
    let request = SubmitRequest { target, confirmation: Confirmation::Given, call_session: CallSession::new() };
    let submitted = app(history)?.run(request).await?;
    Output::new().write_styled(|out, style| report::write_submitted(out, &submitted, style))?;
    Ok(if submitted.failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

pub(super) async fn reopen(arguments: &Arguments, history: &HistoryArguments) -> anyhow::Result<()> {
    let week = week(&arguments.week, history)?;
    let reopened = app(history)?.timesheet().reopen(week).await?;
    Output::new().write_styled(|out, style| report::write_reopened(out, &reopened, style))
}
