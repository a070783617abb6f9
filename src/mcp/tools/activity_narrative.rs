//! `get_activity_narrative`.

use schemars::JsonSchema;
use serde::Deserialize;

use super::parameters::{
    Cursor, DEFAULT_MAX_GAP, DEFAULT_MIN_DURATION, Device, EndDate, FilterParameter, StartDate, default_true, limit,
    range,
};
use crate::{
    activity::{Detail, NarrativeRequest},
    mcp::{apps::McpApp, arguments::WholeNumber, tool::DataTool},
    request::{Error, Minutes},
};

/// Lists activity in order of time.
pub(super) struct GetActivityNarrative;

/// Range and detail.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Parameters {
    start_date: StartDate,
    end_date: Option<EndDate>,
    /// Add the website of each segment.
    #[serde(default = "default_true")]
    include_websites: bool,
    /// `blocks`: periods spent on one subject, about a dozen a day. `full`: every segment.
    #[serde(default)]
    #[schemars(extend("default" = "full"))]
    detail: Detail,
    /// Hide segments shorter than this.
    #[schemars(range(min = 0), extend("default" = DEFAULT_MIN_DURATION))]
    min_duration_minutes: Option<f64>,
    /// With detail=full: merge segments of one application across gaps up to this.
    #[schemars(range(min = 0), extend("default" = DEFAULT_MAX_GAP))]
    max_gap_minutes: Option<f64>,
    /// Add top applications and websites.
    #[serde(default)]
    include_summary: bool,
    /// Return at most this many segments, earliest first.
    #[schemars(range(min = 1, max = 2000), extend("default" = 200))]
    max_segments: Option<WholeNumber>,
    cursor: Option<Cursor>,
    device: Option<Device>,
    /// With detail=full: add the main window title of each segment.
    #[serde(default)]
    include_titles: bool,
    filter: Option<FilterParameter>,
}

impl DataTool for GetActivityNarrative {
    const NAME: &'static str = "get_activity_narrative";
    const TITLE: &'static str = "Activity narrative";
    const DESCRIPTION: &'static str = "Lists what was done when, on which device, and before or after what, in an \
                                       hour, an evening or any local range: segments with application, document, \
                                       website, tags and active minutes. Use it for part of a day or a few days; for \
                                       long ranges pass detail=blocks or raise minDurationMinutes. For one day use \
                                       get_daily_summary. For totals of many days use get_period_summary.";
    const APP: Option<McpApp> = Some(McpApp::Time);
    type Parameters = Parameters;
    type Request = NarrativeRequest;

    fn request(parameters: Parameters) -> Result<NarrativeRequest, Error> {
        Ok(NarrativeRequest {
            range: range(&parameters.start_date, parameters.end_date.as_ref())?,
            include_websites: parameters.include_websites,
            min_duration: Minutes::parse(parameters.min_duration_minutes, DEFAULT_MIN_DURATION, "minDurationMinutes")?,
            max_gap: Minutes::parse(parameters.max_gap_minutes, DEFAULT_MAX_GAP, "maxGapMinutes")?,
            include_summary: parameters.include_summary,
            max_segments: limit(parameters.max_segments, "maxSegments")?,
            cursor: Cursor::parse(parameters.cursor.as_ref())?,
            detail: parameters.detail,
            device: Device::name(parameters.device),
            include_titles: parameters.include_titles,
            filter: FilterParameter::filter(parameters.filter),
        })
    }
}
