//! `dayledger timesheet [WEEK]`: the week as a table.

use super::scope::{app, days};
use crate::cli::Output;
use crate::cli::history::HistoryArguments;
use crate::report;

#[derive(Debug, clap::Args)]
pub(super) struct WeekArguments {
    /// At most seven days: a week such as `2025-W43` or `last week`, or a date [default: this week; with --demo that of
    /// its last day of work]
    week: Vec<String>,
    /// Print it as JSON
    #[arg(long)]
    json: bool,
}

impl WeekArguments {
    /// Whether days are named.
    pub(super) fn is_given(&self) -> bool {
        !self.week.is_empty() || self.json
    }
}

pub(super) async fn run(arguments: &WeekArguments, history: &HistoryArguments) -> anyhow::Result<()> {
    let days = days(&arguments.week, history)?;
    let answer = app(history)?.timesheet().week(days).await?;
    Output::new().write_response(&answer, arguments.json, report::write_week)
}
