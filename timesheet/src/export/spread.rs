//! Entries day by day.

use std::iter;

use chrono::NaiveDate;

use crate::apportion::evenly;
use crate::entry::TimeEntry;
use crate::hours::Hours;

/// The part of an entry that is on one day.
#[derive(Debug, Clone, Copy)]
pub(super) struct Part<'e> {
    pub(super) entry: &'e TimeEntry,
    /// Zero only where the entry has no hours at all, which has one part.
    pub(super) hours: Hours,
}

/// The days that have a part of an entry, in the order of time; those of a day in the order in which they were booked.
pub(super) fn by_day(entries: &[TimeEntry]) -> impl Iterator<Item = (NaiveDate, Vec<Part<'_>>)> {
    let mut waiting: Vec<_> = entries.iter().collect();
    waiting.sort_by_key(|entry| (entry.start_date, entry.created_at, entry.id));
    let mut waiting = waiting.into_iter().peekable();
    let mut open: Vec<Spread<'_>> = Vec::new();
    let mut next: Option<NaiveDate> = None;
    iter::from_fn(move || {
        let day = if open.is_empty() { waiting.peek()?.start_date.date() } else { next? };
        while let Some(entry) = waiting.next_if(|entry| entry.start_date.date() == day) {
            open.push(Spread::of(entry));
        }
        open.sort_by_key(|spread| (spread.entry.created_at, spread.entry.id));
        let parts = open.iter_mut().map(Spread::next).collect();
        open.retain(|spread| spread.behind < spread.parts);
        next = day.succ_opt();
        Some((day, parts))
    })
}

/// An entry on its way through its days.
struct Spread<'e> {
    entry: &'e TimeEntry,
    /// Hundredths of an hour of each day.
    hundredths: i64,
    /// How many days, from the first, have one more.
    more: i64,
    /// How many days have any.
    parts: i64,
    /// How many of them are behind.
    behind: i64,
}

impl<'e> Spread<'e> {
    fn of(entry: &'e TimeEntry) -> Self {
        let days = (entry.completion_date.date() - entry.start_date.date()).num_days() + 1;
        let (hundredths, more) = evenly(entry.total_hours().hundredths().max(0), days);
        let parts = if hundredths > 0 { days } else { more };
        Self { entry, hundredths, more, parts, behind: 0 }
    }

    fn next(&mut self) -> Part<'e> {
        let hundredths = self.hundredths + i64::from(self.behind < self.more);
        self.behind += 1;
        Part { entry: self.entry, hours: Hours::from_hundredths(hundredths) }
    }
}
