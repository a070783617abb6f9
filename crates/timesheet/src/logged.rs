//! Logged entries with their evidence.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use crate::entry::{Evidence, TimeEntry};
use crate::hours::Hours;
use crate::id::EntryId;
use crate::span::{Span, resolve_overlaps};

/// Seconds in a hundredth of an hour.
const HUNDREDTH: i64 = 36;

/// An entry with its evidence. The evidence is empty unless the entry was drafted from a history.
#[derive(Debug, Clone, Copy)]
pub struct LoggedEntry<'e> {
    /// The entry.
    pub entry: &'e TimeEntry,
    /// All active time that the entry covers, including time outside of the queried range.
    pub evidence: &'e [Evidence],
}

/// The entries that a query for days and a time range found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LoggedEntries {
    /// The entries.
    pub entries: Vec<TimeEntry>,
    /// The evidence of each entry that has evidence, in time order. Evidence outside of the queried range is included.
    pub evidence: BTreeMap<EntryId, Vec<Evidence>>,
}

impl LoggedEntries {
    /// Returns each entry with its evidence.
    pub fn entries_with_evidence(&self) -> Vec<LoggedEntry<'_>> {
        let of = |entry: &TimeEntry| self.evidence.get(&entry.id).map_or(&[][..], Vec::as_slice);
        self.entries.iter().map(|entry| LoggedEntry { entry, evidence: of(entry) }).collect()
    }
}

impl LoggedEntry<'_> {
    /// Returns the regular and overtime hours in seconds.
    pub(crate) fn seconds(&self) -> i64 {
        seconds(self.entry.total_hours())
    }

    /// Compares two entries by the time of logging, and then by id.
    pub(crate) fn compare_creation(&self, other: &Self) -> Ordering {
        let key = |entry: &TimeEntry| (entry.created_at, entry.id);
        key(self.entry).cmp(&key(other.entry))
    }
}

/// Converts hours to seconds. Negative hours become zero.
pub(crate) fn seconds(hours: Hours) -> i64 {
    hours.hundredths().max(0).saturating_mul(HUNDREDTH)
}

/// Returns the evidence that overlaps `[start, end)`, without clipping it to that range. A second that is evidence of
/// several entries is assigned to the first of these entries.
pub(crate) fn evidence_spans(entries: &[LoggedEntry<'_>], start: i64, end: i64) -> Vec<Span> {
    resolve_overlaps(entries.iter().enumerate().flat_map(|(of, logged)| {
        let near = logged.evidence.iter().filter(move |interval| interval.start_utc < end && interval.end_utc > start);
        near.map(move |interval| Span { start: interval.start_utc, end: interval.end_utc, of })
    }))
}
