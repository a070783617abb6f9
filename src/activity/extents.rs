//! The dates of every timeline without any counting: cheap enough to be asked at every key stroke or tick.

use chrono::{NaiveDate, NaiveDateTime, TimeDelta};
use schemars::JsonSchema;
use serde::Serialize;

use super::TimelineRange;
use crate::engine::{Arguments, Engine, Statement, statement};
use crate::question::{Error, Question, ask};

/// Asks for the timelines and their first and last local time. On an unchanged file no row is read again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExtentsRequest;

/// The dates of every timeline.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Extents {
    /// One entry per timeline, in order of id.
    pub timelines: Vec<TimelineRange>,
}

impl Extents {
    /// Returns the first and the last local day that hold data; `None` for an empty history.
    pub fn days(&self) -> Option<(NaiveDate, NaiveDate)> {
        let time = |time: &String| time.parse::<NaiveDateTime>().ok();
        let first = self.timelines.iter().filter_map(|timeline| time(timeline.dates.start.as_ref()?)).min()?.date();
        let end = self.timelines.iter().filter_map(|timeline| time(timeline.dates.end.as_ref()?)).max()?;
        // What ends at midnight holds nothing of the day that begins there.
        let last = end.checked_sub_signed(TimeDelta::seconds(1))?.date();
        Some((first, last.max(first)))
    }
}

static EXTENTS: Statement = statement!(queries / "extents");

impl Question for ExtentsRequest {
    type Of = Engine;
    type Answer = Extents;

    async fn answer(self, engine: &Engine) -> Result<Extents, Error> {
        let [rows] = ask(engine, [(&EXTENTS, Arguments::none())]).await?;
        Ok(Extents { timelines: TimelineRange::uncounted(&rows)? })
    }
}
