//! Lists the timelines of the history.

use schemars::JsonSchema;
use serde::Serialize;
use serde_with::skip_serializing_none;

use super::dates::{DATA_RANGE, TimelineDates, TimelineRange};
use crate::Role;
use crate::codes;
use dayledger_engine as engine;
use dayledger_engine::{Arguments, Engine, Rows, Statement, statement};
use dayledger_request::{Error, Request, Truncate, Truncation, run_statements};

/// Requests all timelines with their roles (docs/spec/time.md#roles).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimelinesRequest;

/// All timelines of the history.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Timelines {
    /// The timelines, in order of id.
    pub timelines: Vec<Timeline>,
    /// Present if timelines were left out.
    pub truncation: Option<Truncation>,
}

/// One timeline.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Timeline {
    /// Id of the timeline. Pass it to `get_activities` as `timelineId`.
    pub id: i64,
    /// Name that the user gave the timeline. Absent for automatic timelines.
    pub name: Option<String>,
    /// The tracker's type of the timeline.
    pub schema_name: String,
    /// Kind of the timeline.
    pub role: Role,
    /// The device that recorded the timeline.
    pub device: String,
}

pub(super) static TIMELINES: Statement = statement!(queries / "timelines");

impl Request for TimelinesRequest {
    type Service = Engine;
    type Response = Timelines;

    async fn execute(self, engine: &Engine) -> Result<Timelines, Error> {
        let [rows] = run_statements(engine, [(&TIMELINES, Arguments::new())]).await?;
        Ok(Timelines { timelines: read(&rows)?, truncation: None })
    }
}

impl Truncate for Timelines {
    fn rows(&self) -> usize {
        self.timelines.len()
    }

    fn keep(&mut self, rows: usize) {
        if rows < self.timelines.len() {
            let mut truncation = Truncation::new(self.timelines.len(), self.timelines.len());
            truncation.keep(rows);
            self.truncation = Some(truncation);
            self.timelines.truncate(rows);
        }
    }
}

fn read(rows: &Rows) -> Result<Vec<Timeline>, engine::Error> {
    rows.read(|row| {
        Ok(Timeline {
            id: row.get("timeline_id")?,
            name: row.get_optional("name")?,
            schema_name: row.get("schema_name")?,
            role: Role::from_name(&row.get::<String>("role")?),
            device: row.get("device")?,
        })
    })
}

/// Requests one timeline with its dates.
///
/// Fails with `UNKNOWN_TIMELINE` if the history does not contain the timeline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimelineRequest {
    /// The id of the timeline.
    pub timeline_id: i64,
}

/// One timeline with its dates.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TimelineDetails {
    /// The timeline.
    #[serde(flatten)]
    pub timeline: Timeline,
    /// Number of activities.
    pub activities: i64,
    /// Start and end of the timeline.
    #[serde(flatten)]
    pub dates: TimelineDates,
}

impl Request for TimelineRequest {
    type Service = Engine;
    type Response = TimelineDetails;

    async fn execute(self, engine: &Engine) -> Result<TimelineDetails, Error> {
        let [timelines, extents] =
            run_statements(engine, [(&TIMELINES, Arguments::new()), (&DATA_RANGE, Arguments::new())]).await?;
        let timelines = read(&timelines)?;
        let known: Vec<i64> = timelines.iter().map(|timeline| timeline.id).collect();
        let timeline = timelines.into_iter().find(|timeline| timeline.id == self.timeline_id);
        let extent =
            TimelineRange::read_with_counts(&extents)?.into_iter().find(|range| range.timeline_id == self.timeline_id);
        let (Some(timeline), Some(extent)) = (timeline, extent) else {
            return Err(unknown_timeline(self.timeline_id, &known));
        };
        Ok(TimelineDetails { timeline, activities: extent.activities.unwrap_or_default(), dates: extent.dates })
    }
}

/// Returns the error for a timeline that the history does not contain.
pub(super) fn unknown_timeline(timeline_id: i64, known: &[i64]) -> Error {
    Error::with_field(
        codes::UNKNOWN_TIMELINE,
        "timelineId",
        format!("unknown timeline {timeline_id}"),
        "pass the `id` of a timeline from `get_timelines`",
    )
    .with_allowed(known.iter().map(i64::to_string))
}
