//! `get_daily_summary`.

use schemars::JsonSchema;
use serde::Deserialize;

use super::parameters::{Cursor, DEFAULT_MAX_GAP, DEFAULT_MIN_DURATION, Device, FilterParameter, default_true, limit};
use crate::{
    activity::{DailySummaryRequest, Detail, NarrativeRequest},
    mcp::{apps::McpApp, arguments::WholeNumber, tool::DataTool},
    request::{DateRange, Error, Minutes, parse_date},
};

/// Sums up one day.
pub(super) struct GetDailySummary;

/// Day and detail.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Parameters {
    /// One local day: 2025-01-15, today or yesterday.
    date: String,
    /// false: only totals and top lists.
    #[serde(default = "default_true")]
    include_segments: bool,
    /// `blocks`: periods spent on one subject, about a dozen a day. `full`: every segment.
    #[serde(default = "blocks")]
    #[schemars(extend("default" = "blocks"))]
    detail: Detail,
    /// Hide segments shorter than this.
    #[schemars(range(min = 0), extend("default" = DEFAULT_MIN_DURATION))]
    min_duration_minutes: Option<f64>,
    /// With detail=full: merge segments of one application across gaps up to this.
    #[schemars(range(min = 0), extend("default" = DEFAULT_MAX_GAP))]
    max_gap_minutes: Option<f64>,
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

/// Returns the default detail of a day.
fn blocks() -> Detail {
    Detail::Blocks
}

impl DataTool for GetDailySummary {
    const NAME: &'static str = "get_daily_summary";
    const TITLE: &'static str = "Daily summary";
    const DESCRIPTION: &'static str = "Returns what the user did on one day, such as today or yesterday, and how long \
                                       they were at the computer: hours of work (active minutes), top applications and \
                                       websites, time that is not tagged, and the day in about a dozen blocks. Start \
                                       here for a day; detail=full lists every segment, includeSegments=false only \
                                       totals. For part of a day use get_activity_narrative. For several days use \
                                       get_period_summary.";
    const APP: Option<McpApp> = Some(McpApp::Time);
    type Parameters = Parameters;
    type Request = DailySummaryRequest;

    fn request(parameters: Parameters) -> Result<DailySummaryRequest, Error> {
        Ok(DailySummaryRequest {
            narrative: NarrativeRequest {
                range: DateRange::day(parse_date(&parameters.date, "date")?),
                include_websites: true,
                min_duration: Minutes::parse(
                    parameters.min_duration_minutes,
                    DEFAULT_MIN_DURATION,
                    "minDurationMinutes",
                )?,
                max_gap: Minutes::parse(parameters.max_gap_minutes, DEFAULT_MAX_GAP, "maxGapMinutes")?,
                include_summary: true,
                max_segments: limit(parameters.max_segments, "maxSegments")?,
                cursor: Cursor::parse(parameters.cursor.as_ref())?,
                detail: parameters.detail,
                device: Device::name(parameters.device),
                include_titles: parameters.include_titles,
                filter: FilterParameter::filter(parameters.filter),
            },
            include_segments: parameters.include_segments,
        })
    }
}
