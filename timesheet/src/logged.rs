//! Entries that are logged already, with the time that they stand for.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use crate::entry::TimeEntry;
use crate::evidence::Evidence;
use crate::hours::Hours;
use crate::id::EntryId;
use crate::span::{Span, foremost};

/// Seconds of a hundredth of an hour.
const HUNDREDTH: i64 = 36;

/// An entry with its evidence, of which one that was not drafted from a history has none.
#[derive(Debug, Clone, Copy)]
pub struct Logged<'e> {
    /// The entry.
    pub entry: &'e TimeEntry,
    /// The active time that it covers, inside and outside of any range.
    pub evidence: &'e [Evidence],
}

impl<'e> Logged<'e> {
    /// Entries, each with its evidence of those that there is.
    pub fn each(entries: &'e [TimeEntry], evidence: &'e BTreeMap<EntryId, Vec<Evidence>>) -> Vec<Self> {
        let of = |entry: &TimeEntry| evidence.get(&entry.id).map_or(&[][..], Vec::as_slice);
        entries.iter().map(|entry| Self { entry, evidence: of(entry) }).collect()
    }

    /// All its hours, in seconds.
    pub(crate) fn seconds(&self) -> i64 {
        seconds(self.entry.total_hours())
    }

    /// The one that was booked first comes first.
    pub(crate) fn precedence(&self, other: &Self) -> Ordering {
        let key = |entry: &TimeEntry| (entry.created_at, entry.id);
        key(self.entry).cmp(&key(other.entry))
    }
}

/// That many hours, in seconds.
pub(crate) fn seconds(hours: Hours) -> i64 {
    hours.hundredths().max(0).saturating_mul(HUNDREDTH)
}

/// The seconds of the evidence that has a second of `[start, end)`, whole, each once and for the entry that comes first.
pub(crate) fn evidence(entries: &[Logged<'_>], start: i64, end: i64) -> Vec<Span> {
    foremost(entries.iter().enumerate().flat_map(|(of, logged)| {
        let near = logged.evidence.iter().filter(move |stretch| stretch.start_utc < end && stretch.end_utc > start);
        near.map(move |stretch| Span { start: stretch.start_utc, end: stretch.end_utc, of })
    }))
}
