//! What was done, segment by segment (semantics, sections 4 and 5).

use schemars::JsonSchema;
use serde::Serialize;

use super::{ApplicationTotal, DateRange, Diagnostics, Limit, Minutes, TimeBasis, Truncation, NamedTotal};

/// Asks for the segments of a range of local time.
#[derive(Debug, Clone, PartialEq)]
pub struct NarrativeRequest {
    /// Local range, end exclusive.
    pub range: DateRange,
    /// Whether segments and summary name websites.
    pub include_websites: bool,
    /// Segments with less active time are dropped, after merging.
    pub min_duration: Minutes,
    /// Pieces of one application merge over gaps up to this long.
    pub max_gap: Minutes,
    /// Whether the answer lists the top applications and websites.
    pub include_summary: bool,
    /// How many segments are returned, the first in time.
    pub max_segments: Limit<200, 2000>,
    /// Only this device (its display name).
    pub device: Option<String>,
    /// Whether segments name the window title with the most time.
    pub include_titles: bool,
}

/// Asks for the narrative of one local day together with its summary.
#[derive(Debug, Clone, PartialEq)]
pub struct DailySummaryRequest {
    /// The narrative's parameters; `range` is one day, `include_summary` is set.
    pub narrative: NarrativeRequest,
    /// Whether segments are listed; totals and tops come either way.
    pub include_segments: bool,
}

/// The segments of a range, in order of time.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Narrative {
    /// Start of the range, local, inclusive: a date, or a date-time where it is not midnight.
    pub start_date: String,
    /// End of the range, local, exclusive.
    pub end_date: String,
    /// `active`; `recorded` only where activities are no longer kept.
    pub time_basis: TimeBasis,
    /// Active minutes of the whole range over all devices, each minute counted once. Authoritative.
    pub total_active_minutes: f64,
    /// The segments, in order of time; none when they were not asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<Segment>")]
    pub segments: Option<Vec<Segment>>,
    /// Applications with the most active time.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<ApplicationTotal>")]
    pub top_applications: Option<Vec<ApplicationTotal>>,
    /// Websites with the most active time.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<NamedTotal>")]
    pub top_websites: Option<Vec<NamedTotal>>,
    /// Whether segments were left out.
    pub truncation: Truncation,
    /// Whether the answer is degraded.
    pub diagnostics: Diagnostics,
}

/// A stretch of time that a person would name as one thing.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Segment {
    /// Local start of the first piece, ISO 8601 without offset.
    pub start: String,
    /// Local end of the last piece, ISO 8601 without offset.
    pub end: String,
    /// Active minutes of all pieces, gaps excluded.
    pub duration_minutes: f64,
    /// The device, when the range holds more than one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub device: Option<String>,
    /// The application's display name.
    pub application: String,
    /// The document with the most time: a file URI, or as it was recorded.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub document: Option<String>,
    /// The site with the most time.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub website: Option<String>,
    /// The window title with the most time, when asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub title: Option<String>,
    /// Tags that overlap the segment, most overlap first.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<String>")]
    pub tags: Option<Vec<String>>,
}
