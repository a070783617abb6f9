//! `dayledger period`: shows the days of a period.

use dayledger_terminal::output::Output;

use super::history::HistoryArguments;
use super::{OUTPUT, report as pages};
use crate::activity::{Filter, PeriodSummaryRequest, RangeReportRequest};
use crate::report;
use crate::request::{DateRange, Error, start_and_end};

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

/// Runs a short form of `dayledger period`, such as `dayledger week`.
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

/// Parses the range of `--from` and `--to`. The value of each flag can consist of several words.
///
/// # Errors
/// Fails if a flag's value is neither a date nor a period.
pub(super) fn parse_range_flags(from: &[String], to: Option<&[String]>) -> Result<DateRange, Error> {
    let to = to.map(|words| words.join(" "));
    DateRange::parse_inclusive(&from.join(" "), to.as_deref(), ("--from", "--to"))
}
