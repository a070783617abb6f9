//! The first and last date of the history and of its timelines. [`DataRangeRequest`] also counts activities and finds
//! active use. [`HistoryBoundsRequest`] is faster, because it doesn't count rows.

use chrono::{NaiveDate, NaiveDateTime, TimeDelta};
use schemars::JsonSchema;
use serde::Serialize;
use serde_with::skip_serializing_none;

use crate::Role;
use dayledger_core::local_days::LocalDays;
use dayledger_engine as engine;
use dayledger_engine::{Arguments, Engine, Row, Rows, Statement, statement};
use dayledger_request::{DateRange, Error, Request, format_iso, run_statements};

/// Start and end of a timeline, ISO 8601 without offset. Absent if the timeline has neither activities nor hourly
/// totals.
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
    /// Kind of the timeline.
    pub role: Role,
    /// The device that recorded the timeline.
    pub device: String,
    /// Number of activities, if they were counted.
    pub activities: Option<i64>,
    /// Start and end of the timeline.
    #[serde(flatten)]
    pub dates: TimelineDates,
}

impl TimelineRange {
    /// Reads the rows of `data_range.sql`.
    pub(super) fn read_with_counts(rows: &Rows) -> Result<Vec<Self>, engine::Error> {
        rows.read(|row| Ok(Self { activities: Some(row.get("activities")?), ..Self::from_row(row)? }))
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

/// Requests the first and last local time for which each timeline has data. Data are activities with a duration, and
/// hours for which only the tracker's hourly totals exist.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DataRangeRequest;

/// The dates with data.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DataRange {
    /// First local time of any timeline.
    pub start: Option<String>,
    /// Last local time of any timeline.
    pub end: Option<String>,
    /// When any device was first actively used.
    pub active_start: Option<String>,
    /// When any device was last actively used.
    pub active_end: Option<String>,
    /// One entry per timeline, also for timelines without activities.
    pub timelines: Vec<TimelineRange>,
}

pub(super) static DATA_RANGE: Statement = statement!(queries / "data_range");

static ACTIVE_RANGE: Statement = statement!(queries / "active_range");

impl Request for DataRangeRequest {
    type Service = Engine;
    type Response = DataRange;

    async fn execute(self, engine: &Engine) -> Result<DataRange, Error> {
        let [rows, active] =
            run_statements(engine, [(&DATA_RANGE, Arguments::new()), (&ACTIVE_RANGE, Arguments::new())]).await?;
        let active = active.first()?;
        let first = rows.read(|row| row.get_optional("first_local"))?.into_iter().flatten().min();
        let last = rows.read(|row| row.get_optional("last_local"))?.into_iter().flatten().max();
        Ok(DataRange {
            start: first.map(format_iso),
            end: last.map(format_iso),
            active_start: active.get_optional("first_active")?.map(format_iso),
            active_end: active.get_optional("last_active")?.map(format_iso),
            timelines: TimelineRange::read_with_counts(&rows)?,
        })
    }
}

/// Requests the first and last local time of each timeline. While the database doesn't change, repeated requests don't
/// read rows again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HistoryBoundsRequest;

/// The dates of every timeline.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct HistoryBounds {
    /// One entry per timeline, in order of id.
    pub timelines: Vec<TimelineRange>,
}

impl HistoryBounds {
    /// Returns the first and the last local day with data, or `None` for an empty history.
    pub fn days(&self) -> Option<(NaiveDate, NaiveDate)> {
        let time = |time: &String| time.parse::<NaiveDateTime>().ok();
        let first = self.first_day(None)?;
        let end = self.timelines.iter().filter_map(|timeline| time(timeline.dates.end.as_ref()?)).max()?;
        // An activity that ends at the start of a day has no time on the day that begins then.
        let last = LocalDays::current().day_of(end.checked_sub_signed(TimeDelta::seconds(1))?);
        // If the history starts and ends at the same start of a day, the last second is on the day before the first.
        Some((first, last.max(first)))
    }

    /// Returns the first local day for which `device` has data. If `device` is `None`, the data of every device counts.
    pub(crate) fn first_day(&self, device: Option<&str>) -> Option<NaiveDate> {
        let timelines = self.timelines.iter().filter(|timeline| device.is_none_or(|device| timeline.device == device));
        let starts = timelines.filter_map(|timeline| timeline.dates.start.as_ref()?.parse::<NaiveDateTime>().ok());
        Some(LocalDays::current().day_of(starts.min()?))
    }

    /// Returns the range of whole days that contains the history.
    pub(crate) fn range(&self) -> Option<DateRange> {
        let (first, last) = self.days()?;
        DateRange::new(DateRange::day(first).start(), DateRange::day(last).end(), "").ok()
    }
}

static HISTORY_BOUNDS: Statement = statement!(queries / "history_bounds");

impl Request for HistoryBoundsRequest {
    type Service = Engine;
    type Response = HistoryBounds;

    async fn execute(self, engine: &Engine) -> Result<HistoryBounds, Error> {
        let [rows] = run_statements(engine, [(&HISTORY_BOUNDS, Arguments::new())]).await?;
        Ok(HistoryBounds { timelines: rows.read(TimelineRange::from_row)? })
    }
}
