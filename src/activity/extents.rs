//! The dates of every timeline without any counting: cheap enough to be asked at every key stroke or tick.

use chrono::{NaiveDate, NaiveDateTime};
use schemars::JsonSchema;
use serde::Serialize;

use super::Role;
use crate::engine::{Arguments, Engine, Statement};
use crate::question::{Error, Question, ask, iso};

/// Asks for the timelines and their first and last local time. On an unchanged file no row is read again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExtentsRequest;

/// The dates of every timeline.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Extents {
    /// One entry per timeline, in order of id.
    pub timelines: Vec<TimelineExtent>,
}

/// The dates of one timeline.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TimelineExtent {
    /// `Ar_Timeline.ReportId`.
    pub timeline_id: i64,
    /// What it holds.
    pub role: Role,
    /// The device that recorded it.
    pub device: String,
    /// First local time that an activity or an hour with totals tells, ISO 8601 without offset; absent where none does.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub start: Option<String>,
    /// Last local time that one tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub end: Option<String>,
}

impl Extents {
    /// Returns the first and the last local day that hold data; `None` for an empty history.
    pub fn days(&self) -> Option<(NaiveDate, NaiveDate)> {
        let day = |time: &String| time.parse::<NaiveDateTime>().ok().map(|time| time.date());
        let first = self.timelines.iter().filter_map(|timeline| day(timeline.start.as_ref()?)).min()?;
        let last = self.timelines.iter().filter_map(|timeline| day(timeline.end.as_ref()?)).max()?;
        Some((first, last))
    }
}

static EXTENTS: Statement =
    Statement { name: "extents", parameters: &[], sql: include_str!("../../sql/queries/extents.sql") };

impl Question for ExtentsRequest {
    type Of = Engine;
    type Answer = Extents;

    async fn answer(self, engine: &Engine) -> Result<Extents, Error> {
        let [rows] = ask(engine, [(&EXTENTS, Arguments::none())]).await?;
        let timelines = rows.read(|row| {
            Ok(TimelineExtent {
                timeline_id: row.required("timeline_id")?,
                role: Role::of(&row.required::<String>("role")?),
                device: row.required("device")?,
                start: row.optional("first_local")?.map(iso),
                end: row.optional("last_local")?.map(iso),
            })
        })?;
        Ok(Extents { timelines })
    }
}
