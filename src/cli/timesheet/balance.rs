//! `dayledger timesheet balance [YEAR]`: compares logged hours with target hours.

use chrono::Datelike;
use dayledger_terminal::output::Output;

use super::shared::app;
use crate::cli::OUTPUT;
use crate::cli::history::HistoryArguments;
use crate::report;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Year, such as `2026` [default: this year]
    #[arg(value_parser = clap::value_parser!(i32).range(1..=9998))]
    year: Option<i32>,
    /// Print JSON
    #[arg(long, help_heading = OUTPUT)]
    json: bool,
}

pub(super) async fn run(arguments: &Arguments, history: &HistoryArguments) -> anyhow::Result<()> {
    let year = arguments.year.unwrap_or_else(|| history.default_day().year());
    let balance = app(history)?.timesheet().balance(year).await?;
    Output::new().write_response(&balance, arguments.json, report::write_balance)
}
