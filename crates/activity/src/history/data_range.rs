//! The first and last date with data.

use schemars::JsonSchema;
use serde::Serialize;
use serde_with::skip_serializing_none;

use crate::TimelineRange;
use dayledger_engine::{Arguments, Engine, Statement, statement};
use dayledger_request::{Error, Request, format_iso, run_statements};

/// Requests the first and last local time with data of each timeline. The data are its activities with a duration,
/// and hours for which only the tracker's hourly totals exist.
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
