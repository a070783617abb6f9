//! `dayledger timesheet [WEEK]`: shows a week's hours as a table.

use dayledger_terminal::output::Output;

use super::shared::{RoundingArguments, app, days};
use crate::cli::OUTPUT;
use crate::cli::history::HistoryArguments;
use crate::report;

#[derive(Debug, clap::Args)]
pub(super) struct WeekArguments {
    /// At most seven days: a week such as `2025-W43` or `last week`, or a date [default: this week; with --demo the week of
    /// the last working day]
    week: Vec<String>,
    #[command(flatten)]
    rounding: RoundingArguments,
    /// Print JSON
    #[arg(long, help_heading = OUTPUT)]
    json: bool,
}

impl WeekArguments {
    /// Whether days, `--json` or a rounding were passed.
    pub(super) fn is_given(&self) -> bool {
        !self.week.is_empty() || self.json || self.rounding.round_to.is_some()
    }
}

pub(super) async fn run(arguments: &WeekArguments, history: &HistoryArguments) -> anyhow::Result<()> {
    let days = days(&arguments.week, history)?;
    let answer = app(history)?.timesheet().week(days, arguments.rounding.round_to).await?;
    Output::new().write_response(&answer, arguments.json, report::write_week)
}
