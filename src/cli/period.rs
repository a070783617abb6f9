//! `dayledger period`: shows the days of a period.

use super::history::HistoryArguments;
use super::{OUTPUT, Output, report as pages};
use crate::activity::{Filter, PeriodSummaryRequest, RangeReportRequest};
use crate::report;
use crate::request::{DateRange, Error, parse_moment};

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n\
    \x20 dayledger period last week\n\
    \x20 dayledger period this week --compare previous\n\
    \x20 dayledger period 2025-01-06 2025-01-12 --tag northwind")]
pub(super) struct Arguments {
    /// First day, such as `2025-01-15`, or a period such as `last week`, `2025-W03` or `2025-01`
    start: String,
    /// Last day (inclusive), or a time (exclusive) [default: the end of START]
    end: Vec<String>,
    #[command(flatten)]
    options: Options,
}

/// The flags of `period`, `week` and `month`.
#[derive(Debug, clap::Args)]
pub(super) struct Options {
    /// Compare with another period, such as `last week`, or `previous` for as many days before; if the period isn't over,
    /// only the same part of the other period counts
    #[arg(long, value_name = "PERIOD")]
    compare: Option<String>,
    /// Show only this device
    #[arg(long, value_name = "NAME", help_heading = Filter::HEADING)]
    device: Option<String>,
    #[command(flatten)]
    filter: Filter,
    /// Print JSON, as the MCP tool `get_period_summary` returns it
    #[arg(long, help_heading = OUTPUT)]
    json: bool,
    /// Open the period as a web page in the browser
    #[arg(long, conflicts_with = "json", help_heading = OUTPUT)]
    open: bool,
}

pub(super) async fn run(arguments: &Arguments, history: &HistoryArguments) -> anyhow::Result<()> {
    let words: Vec<_> = std::iter::once(&arguments.start).chain(&arguments.end).map(String::as_str).collect();
    let (start, end) = start_and_end(&words);
    let range = DateRange::parse_inclusive(&start, end.as_deref(), ("START", "END"))?;
    show(range, &arguments.options, history).await
}

/// Carries out the short form of a period, such as `this week`.
pub(super) async fn run_named(period: &str, options: &Options, history: &HistoryArguments) -> anyhow::Result<()> {
    show(DateRange::parse(period, None, ("START", "END"))?, options, history).await
}

async fn show(range: DateRange, arguments: &Options, history: &HistoryArguments) -> anyhow::Result<()> {
    let app = &history.app()?;
    if arguments.open {
        let (device, filter) = (arguments.device.clone(), arguments.filter.clone());
        let request = RangeReportRequest { range, device, include_titles: false, filter };
        return pages::open_in_browser(request, app, &history.timesheet_service(app)?).await;
    }
    let compare_to = arguments.compare.as_deref().map(|text| range.comparison_range(text, "--compare")).transpose()?;
    let request =
        PeriodSummaryRequest { range, device: arguments.device.clone(), filter: arguments.filter.clone(), compare_to };
    let answer = app.run(request).await?;
    Output::new().write_response(&answer, arguments.json, report::write_period)
}

/// Reads the range of `--from` and `--to`, each of which may be several words.
///
/// # Errors
/// Fails if one of them is not a date or a period.
pub(super) fn parse_range_flags(from: &[String], to: Option<&[String]>) -> Result<DateRange, Error> {
    let to = to.map(|words| words.join(" "));
    DateRange::parse_inclusive(&from.join(" "), to.as_deref(), ("--from", "--to"))
}

/// Splits a command line into two dates, each of which may be several words: `last 2 weeks`, `last friday today`. If
/// only one of them is valid, the other words are the invalid date.
pub fn start_and_end(words: &[&str]) -> (String, Option<String>) {
    let is_read = |words: &[&str]| !words.contains(&"") && parse_moment(&words.join(" "), "").is_ok();
    let is_end = |words: &[&str]| words.is_empty() || is_read(words);
    let ends = || (1..=words.len()).rev();
    let at = ends()
        .find(|at| is_read(&words[..*at]) && is_end(&words[*at..]))
        .or_else(|| ends().find(|at| is_read(&words[..*at])))
        .or_else(|| (1..words.len()).find(|at| is_read(&words[*at..])))
        .unwrap_or(words.len());
    let (start, end) = words.split_at(at);
    (start.join(" "), (!end.is_empty()).then(|| end.join(" ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_of_several_words_need_no_quotes() {
        for (line, start, end) in [
            ("2025-01-13", "2025-01-13", None),
            ("2025-01-13 2025-01-20", "2025-01-13", Some("2025-01-20")),
            ("last 2 weeks", "last 2 weeks", None),
            ("last 2 weeks today", "last 2 weeks", Some("today")),
            ("monday last friday", "monday", Some("last friday")),
            ("last week last friday", "last week", Some("last friday")),
            ("last 7 days 2025", "last 7 days", Some("2025")),
            ("2025-01-15 09:30 2025-01-15 12:00", "2025-01-15 09:30", Some("2025-01-15 12:00")),
            ("yesterday 14:00 16:00", "yesterday 14:00", Some("16:00")),
            ("25 november 30 november", "25 november", Some("30 november")),
            ("nov 25 2025 2 days ago", "nov 25 2025", Some("2 days ago")),
        ] {
            let words: Vec<_> = line.split(' ').collect();
            assert_eq!(start_and_end(&words), (start.to_owned(), end.map(str::to_owned)), "{line}");
        }
        assert_eq!(start_and_end(&["last week", "today"]), ("last week".to_owned(), Some("today".to_owned())));
    }

    #[test]
    fn wrong_date_is_separated_from_the_valid_one() {
        for (line, start, end) in [
            ("lst week", "lst week", None),
            ("2025-01-13 2025-01-32", "2025-01-13", Some("2025-01-32")),
            ("2025-01-32 2025-02-01", "2025-01-32", Some("2025-02-01")),
            ("last week tody", "last week", Some("tody")),
            ("lst week last friday", "lst week", Some("last friday")),
            ("today ", "today", Some("")),
        ] {
            let words: Vec<_> = line.split(' ').collect();
            assert_eq!(start_and_end(&words), (start.to_owned(), end.map(str::to_owned)), "{line}");
        }
    }
}
