//! The lag of the tracker's hourly totals behind its activities (docs/spec/time.md#lag).

use chrono::{DurationRound, NaiveDateTime, TimeDelta};
use schemars::JsonSchema;
use serde::Serialize;
use serde_with::skip_serializing_none;

use crate::Role;
use dayledger_engine as engine;
use dayledger_engine::{Rows, Statement, statement};
use dayledger_request::format_iso;

/// The hourly totals of one role of one timeline, compared with its activities.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct HourlyCoverage {
    /// The id of the timeline.
    pub timeline_id: i64,
    /// The kind of totals.
    pub role: Role,
    /// The device that recorded the timeline.
    pub device: String,
    /// Local end of the newest activity.
    pub newest_activity: String,
    /// Start of the newest local hour with totals. Absent if there are no totals.
    pub newest_hour: Option<String>,
    /// Hours between the newest hour with totals and the hour of the newest activity. Absent if there are no totals.
    pub lag_hours: Option<i64>,
    /// Number of local days with activities but without totals. The usage of these days is computed from activities.
    pub days_without_totals: i64,
}

/// The statement that compares hourly totals with activities, for each timeline and role.
pub(super) static COVERAGE: Statement = statement!(queries / "hourly_coverage");

impl HourlyCoverage {
    /// Reads the coverage from the rows of [`COVERAGE`].
    pub(super) fn read(rows: &Rows) -> Result<Vec<Self>, engine::Error> {
        rows.read(|row| {
            let newest_activity: NaiveDateTime = row.get("newest_activity")?;
            let newest_hour: Option<NaiveDateTime> = row.get_optional("newest_hour")?;
            Ok(Self {
                timeline_id: row.get("timeline_id")?,
                role: Role::from_name(&row.get::<String>("role")?),
                device: row.get("device")?,
                newest_activity: format_iso(newest_activity),
                newest_hour: newest_hour.map(format_iso),
                lag_hours: newest_hour.map(|hour| lag(newest_activity, hour)),
                days_without_totals: row.get("days_without_totals")?,
            })
        })
    }
}

/// Returns the number of hours from `hour` to the hour that contains the last second before `end`, but at least 0.
fn lag(end: NaiveDateTime, hour: NaiveDateTime) -> i64 {
    let last = end - TimeDelta::seconds(1);
    let last_hour = last.duration_trunc(TimeDelta::hours(1)).unwrap_or(last);
    (last_hour - hour).num_hours().max(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lag_counts_hours_without_totals() {
        let lag = |end: &str, hour: &str| lag(end.parse().unwrap(), hour.parse().unwrap());
        assert_eq!(lag("2025-01-15T10:00:00", "2025-01-15T09:00:00"), 0, "the hour that just ended is totalled");
        assert_eq!(lag("2025-01-15T10:00:01", "2025-01-15T09:00:00"), 1);
        assert_eq!(lag("2025-01-16T01:30:00", "2025-01-15T23:00:00"), 2);
        assert_eq!(lag("2025-01-15T08:00:00", "2025-01-15T09:00:00"), 0);
    }
}
