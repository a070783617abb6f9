//! Active time that no entry covers, as it was and not as rows.

use super::DraftInput;
use super::cover::compute_coverage;
use super::names::Target;
use super::work::ActiveTime;
use crate::day::Day;

/// A stretch of active time that no entry covers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnloggedTime {
    /// The local date.
    pub day: Day,
    /// In seconds since 1970, UTC.
    pub start_utc: i64,
    /// In seconds since 1970, UTC; not part of it.
    pub end_utc: i64,
    /// What a draft would log it on; none where nothing names a project.
    pub target: Option<Target>,
    /// The application in front; none where it is withheld.
    pub application: Option<String>,
    /// The device whose stretch it is.
    pub device: Option<String>,
}

/// The active time of a range that no entry covers: what a draft from the same input drafts or leaves out, each second
/// once. In the order of time; touching stretches that differ in nothing else are one.
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
    /// Whether `next` begins where this ends, and is the same otherwise.
    fn is_continued_by(&self, next: &Self) -> bool {
        self.end_utc == next.start_utc
            && self.day == next.day
            && self.target == next.target
            && self.application == next.application
            && self.device == next.device
    }
}
