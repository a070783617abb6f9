//! `get_website_usage`.

use schemars::JsonSchema;
use serde::Deserialize;

use super::parameters::{
    Cursor, Device, EndDate, FilterParameter, StartDate, TimeBasisParameter, default_true, limit, short_range,
};
use crate::{
    activity::WebsiteUsageRequest,
    mcp::{arguments::WholeNumber, tool::DataTool},
    request::{Error, Minutes},
};

/// The default of the shortest time for which a website is listed, in minutes.
const DEFAULT_MIN_MINUTES: f64 = 0.5;

/// Counts the time of websites.
pub(super) struct GetWebsiteUsage;

/// Range and length of the list.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Parameters {
    start_date: StartDate,
    /// Exclusive end, at most 31 days after startDate.
    end_date: Option<EndDate>,
    /// Return at most this many websites.
    #[schemars(range(min = 1, max = 200), extend("default" = 50))]
    limit: Option<WholeNumber>,
    /// Hide websites with less time.
    #[schemars(range(min = 0), extend("default" = DEFAULT_MIN_MINUTES))]
    min_minutes: Option<f64>,
    cursor: Option<Cursor>,
    /// false: only totals, without hours or days.
    #[serde(default = "default_true")]
    include_breakdown: bool,
    /// `active` excludes time away, and is the default with filter. `recorded` includes it.
    #[schemars(extend("default" = "recorded"))]
    time_basis: Option<TimeBasisParameter>,
    device: Option<Device>,
    filter: Option<FilterParameter>,
}

impl DataTool for GetWebsiteUsage {
    const NAME: &'static str = "get_website_usage";
    const TITLE: &'static str = "Website usage";
    const DESCRIPTION: &'static str = "Returns how much time the user spent on each website (site, such as \
                                       github.com), longest first, by hour (up to 7 days) or day. Use it for at most \
                                       31 days. For top websites only, get_period_summary is shorter.";
    type Parameters = Parameters;
    type Request = WebsiteUsageRequest;

    fn request(parameters: Parameters) -> Result<WebsiteUsageRequest, Error> {
        let filter = FilterParameter::filter(parameters.filter);
        Ok(WebsiteUsageRequest {
            range: short_range(&parameters.start_date, parameters.end_date.as_ref())?,
            limit: limit(parameters.limit, "limit")?,
            min_minutes: Minutes::parse(parameters.min_minutes, DEFAULT_MIN_MINUTES, "minMinutes")?,
            cursor: Cursor::parse(parameters.cursor.as_ref())?,
            include_breakdown: parameters.include_breakdown,
            time_basis: TimeBasisParameter::with_filter(parameters.time_basis, &filter)?,
            device: Device::name(parameters.device),
            filter,
        })
    }
}
