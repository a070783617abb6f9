//! Entries that are logged already, with the time that they stand for.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use crate::entry::TimeEntry;
use crate::evidence::Evidence;
use crate::hours::Hours;
use crate::id::EntryId;
use crate::span::{Span, resolve_overlaps};

/// Seconds of a hundredth of an hour.
const HUNDREDTH: i64 = 36;

/// An entry with its evidence, of which one that was not drafted from a history has none.
#[derive(Debug, Clone, Copy)]
pub struct LoggedEntry<'e> {
    /// The entry.
    pub entry: &'e TimeEntry,
    /// The active time that it covers, inside and outside of any range.
    pub evidence: &'e [Evidence],
}

/// What was logged on some days or for some time.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LoggedEntries {
    /// The entries.
    pub entries: Vec<TimeEntry>,
    /// The evidence of those that have any, all of it, in the order of time.
    pub evidence: BTreeMap<EntryId, Vec<Evidence>>,
}

impl LoggedEntries {
    /// Each entry with its evidence.
    pub fn entries_with_evidence(&self) -> Vec<LoggedEntry<'_>> {
        let of = |entry: &TimeEntry| self.evidence.get(&entry.id).map_or(&[][..], Vec::as_slice);
        self.entries.iter().map(|entry| LoggedEntry { entry, evidence: of(entry) }).collect()
    }
}

impl LoggedEntry<'_> {
    /// All its hours, in seconds.
    pub(crate) fn seconds(&self) -> i64 {
        seconds(self.entry.total_hours())
    }

    /// The one that was logged first comes first.
    pub(crate) fn compare_creation(&self, other: &Self) -> Ordering {
        let key = |entry: &TimeEntry| (entry.created_at, entry.id);
        key(self.entry).cmp(&key(other.entry))
    }
}

/// That many hours, in seconds.
pub(crate) fn seconds(hours: Hours) -> i64 {
    hours.hundredths().max(0).saturating_mul(HUNDREDTH)
}

/// The seconds of the evidence that has a second of `[start, end)`, whole, each once and for the entry that comes first.
pub(crate) fn evidence_spans(entries: &[LoggedEntry<'_>], start: i64, end: i64) -> Vec<Span> {
    resolve_overlaps(entries.iter().enumerate().flat_map(|(of, logged)| {
        let near = logged.evidence.iter().filter(move |interval| interval.start_utc < end && interval.end_utc > start);
        near.map(move |interval| Span { start: interval.start_utc, end: interval.end_utc, of })
    }))
}
