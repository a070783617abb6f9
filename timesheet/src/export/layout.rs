//! Times of the day for hours that have none.
//!
//! The parts of a day follow each other from 09:00, in the order in which they were logged, or from as many whole hours
//! earlier as it takes to end before midnight. A day of more than 23 hours starts at 00:00. What a day has beyond 24 hours
//! begins at 00:00 of the same day again, over what is there, so that the day keeps its sum.

use chrono::NaiveDate;

use super::spread::{DayPart, parts_by_day};
use crate::entry::TimeEntry;

/// Seconds of a hundredth of an hour.
const HUNDREDTH: i64 = 36;
const HOUR: i64 = 3600;
const DAY: i64 = 24 * HOUR;
/// When a day starts, if it does not have to start earlier.
const MORNING: i64 = 9 * HOUR;

/// A stretch of one day.
#[derive(Debug, Clone, Copy)]
pub(super) struct Session<'e> {
    pub(super) entry: &'e TimeEntry,
    pub(super) day: NaiveDate,
    /// The how many-th of the entry it is on that day, from 1: only beyond 24 hours there is more than one.
    pub(super) number: i64,
    /// The second of the day.
    pub(super) start: i64,
    /// The second that is not part of it any more, at most the 24 hours of the day. Entries without hours have a session
    /// that ends where it starts.
    pub(super) end: i64,
}

/// The sessions of the entries, day by day.
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

/// When a day of that many seconds starts.
fn start_second(total: i64) -> i64 {
    let latest = (DAY - 1 - total).max(0) / HOUR * HOUR;
    latest.min(MORNING)
}

/// The stretch, cut at each midnight and each piece put on the first day, with its number.
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

/// What was done, with the ticket before it where the description does not name it.
pub(super) fn entry_text(issue: Option<&str>, description: Option<&str>) -> String {
    match (issue.filter(|text| !text.is_empty()), description.filter(|text| !text.is_empty())) {
        (Some(issue), Some(description)) if !description.contains(issue) => format!("{issue}: {description}"),
        (Some(issue), None) => issue.to_owned(),
        (_, description) => description.unwrap_or_default().to_owned(),
    }
}
