//! Parameters that several tools share, described once.

use dayledger_mcp::WholeNumber;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::activity::{Filter, MAX_PERIOD_DAYS, NarrativeRequest, TimeBasis, codes};
use crate::request::{self, DateRange, Error, Limit};

/// The default of `minDurationMinutes`: zero, so that segments of any length are included.
pub(super) const DEFAULT_MIN_DURATION: f64 = 0.0;

/// The default of `maxGapMinutes`, in minutes. Shorter gaps, and gaps of exactly this length, don't split a segment
/// (docs/spec/time.md#merging).
pub(super) const DEFAULT_MAX_GAP: f64 = NarrativeRequest::DEFAULT_MAX_GAP;

/// Local start: 2025-01-15T09:30, today, last 7 days, 2025-W03.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(transparent)]
pub(super) struct StartDate(String);

/// Exclusive. Default: end of startDate.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(transparent)]
pub(super) struct EndDate(String);

/// Previous truncation.nextCursor.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(transparent)]
pub(super) struct Cursor(String);

impl Cursor {
    /// Parses the cursor of the requested page, if the caller passed one.
    pub(super) fn parse(cursor: Option<&Self>) -> Result<Option<request::Cursor>, Error> {
        cursor.map(|cursor| request::Cursor::parse(&cursor.0, "cursor")).transpose()
    }
}

/// Filter: device name.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(transparent)]
pub(super) struct Device(String);

impl Device {
    /// Returns the name of the device, if any.
    pub(super) fn name(device: Option<Self>) -> Option<String> {
        device.map(|device| device.0)
    }
}

/// Only time that has all of these parts of names.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(super) struct FilterParameter {
    /// Application.
    application: Option<String>,
    /// Website.
    site: Option<String>,
    /// Document name or path.
    document: Option<String>,
    /// Tag.
    tag: Option<String>,
    /// Project, from tags or rules.
    project: Option<String>,
    /// These, window titles, URLs, tag notes.
    text: Option<String>,
}

impl FilterParameter {
    /// Returns the filter. Without the parameter, returns a filter that matches all time.
    pub(super) fn filter(parameter: Option<Self>) -> Filter {
        let Self { application, site, document, tag, project, text } = parameter.unwrap_or_default();
        Filter { application, site, document, tag, project, text }
    }
}

/// Parses the range of the parameters `startDate` and `endDate`.
pub(super) fn range(start: &StartDate, end: Option<&EndDate>) -> Result<DateRange, Error> {
    DateRange::parse(&start.0, end.map(|end| end.0.as_str()), ("startDate", "endDate"))
}

/// Parses the range like [`range`]. If both parameters are absent, returns `None`, which means the whole history.
///
/// # Errors
/// Fails with `INVALID_RANGE` if an end is passed without a start.
pub(super) fn optional_range(start: Option<&StartDate>, end: Option<&EndDate>) -> Result<Option<DateRange>, Error> {
    match (start, end) {
        (Some(start), end) => range(start, end).map(Some),
        (None, None) => Ok(None),
        (None, Some(_)) => Err(Error::with_field(
            request::codes::INVALID_RANGE,
            "endDate",
            "invalid range: endDate needs a startDate",
            "pass startDate too, or omit endDate for the whole history",
        )),
    }
}

/// Parses the range like [`range`]. Fails if the range is longer than [`MAX_PERIOD_DAYS`].
pub(super) fn short_range(start: &StartDate, end: Option<&EndDate>) -> Result<DateRange, Error> {
    range(start, end)?.check_max_days(MAX_PERIOD_DAYS, "endDate")
}

/// The kinds of time that usage tools accept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub(super) enum TimeBasisParameter {
    /// Without time away, except for calls if they count.
    Active,
    /// As the tracker recorded it.
    Recorded,
}

impl TimeBasisParameter {
    /// Returns the kind of time for a request with `filter`. Only active time can be filtered.
    ///
    /// # Errors
    /// Fails with `FILTER_NEEDS_ACTIVE_TIME` for recorded time with a filter.
    pub(super) fn with_filter(asked: Option<Self>, filter: &Filter) -> Result<TimeBasis, Error> {
        match (asked, filter.is_empty()) {
            (Some(Self::Recorded), false) => Err(Error::with_field(
                codes::FILTER_NEEDS_ACTIVE_TIME,
                "timeBasis",
                "cannot filter recorded time: it does not show which windows were open simultaneously",
                "omit timeBasis to use active time, or omit filter",
            )),
            (Some(Self::Active), _) | (None, false) => Ok(TimeBasis::Active),
            (Some(Self::Recorded) | None, true) => Ok(TimeBasis::Recorded),
        }
    }
}

/// Parses the number of rows in the parameter `field`.
pub(super) fn limit<const DEFAULT: i64, const MAX: i64>(
    value: Option<WholeNumber>,
    field: &str,
) -> Result<Limit<DEFAULT, MAX>, Error> {
    Limit::parse(value.map(|number| number.0), field)
}

/// Returns `true`, the default of options that are on by default.
pub(super) fn default_true() -> bool {
    true
}
