//! `dayledger why`: explains how each interval was counted.

use dayledger_terminal::output::Output;

use super::OUTPUT;
use crate::App;
use crate::activity::{WhyRequest, WhyTime};
use crate::report;
use crate::request::{DateRange, Error, codes, parse_moment, start_and_end};

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n\
    \x20 dayledger why yesterday\n\
    \x20 dayledger why 2025-01-15T10:00")]
pub(super) struct Arguments {
    /// Local time such as `2025-01-15T10:00`, or a date or a period such as `yesterday`, `last friday` or `2025-W03`
    start: String,
    /// Last day (inclusive), or a time (exclusive) [default: the end of START; for a time, the segment around it]
    end: Vec<String>,
    /// Show only this device
    #[arg(long, value_name = "NAME", help_heading = "Filters")]
    device: Option<String>,
    /// Print the totals, blocks and periods as JSON
    #[arg(long, help_heading = OUTPUT)]
    json: bool,
}

pub(super) async fn run(arguments: &Arguments, app: &App) -> anyhow::Result<()> {
    let words: Vec<_> = std::iter::once(&arguments.start).chain(&arguments.end).map(String::as_str).collect();
    let (start, end) = start_and_end(&words);
    let request = WhyRequest { when: parse_time(&start, end.as_deref())?, device: arguments.device.clone() };
    let answer = app.run(request).await?;
    Output::new().write_response(&answer, arguments.json, report::write_why)
}

/// Parses a range, or a time without an end.
fn parse_time(start: &str, end: Option<&str>) -> Result<WhyTime, Error> {
    match DateRange::parse_inclusive(start, end, ("START", "END")) {
        Err(error) if end.is_none() && error.code == codes::INVALID_RANGE => {
            parse_moment(start, "START").map(WhyTime::Around)
        }
        range => range.map(WhyTime::Range),
    }
}
