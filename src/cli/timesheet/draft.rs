//! `dayledger timesheet draft`: drafts the hours of a week.

use dayledger_terminal::output::Output;

use super::shared::{RoundingArguments, app, days, draft_days};
use crate::cli::OUTPUT;
use crate::cli::history::HistoryArguments;
use crate::report;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// At most 31 days: a week such as `2025-W43` or `last week`, a date or a month [default: this week]
    week: Vec<String>,
    #[command(flatten)]
    rounding: RoundingArguments,
    /// Print JSON, as the MCP tool `suggest_time_entries` returns it
    #[arg(long, help_heading = OUTPUT)]
    json: bool,
}

pub(super) async fn run(arguments: &Arguments, history: &HistoryArguments) -> anyhow::Result<()> {
    let days = days(&arguments.week, history)?;
    let draft = draft_days(days, arguments.rounding, &app(history)?).await?;
    Output::new().write_response(&draft, arguments.json, report::write_draft)
}
