//! Splitting of entries into days.

use std::collections::BTreeMap;

use chrono::NaiveDate;

use crate::apportion::divide_evenly;
use crate::entry::TimeEntry;
use crate::hours::Hours;

/// The part of an entry on one day.
#[derive(Debug, Clone, Copy)]
pub(super) struct DayPart<'e> {
    pub(super) entry: &'e TimeEntry,
    /// Zero only if the entry has no hours at all. Such an entry has one part.
    pub(super) hours: Hours,
}

/// Returns the parts of the entries by day, in the order in which they were logged.
pub(super) fn parts_by_day(entries: &[TimeEntry]) -> BTreeMap<NaiveDate, Vec<DayPart<'_>>> {
    let mut logged: Vec<_> = entries.iter().collect();
    logged.sort_by_key(|entry| (entry.created_at, entry.id));
    let mut by_day: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for entry in logged {
        let last = entry.completion_date.max(entry.start_date);
        let days = (last.date() - entry.start_date.date()).num_days() + 1;
        let (each, more) = divide_evenly(entry.total_hours().hundredths().max(0), days);
        let parts = if each > 0 { days } else { more.max(1) };
        for (place, day) in (0..parts).zip(entry.start_date.days_through(last)) {
            let hours = Hours::from_hundredths(each + i64::from(place < more));
            by_day.entry(day.date()).or_default().push(DayPart { entry, hours });
        }
    }
    by_day
}
