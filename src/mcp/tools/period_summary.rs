//! `get_period_summary`.

use schemars::JsonSchema;
use serde::Deserialize;

use super::parameters::{Device, EndDate, StartDate, short_range};
use crate::{activity::PeriodSummaryRequest, mcp::tool::DataTool, question::Error};

/// Sums up several days.
pub(super) struct GetPeriodSummary;

/// Range and device.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Parameters {
    start_date: StartDate,
    /// Exclusive, at most 31 days after startDate.
    #[serde(default)]
    #[schemars(with = "EndDate")]
    end_date: Option<EndDate>,
    #[serde(default)]
    #[schemars(with = "Device")]
    device: Option<Device>,
}

impl DataTool for GetPeriodSummary {
    const NAME: &'static str = "get_period_summary";
    const TITLE: &'static str = "Period summary";
    const DESCRIPTION: &'static str = "Up to 31 days at a glance: active minutes, top application, first and last \
                                       activity per day; top applications and websites; weekdays; busiest day. Start \
                                       here for a week or month; cheap. Not for what was done within a day.";
    type Parameters = Parameters;
    type Question = PeriodSummaryRequest;

    fn question(parameters: Parameters) -> Result<PeriodSummaryRequest, Error> {
        Ok(PeriodSummaryRequest {
            range: short_range(&parameters.start_date, parameters.end_date.as_ref())?,
            device: Device::name(parameters.device),
        })
    }
}
