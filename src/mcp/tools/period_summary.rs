//! `get_period_summary`.

use schemars::JsonSchema;
use serde::Deserialize;

use super::parameters::{Device, EndDate, FilterParameter, MAX_DAYS, StartDate, short_range};
use crate::{
    activity::PeriodSummaryRequest,
    mcp::{apps::McpApp, tool::DataTool},
    request::Error,
};

/// Sums up several days.
pub(super) struct GetPeriodSummary;

/// Range and device.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Parameters {
    start_date: StartDate,
    /// Exclusive end, at most 31 days after startDate.
    end_date: Option<EndDate>,
    device: Option<Device>,
    /// Range to compare with, such as last week, or `previous`.
    compare_to: Option<String>,
    filter: Option<FilterParameter>,
}

impl DataTool for GetPeriodSummary {
    const NAME: &'static str = "get_period_summary";
    const TITLE: &'static str = "Period summary";
    const DESCRIPTION: &'static str = "Returns the hours of work in a week, a month or on a weekend, up to 31 days: \
                                       active minutes per day and weekday, on average and compared with another week; \
                                       on how many days the user worked, first and last activity of each day, busiest \
                                       and quietest day; programs (applications), websites and files used most. Start \
                                       here for several days; cheap. With filter: time for a client or project. Not \
                                       for what was done within a day.";
    const APP: Option<McpApp> = Some(McpApp::Time);
    type Parameters = Parameters;
    type Request = PeriodSummaryRequest;

    fn request(parameters: Parameters) -> Result<PeriodSummaryRequest, Error> {
        let range = short_range(&parameters.start_date, parameters.end_date.as_ref())?;
        let compare_to = parameters.compare_to.map(|text| range.comparison_range(&text, "compareTo")).transpose()?;
        Ok(PeriodSummaryRequest {
            range,
            device: Device::name(parameters.device),
            compare_to: compare_to.map(|range| range.check_max_days(MAX_DAYS, "compareTo")).transpose()?,
            filter: FilterParameter::filter(parameters.filter),
        })
    }
}
