//! `dayledger period`: the days of a period.

use std::process::ExitCode;

use super::{Output, report as pages};
use crate::House;
use crate::activity::{DaybookRequest, MAX_PERIOD_DAYS, PeriodSummaryRequest};
use crate::question::DateRange;
use crate::report;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// First local date (YYYY-MM-DD), or a period such as `last week`, `last 7 days`, `2025-W03`, `2025-01`
    start: String,
    /// Local date after the last one, at most 31 days later; without it, the period that START names
    end: Option<String>,
    /// Only this device
    #[arg(long, value_name = "NAME")]
    device: Option<String>,
    /// Print the answer of the tool `get_period_summary`
    #[arg(long)]
    json: bool,
    /// Show the period in the browser, as `report` writes it
    #[arg(long, conflicts_with = "json")]
    open: bool,
}

pub(super) async fn run(arguments: &Arguments, house: &House) -> anyhow::Result<ExitCode> {
    let range = DateRange::parse(&arguments.start, arguments.end.as_deref(), ("START", "END"))
        .and_then(|range| range.at_most_days(MAX_PERIOD_DAYS, "END"))?;
    if arguments.open {
        let request = DaybookRequest { range, device: arguments.device.clone(), include_titles: false };
        return pages::open(request, house).await;
    }
    let answer = house.ask(PeriodSummaryRequest { range, device: arguments.device.clone() }).await?;
    let mut output = Output::new();
    if arguments.json {
        output.json(&answer)?;
    } else {
        output.draw(|out, style| report::write_period(out, &answer, style))?;
    }
    Ok(ExitCode::SUCCESS)
}
