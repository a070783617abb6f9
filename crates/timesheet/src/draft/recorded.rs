//! The recorded time of work whose start and end the user stated, as evidence of its entries.

use std::ops::Range;

use super::row::used_items;
use super::work::ActiveTime;
use super::{DraftInput, UsedItem};
use crate::entry::Evidence;
use crate::logged::evidence_spans;
use crate::span::{Span, split_by_covers};

/// The recorded time in an interval that isn't evidence of an entry yet.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RecordedTime {
    /// Its intervals, in time order.
    pub evidence: Vec<Evidence>,
    /// The files, sites and applications of that time, longest first.
    pub known_by: Vec<UsedItem>,
}

impl RecordedTime {
    /// Returns the number of seconds.
    pub fn seconds(&self) -> i64 {
        self.evidence.iter().map(|interval| interval.end_utc - interval.start_utc).sum()
    }
}

/// Returns the active time, and the tagged time away, in each of `times` that isn't evidence of an entry yet. `times`
/// are in seconds since 1970, UTC, and their ends are exclusive. A second in several of them belongs to the first.
/// Projects of tags and rules don't matter, because the user stated the project of the work.
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
