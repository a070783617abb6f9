//! Which dates hold data.

use schemars::JsonSchema;
use serde::Serialize;
use serde_with::skip_serializing_none;

use super::TimelineRange;
use crate::engine::{Arguments, Engine, Statement, statement};
use crate::question::{Error, Question, ask, iso};

/// Asks for the first and last local time of which every timeline can tell something: of its activities that have an
/// extent, and of hours that only `ManicTime`'s hourly totals tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DataRangeRequest;

/// The dates that hold data.
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
    /// One entry per timeline, also for those that hold no activities.
    pub timelines: Vec<TimelineRange>,
}

pub(super) static DATA_RANGE: Statement = statement!(queries / "data_range");

static ACTIVE_RANGE: Statement = statement!(queries / "active_range");

impl Question for DataRangeRequest {
    type Of = Engine;
    type Answer = DataRange;

    async fn answer(self, engine: &Engine) -> Result<DataRange, Error> {
        let [rows, active] =
            ask(engine, [(&DATA_RANGE, Arguments::none()), (&ACTIVE_RANGE, Arguments::none())]).await?;
        let active = active.one()?;
        let first = rows.read(|row| row.optional("first_local"))?.into_iter().flatten().min();
        let last = rows.read(|row| row.optional("last_local"))?.into_iter().flatten().max();
        Ok(DataRange {
            start: first.map(iso),
            end: last.map(iso),
            active_start: active.optional("first_active")?.map(iso),
            active_end: active.optional("last_active")?.map(iso),
            timelines: TimelineRange::counted(&rows)?,
        })
    }
}
