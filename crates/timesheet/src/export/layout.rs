//! Placeholder times of day for hours, which are stored without times.
//!
//! The parts of a day follow each other from 09:00 in the order in which they were logged. If they wouldn't end before
//! midnight, they start as many whole hours earlier as needed. A day of more than 23 hours starts at 00:00. Anything
//! beyond 24 hours starts again at 00:00 of the same day and overlaps, so that the sum of the day stays right.

use std::collections::BTreeMap;

use chrono::NaiveDate;

use crate::apportion::divide_evenly;
use crate::entry::TimeEntry;
use crate::hours::Hours;

/// Seconds in a hundredth of an hour.
const HUNDREDTH: i64 = 36;
const HOUR: i64 = 3600;
const DAY: i64 = 24 * HOUR;
/// The default start of a day.
const MORNING: i64 = 9 * HOUR;

/// An interval of one day.
#[derive(Debug, Clone, Copy)]
pub(super) struct Session<'e> {
    pub(super) entry: &'e TimeEntry,
    pub(super) day: NaiveDate,
    /// The number of this interval within the entry's day, from 1. Only a day beyond 24 hours has more than one.
    pub(super) number: i64,
    /// The start, in seconds of the day.
    pub(super) start: i64,
    /// The exclusive end, in seconds of the day, at most 24 hours. An entry without hours ends when it starts.
    pub(super) end: i64,
}

/// Returns the sessions of the entries, day by day.
pub(super) fn sessions(entries: &[TimeEntry]) -> impl Iterator<Item = Session<'_>> {
    parts_by_day(entries).into_iter().flat_map(|(day, parts)| {
        let mut clock = start_second(parts.iter().map(seconds).sum());
        parts.into_iter().flat_map(move |part| {
            let (from, until) = (clock, clock + seconds(&part));
            clock = until % DAY;
            split_at_midnight(from, until).map(move |(number, start, end)| Session {
                entry: part.entry,
                day,
                number,
                start,
                end,
            })
        })
    })
}

/// Returns the start of a day with this many seconds.
fn start_second(total: i64) -> i64 {
    let latest = (DAY - 1 - total).max(0) / HOUR * HOUR;
    latest.min(MORNING)
}

/// Splits the interval at each midnight and moves each part to the first day, with its number.
fn split_at_midnight(from: i64, until: i64) -> impl Iterator<Item = (i64, i64, i64)> {
    let last = (until - 1).max(from) / DAY;
    (0..=last).map(move |round| {
        let midnight = round * DAY;
        (round + 1, from.max(midnight) - midnight, until.min(midnight + DAY) - midnight)
    })
}

fn seconds(part: &DayPart<'_>) -> i64 {
    part.hours.hundredths().saturating_mul(HUNDREDTH)
}

/// Returns the description, preceded by the ticket unless the description contains it.
pub(super) fn entry_text(issue: Option<&str>, description: Option<&str>) -> String {
    match (issue.filter(|text| !text.is_empty()), description.filter(|text| !text.is_empty())) {
        (Some(issue), Some(description)) if !description.contains(issue) => format!("{issue}: {description}"),
        (Some(issue), None) => issue.to_owned(),
        (_, description) => description.unwrap_or_default().to_owned(),
    }
}

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
