//! `get_period_summary`.

use schemars::JsonSchema;
use serde::Deserialize;

use super::parameters::{Device, EndDate, MAX_DAYS, Part, StartDate, short_range};
use crate::{
    activity::PeriodSummaryRequest,
    mcp::{apps::App, tool::DataTool},
    question::Error,
};

/// Sums up several days.
pub(super) struct GetPeriodSummary;

/// Range and device.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("additionalProperties" = false))]
pub(super) struct Parameters {
    start_date: StartDate,
    /// Exclusive, at most 31 days later.
    #[serde(default)]
    #[schemars(with = "EndDate")]
    end_date: Option<EndDate>,
    #[serde(default)]
    #[schemars(with = "Device")]
    device: Option<Device>,
    /// A range to sum up beside it: last week, or `previous`, as long and right before.
    #[serde(default)]
    #[schemars(with = "String")]
    compare_to: Option<String>,
    #[serde(flatten)]
    part: Part,
}

impl DataTool for GetPeriodSummary {
    const NAME: &'static str = "get_period_summary";
    const TITLE: &'static str = "Period summary";
    const DESCRIPTION: &'static str = "How many hours of work there were in a week, a month or on a weekend, up to 31 \
                                       days. Active minutes per day and weekday, on average and compared with another \
                                       week; first and last activity of each day, which was the busiest, which the \
                                       quietest; programs (applications) and websites used most. Start here; cheap. \
                                       application to text keep what has that part of a name: time for a client or \
                                       project, its files. Not for what was done within a day.";
    const APP: Option<App> = Some(App::Time);
    type Parameters = Parameters;
    type Question = PeriodSummaryRequest;

    fn question(parameters: Parameters) -> Result<PeriodSummaryRequest, Error> {
        let range = short_range(&parameters.start_date, parameters.end_date.as_ref())?;
        let compare_to = parameters.compare_to.map(|text| range.compared(&text, "compareTo")).transpose()?;
        Ok(PeriodSummaryRequest {
            range,
            device: Device::name(parameters.device),
            compare_to: compare_to.map(|range| range.at_most_days(MAX_DAYS, "compareTo")).transpose()?,
            filter: parameters.part.filter(),
        })
    }
}
