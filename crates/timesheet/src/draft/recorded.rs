//! Finds the recorded time during work whose start and end the user stated. This time becomes the evidence of the
//! work's entries.

use std::ops::Range;

use super::row::used_items;
use super::work::ActiveTime;
use super::{DraftInput, UsedItem};
use crate::entry::Evidence;
use crate::logged::evidence_spans;
use crate::span::{Span, split_by_covers};

/// The recorded time in a period, except for time that is already evidence of an entry.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RecordedTime {
    /// The recorded intervals, in time order.
    pub evidence: Vec<Evidence>,
    /// The files, sites and applications used in the recorded time, the longest used first.
    pub known_by: Vec<UsedItem>,
}

impl RecordedTime {
    /// Returns the total length of the intervals in seconds.
    pub fn seconds(&self) -> i64 {
        self.evidence.iter().map(|interval| interval.end_utc - interval.start_utc).sum()
    }
}

/// Returns the active time and the tagged time away from the computer in each of `times`. Time that is already evidence
/// of an entry is left out. `times` are in seconds since 1970, UTC, and their ends are exclusive. If a second is in
/// several of `times`, it counts only for the first. Projects from tags and rules are ignored, because the user stated
/// the project.
pub fn recorded_times(input: &DraftInput<'_>, times: &[Range<i64>]) -> Vec<RecordedTime> {
    let active = ActiveTime::new(input.periods, input.names, input.memory);
    let start = active.spans.first().map_or(0, |span| span.start);
    let end = active.spans.last().map_or(0, |span| span.end);
    let (_, mut free) = split_by_covers(&active.spans, &evidence_spans(input.entries, start, end));
    let recorded = times.iter().map(|time| {
        let cover = Span { start: time.start, end: time.end, of: 0 };
        let covers = if time.is_empty() { &[][..] } else { std::slice::from_ref(&cover) };
        let (taken, rest) = split_by_covers(&free, covers);
        free = rest;
        let taken: Vec<_> = taken.into_iter().map(|(span, _)| span).collect();
        RecordedTime { evidence: active.evidence(&taken), known_by: used_items(&active, &taken) }
    });
    recorded.collect()
}
