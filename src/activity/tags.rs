//! What the user tagged (semantics, section 5).

use schemars::JsonSchema;
use serde::Serialize;

use super::{DateRange, Diagnostics, NamedTotal, TimeBasis, Truncation};

/// How many tag intervals one answer holds at most.
pub const MAX_TAGS: usize = 1000;

/// Asks for tagged time in a local range.
#[derive(Debug, Clone, PartialEq)]
pub struct TagsRequest {
    /// Local range, end exclusive.
    pub range: DateRange,
}

/// Tagged time, in order of time, cut at the range, not at active use.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Tags {
    /// Start of the range, local, inclusive.
    pub start_date: String,
    /// End of the range, local, exclusive.
    pub end_date: String,
    /// Always `recorded`: a meeting away from the desk is tagged time.
    pub time_basis: TimeBasis,
    /// The tag intervals, cut at the range.
    pub tags: Vec<TagEntry>,
    /// Minutes per full tag list over the whole range, most first, whatever is listed.
    pub totals: Vec<NamedTotal>,
    /// Whether intervals were left out.
    pub truncation: Truncation,
    /// Whether the answer is degraded.
    pub diagnostics: Diagnostics,
}

/// One tagged interval.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TagEntry {
    /// Local start.
    pub start: String,
    /// Local end.
    pub end: String,
    /// Minutes, measured in UTC.
    pub duration_minutes: f64,
    /// The full list as `ManicTime` shows it.
    pub name: String,
    /// The list's parts in order; a part may itself hold a comma.
    pub path: Vec<String>,
    /// Whether the tag is billable, where `ManicTime` knows.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "bool")]
    pub billable: Option<bool>,
    /// The user's notes.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub notes: Option<String>,
}
