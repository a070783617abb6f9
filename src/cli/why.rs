//! `dayledger why`: explains the active time of a day, and how each row of the history affects it.

use dayledger_terminal::output::{Output, print_paged};

use super::OUTPUT;
use crate::App;
use crate::activity::{WhyRequest, WhyTime};
use crate::report;
use crate::request::{DateRange, Error, codes, parse_moment, start_and_end};

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n\
    \x20 dayledger why yesterday\n\
    \x20 dayledger why yesterday --rows\n\
    \x20 dayledger why 2025-01-15T10:00")]
pub(super) struct Arguments {
    /// Local time such as `2025-01-15T10:00`, or a date or a period such as `yesterday`, `last friday` or `2025-W03`
    start: String,
    /// Last day (inclusive), or a time (exclusive) [default: the end of START; for a time, the block around it]
    end: Vec<String>,
    /// Show how each recorded row counts, to the second
    #[arg(long)]
    rows: bool,
    /// Show only this device
    #[arg(long, value_name = "NAME", help_heading = "Filters")]
    device: Option<String>,
    /// Print the days, breaks and rows as JSON
    #[arg(long, help_heading = OUTPUT)]
    json: bool,
}

pub(super) async fn run(arguments: &Arguments, app: &App) -> anyhow::Result<()> {
    let words: Vec<_> = std::iter::once(&arguments.start).chain(&arguments.end).map(String::as_str).collect();
    let (start, end) = start_and_end(&words);
    let when = parse_time(&start, end.as_deref())?;
    let include_rows = arguments.rows || matches!(when, WhyTime::Around(_));
    let answer = app.run(WhyRequest { when, device: arguments.device.clone(), include_rows }).await?;
    if arguments.json {
        return Output::new().write_json(&answer);
    }
    print_paged(|out, style| report::write_why(out, &answer, style))
}

/// Parses a range, or a single time if `end` is missing.
fn parse_time(start: &str, end: Option<&str>) -> Result<WhyTime, Error> {
    match DateRange::parse_inclusive(start, end, ("START", "END")) {
        Err(error) if end.is_none() && error.code == codes::INVALID_RANGE => {
            parse_moment(start, "START").map(WhyTime::Around)
        }
        range => range.map(WhyTime::Range),
    }
}
