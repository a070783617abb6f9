//! Which dates hold data.

use schemars::JsonSchema;
use serde::Serialize;

use super::Role;

/// Asks for the first and last local time of every timeline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DataRangeRequest;

/// The dates that hold data.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DataRange {
    /// First local time of any timeline.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub start: Option<String>,
    /// Last local time of any timeline.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub end: Option<String>,
    /// One entry per timeline that holds activities.
    pub timelines: Vec<TimelineRange>,
}

/// The dates of one timeline.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TimelineRange {
    /// `Ar_Timeline.ReportId`.
    pub timeline_id: i64,
    /// What it holds.
    pub role: Role,
    /// The device that recorded it.
    pub device: String,
    /// How many activities it holds.
    pub activities: i64,
    /// First local start.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub start: Option<String>,
    /// Last local end.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub end: Option<String>,
}
