//! `dayledger timesheet rules`: suggests rules from the user's corrections of drafts.

use chrono::Days;
use dayledger_terminal::output::Output;

use super::shared::{app, days};
use crate::cli::OUTPUT;
use crate::cli::history::HistoryArguments;
use crate::report;
use crate::request::DateRange;

/// The default number of days that are read.
const DAYS: u64 = 30;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// At most 92 days: a month such as `2025-10` or `last month`, a week or a date [default: the last 30 days]
    days: Vec<String>,
    /// Print JSON
    #[arg(long, help_heading = OUTPUT)]
    json: bool,
}

pub(super) async fn run(arguments: &Arguments, history: &HistoryArguments) -> anyhow::Result<()> {
    let range = if arguments.days.is_empty() {
        let last = history.default_day();
        let first = last.checked_sub_days(Days::new(DAYS - 1)).unwrap_or(last);
        DateRange::new(DateRange::day(first).start(), DateRange::day(last).end(), "DAYS")?
    } else {
        days(&arguments.days, history)?
    };
    let answer = app(history)?.timesheet().propose_rules(range).await?;
    Output::new().write_response(&answer, arguments.json, report::write_proposed_rules)
}
