//! `dayledger day`: shows one day in blocks or segments.

use dayledger_terminal::output::Output;

use super::history::HistoryArguments;
use super::{OUTPUT, report as pages};
use crate::activity::{Detail, Filter, NarrativeRequest, RangeReportRequest};
use crate::report;
use crate::request::{DateRange, Limit, Minutes, parse_date};

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n\
    \x20 dayledger day\n\
    \x20 dayledger day last friday --open\n\
    \x20 dayledger day yesterday --segments --titles\n\
    \x20 dayledger --demo day")]
pub(super) struct Arguments {
    /// Local date such as `2025-01-15`, `yesterday`, `monday` or `last friday` [default: today; with --demo the last working
    /// day]
    date: Vec<String>,
    #[command(flatten)]
    options: Options,
}

/// The flags of `day` and `today`.
#[derive(Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag")]
pub(super) struct Options {
    /// Show every segment instead of blocks
    #[arg(long)]
    segments: bool,
    /// Hide blocks and segments with less active time than this [default: 0]
    #[arg(long, value_name = "MINUTES")]
    min_duration: Option<f64>,
    /// Show segments, merged across gaps up to this long [default: 2]
    #[arg(long, value_name = "MINUTES")]
    max_gap: Option<f64>,
    /// Show segments, each with its main window title
    #[arg(long)]
    titles: bool,
    /// Show only this device
    #[arg(long, value_name = "NAME", help_heading = Filter::HEADING)]
    device: Option<String>,
    #[command(flatten)]
    filter: Filter,
    /// Print JSON, as the MCP tool `get_daily_summary` returns it (at most 2000 blocks or segments)
    #[arg(long, help_heading = OUTPUT)]
    json: bool,
    /// Open the day as a web page in the browser
    #[arg(long, conflicts_with_all = ["json", "segments", "min_duration", "max_gap"], help_heading = OUTPUT)]
    open: bool,
}

pub(super) async fn run(arguments: &Arguments, history: &HistoryArguments) -> anyhow::Result<()> {
    let words = Some(arguments.date.join(" ")).filter(|_| !arguments.date.is_empty());
    let date = words.map(|words| parse_date(&words, "DATE")).transpose()?;
    show(DateRange::day(date.unwrap_or_else(|| history.default_day())), &arguments.options, history).await
}

/// Runs `dayledger today`.
pub(super) async fn run_today(options: &Options, history: &HistoryArguments) -> anyhow::Result<()> {
    show(DateRange::day(parse_date("today", "DATE")?), options, history).await
}

async fn show(range: DateRange, arguments: &Options, history: &HistoryArguments) -> anyhow::Result<()> {
    let app = &history.app()?;
    if arguments.open {
        let (device, include_titles) = (arguments.device.clone(), arguments.titles);
        let filter = arguments.filter.clone();
        let request = RangeReportRequest { range, device, include_titles, filter };
        return pages::open_in_browser(request, app, &history.timesheet_service(app)?).await;
    }
    // The blocks view supports neither gaps nor titles.
    let in_segments = arguments.segments || arguments.titles || arguments.max_gap.is_some();
    let request = NarrativeRequest {
        range,
        detail: if in_segments { Detail::Full } else { Detail::Blocks },
        include_websites: true,
        min_duration: Minutes::parse(arguments.min_duration, 0.0, "--min-duration")?,
        max_gap: Minutes::parse(arguments.max_gap, NarrativeRequest::DEFAULT_MAX_GAP, "--max-gap")?,
        include_summary: true,
        max_segments: Limit::MAXIMUM,
        cursor: None,
        device: arguments.device.clone(),
        filter: arguments.filter.clone(),
        include_titles: arguments.titles,
    };
    let answer = app.run(request).await?;
    Output::new().write_response(&answer, arguments.json, report::write_day)
}
