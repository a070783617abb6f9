//! Logged entries with their evidence.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use crate::entry::{Evidence, TimeEntry};
use crate::hours::Hours;
use crate::id::EntryId;
use crate::span::{Span, resolve_overlaps};

/// Seconds in a hundredth of an hour.
const HUNDREDTH: i64 = 36;

/// An entry with its evidence, which is empty unless it was drafted from a history.
#[derive(Debug, Clone, Copy)]
pub struct LoggedEntry<'e> {
    /// The entry.
    pub entry: &'e TimeEntry,
    /// The active time that it covers, without regard to any range.
    pub evidence: &'e [Evidence],
}

/// The entries of some days or some time.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LoggedEntries {
    /// The entries.
    pub entries: Vec<TimeEntry>,
    /// The complete evidence of those that have any, in time order.
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
    /// Returns the total hours in seconds.
    pub(crate) fn seconds(&self) -> i64 {
        seconds(self.entry.total_hours())
    }

    /// Compares by the order of logging.
    pub(crate) fn compare_creation(&self, other: &Self) -> Ordering {
        let key = |entry: &TimeEntry| (entry.created_at, entry.id);
        key(self.entry).cmp(&key(other.entry))
    }
}

/// Converts hours to seconds. Negative hours count as zero.
pub(crate) fn seconds(hours: Hours) -> i64 {
    hours.hundredths().max(0).saturating_mul(HUNDREDTH)
}

/// Returns the evidence that overlaps `[start, end)`, unclipped. Each second appears once, for the first entry that
/// has it.
pub(crate) fn evidence_spans(entries: &[LoggedEntry<'_>], start: i64, end: i64) -> Vec<Span> {
    resolve_overlaps(entries.iter().enumerate().flat_map(|(of, logged)| {
        let near = logged.evidence.iter().filter(move |interval| interval.start_utc < end && interval.end_utc > start);
        near.map(move |interval| Span { start: interval.start_utc, end: interval.end_utc, of })
    }))
}
