//! First and last date of a timeline, shared by several responses.

use schemars::JsonSchema;
use serde::Serialize;
use serde_with::skip_serializing_none;

use crate::Role;
use dayledger_engine as engine;
use dayledger_engine::{Row, Rows};
use dayledger_request::format_iso;

/// Start and end of a timeline, ISO 8601 without offset. Absent without activities and hourly totals.
#[skip_serializing_none]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TimelineDates {
    /// First local time of an activity or an hour with totals.
    pub start: Option<String>,
    /// Last local time of an activity or an hour with totals.
    pub end: Option<String>,
}

/// A timeline with its dates.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TimelineRange {
    /// The id of the timeline.
    pub timeline_id: i64,
    /// Its kind.
    pub role: Role,
    /// The device that recorded it.
    pub device: String,
    /// Number of its activities, if counted.
    pub activities: Option<i64>,
    /// Its start and end.
    #[serde(flatten)]
    pub dates: TimelineDates,
}

impl TimelineRange {
    /// Reads the rows of `data_range.sql`.
    pub(super) fn read_with_counts(rows: &Rows) -> Result<Vec<Self>, engine::Error> {
        rows.read(|row| Ok(Self { activities: Some(row.get("activities")?), ..Self::from_row(row)? }))
    }

    /// Reads the rows of `history_bounds.sql`.
    pub(super) fn read_without_counts(rows: &Rows) -> Result<Vec<Self>, engine::Error> {
        rows.read(Self::from_row)
    }

    fn from_row(row: Row<'_>) -> Result<Self, engine::Error> {
        let dates = TimelineDates {
            start: row.get_optional("first_local")?.map(format_iso),
            end: row.get_optional("last_local")?.map(format_iso),
        };
        Ok(Self {
            timeline_id: row.get("timeline_id")?,
            role: Role::from_name(&row.get::<String>("role")?),
            device: row.get("device")?,
            activities: None,
            dates,
        })
    }
}
