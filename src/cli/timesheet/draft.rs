//! `dayledger timesheet draft`: what could be logged.

use super::scope::{days, house};
use crate::House;
use crate::cli::Output;
use crate::cli::history::HistoryArguments;
use crate::question::{DateRange, Error};
use crate::report;
use crate::timesheet::{Asker, SuggestRequest, Suggestions};

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// At most 31 days: a week such as `2025-W43` or `last week`, a date, a month [default: this week]
    week: Vec<String>,
    /// Print it as JSON, as the tool `suggest_time_entries` answers
    #[arg(long)]
    json: bool,
}

pub(super) async fn run(arguments: &Arguments, history: &HistoryArguments) -> anyhow::Result<()> {
    let days = days(&arguments.week, history)?;
    let draft = drafted(days, &house(history)?).await?;
    Output::new().answer(&draft, arguments.json, report::write_draft)
}

/// The draft of these days, which is kept.
pub(super) async fn drafted(days: DateRange, house: &House) -> Result<Suggestions, Error> {
    house.ask(SuggestRequest::new(days, None, None, Asker::new())?).await
}
