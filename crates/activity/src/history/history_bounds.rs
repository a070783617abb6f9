//! First and last date of each timeline, without counting rows. Fast enough for every key press or timer tick.

use chrono::{NaiveDate, NaiveDateTime, TimeDelta};
use schemars::JsonSchema;
use serde::Serialize;

use crate::TimelineRange;
use dayledger_engine::{Arguments, Engine, Statement, statement};
use dayledger_request::{DateRange, Error, Request, run_statements};

/// Requests the timelines and their first and last local time. If the file hasn't changed, no rows are read again.
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
        // An activity that ends at midnight has no time on the day that begins then.
        let last = end.checked_sub_signed(TimeDelta::seconds(1))?.date();
        Some((first, last.max(first)))
    }
}

impl HistoryBounds {
    /// Returns the first local day with data, of one device or all.
    pub(crate) fn first_day(&self, device: Option<&str>) -> Option<NaiveDate> {
        let timelines = self.timelines.iter().filter(|timeline| device.is_none_or(|device| timeline.device == device));
        let starts = timelines.filter_map(|timeline| timeline.dates.start.as_ref()?.parse::<NaiveDateTime>().ok());
        Some(starts.min()?.date())
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
        Ok(HistoryBounds { timelines: TimelineRange::read_without_counts(&rows)? })
    }
}
