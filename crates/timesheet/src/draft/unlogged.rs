//! Active time that no entry covers, as intervals instead of rows.

use super::DraftInput;
use super::cover::compute_coverage;
use super::names::Target;
use super::work::ActiveTime;
use crate::day::Day;

/// An active interval that no entry covers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnloggedTime {
    /// The local date.
    pub day: Day,
    /// The start in seconds since 1970, UTC.
    pub start_utc: i64,
    /// The exclusive end in seconds since 1970, UTC.
    pub end_utc: i64,
    /// The target that a draft would suggest, if any.
    pub target: Option<Target>,
    /// The foreground application, unless it is redacted.
    pub application: Option<String>,
    /// The device that recorded the interval.
    pub device: Option<String>,
}

/// Returns the active time of a range that no entry covers. It is the time that a draft from the same input drafts or
/// skips, with each second counted once. Intervals are in time order, and adjacent intervals that are otherwise equal
/// are merged.
pub fn unlogged_time(input: &DraftInput<'_>) -> Vec<UnloggedTime> {
    let active = ActiveTime::new(input.periods, input.names, input.memory);
    let mut unlogged: Vec<UnloggedTime> = Vec::new();
    for span in compute_coverage(&active, input).free {
        let work = active.work(span);
        let next = UnloggedTime {
            day: work.period.day,
            start_utc: span.start,
            end_utc: span.end,
            target: work.target.clone(),
            application: work.period.application.clone(),
            device: work.period.device.clone(),
        };
        match unlogged.last_mut().filter(|last| last.is_continued_by(&next)) {
            Some(last) => last.end_utc = next.end_utc,
            None => unlogged.push(next),
        }
    }
    unlogged
}

impl UnloggedTime {
    /// Whether `next` begins at the end of this interval and is otherwise equal.
    fn is_continued_by(&self, next: &Self) -> bool {
        self.end_utc == next.start_utc
            && self.day == next.day
            && self.target == next.target
            && self.application == next.application
            && self.device == next.device
    }
}
