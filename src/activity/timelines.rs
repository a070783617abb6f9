//! Which timelines the history holds.

use schemars::JsonSchema;
use serde::Serialize;

use super::Role;

/// Asks for all timelines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimelinesRequest;

/// All timelines of the history.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Timelines {
    /// The timelines, in order of id.
    pub timelines: Vec<Timeline>,
}

/// One timeline.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Timeline {
    /// `Ar_Timeline.ReportId`, what `get_activities` takes as `timelineId`.
    pub id: i64,
    /// The name that the user gave it; automatic timelines have none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub name: Option<String>,
    /// Such as `ManicTime/Applications`.
    pub schema_name: String,
    /// What it holds.
    pub role: Role,
    /// The device that recorded it.
    pub device: String,
}
