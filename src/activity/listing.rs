//! The activities of one timeline, as they were recorded.

use schemars::JsonSchema;
use serde::Serialize;

use super::{DateRange, Diagnostics, Limit, TimeBasis, Truncation};

/// Asks for the activities of one timeline in a local range.
#[derive(Debug, Clone, PartialEq)]
pub struct ActivitiesRequest {
    /// `Ar_Timeline.ReportId`.
    pub timeline_id: i64,
    /// Local range, end exclusive: activities that overlap it, whole.
    pub range: DateRange,
    /// How many activities are returned, in order of start.
    pub limit: Limit<100, 5000>,
    /// Where the previous answer ended (its `nextCursor`).
    pub cursor: Option<String>,
    /// Whether group fields are included.
    pub include_group_details: bool,
}

/// Activities in order of start.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Activities {
    /// Start of the range, local, inclusive.
    pub start_date: String,
    /// End of the range, local, exclusive.
    pub end_date: String,
    /// Always `recorded`.
    pub time_basis: TimeBasis,
    /// Minutes inside the range over all its activities, whatever is listed; each minute counted once.
    pub total_minutes: f64,
    /// The activities, whole even where they reach out of the range.
    pub activities: Vec<ActivityEntry>,
    /// Pass as `cursor` for the next page; absent on the last.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub next_cursor: Option<String>,
    /// Whether activities were left out.
    pub truncation: Truncation,
    /// Whether the answer is degraded.
    pub diagnostics: Diagnostics,
}

/// One recorded activity.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ActivityEntry {
    /// Local start, ISO 8601 without offset.
    pub start: String,
    /// Local end.
    pub end: String,
    /// Minutes from start to end, measured in UTC.
    pub duration_minutes: f64,
    /// The activity's own name: a window title, URL, path, state or tag list.
    pub name: String,
    /// Name of its group.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub group_name: Option<String>,
    /// Colour of its group as six hex digits without `#`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub group_color: Option<String>,
    /// Key of its group.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub group_key: Option<String>,
    /// Name of the group that it has in common over devices, where it differs from `groupName`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub common_group_name: Option<String>,
    /// The user's notes.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub notes: Option<String>,
    /// `ManicTime`'s own flag.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "bool")]
    pub is_active: Option<bool>,
}
