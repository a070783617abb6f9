//! Times of day for hours, which are stored without times.
//!
//! Hours that were drafted from activity are at their recorded times, see [`recorded_times`]. The others get placeholder
//! times: they follow each other from 09:00 in the order in which they were logged. If they wouldn't end before
//! midnight, they start as many whole hours earlier as needed. A day with more than 23 such hours starts at 00:00.
//! Anything beyond 24 hours starts again at 00:00 of the same day and overlaps, so that the sum of the day stays right.

use std::collections::BTreeMap;

use chrono::{Days, NaiveDate};
use dayledger_core::local_days::LocalDays;

use super::recorded::recorded_times;
use crate::apportion::divide_evenly;
use crate::entry::TimeEntry;
use crate::hours::Hours;
use crate::logged::{LoggedEntry, seconds};

const HOUR: i64 = 3600;
/// The seconds of a day without a clock change.
pub(super) const DAY: i64 = 24 * HOUR;
/// The mark of an entry with placeholder times.
pub(super) const NO_TIMES: &str = "time of day not recorded";
/// The default start of a day's placeholder times.
const MORNING: i64 = 9 * HOUR;

/// An interval of one day.
#[derive(Debug, Clone, Copy)]
pub(super) struct Session<'e> {
    pub(super) entry: &'e TimeEntry,
    pub(super) day: NaiveDate,
    /// The number of this interval within the entry's day, from 1.
    pub(super) number: i64,
    /// The start, in seconds from the midnight at which the date of the day starts. It can be on the date before or after
    /// if days don't start at midnight.
    pub(super) start: i64,
    /// The exclusive end, like the start. An entry without hours ends when it starts.
    pub(super) end: i64,
    /// The UTC offset in seconds of a recorded time. `None` if the time is a placeholder.
    pub(super) utc_offset: Option<i64>,
}

impl Session<'_> {
    /// Returns the date on which the session starts, which differs from the day if days don't start at midnight.
    pub(super) fn start_date(&self) -> NaiveDate {
        let date = match self.start.div_euclid(DAY) {
            0 => Some(self.day),
            days if days > 0 => self.day.checked_add_days(Days::new(days.unsigned_abs())),
            days => self.day.checked_sub_days(Days::new(days.unsigned_abs())),
        };
        date.unwrap_or(self.day)
    }
}

/// Returns the sessions of the entries, day by day: those at recorded times first, by start, then the others.
pub(super) fn sessions<'e>(entries: &[LoggedEntry<'e>]) -> impl Iterator<Item = Session<'e>> {
    let day_start = LocalDays::current().day_start.seconds();
    parts_by_day(entries).into_iter().flat_map(move |(day, parts)| {
        let (mut sessions, mut without) = (Vec::new(), Vec::new());
        for part in parts {
            let recorded = recorded_times(&part, day);
            if recorded.is_empty() {
                without.push(part);
            }
            sessions.extend((1..).zip(recorded).map(|(number, time)| Session {
                entry: part.logged.entry,
                day,
                number,
                start: day_start + time.start,
                end: day_start + time.start + time.length,
                utc_offset: Some(time.offset),
            }));
        }
        sessions.sort_by_key(|session| session.start);
        sessions.into_iter().chain(placeholders(day, without))
    })
}

/// Returns the parts of a day one after the other.
fn placeholders(day: NaiveDate, parts: Vec<DayPart<'_>>) -> impl Iterator<Item = Session<'_>> {
    let mut clock = start_second(parts.iter().map(|part| seconds(part.hours)).sum());
    parts.into_iter().flat_map(move |part| {
        let (from, until) = (clock, clock + seconds(part.hours));
        clock = until % DAY;
        split_at_midnight(from, until).map(move |(number, start, end)| Session {
            entry: part.logged.entry,
            day,
            number,
            start,
            end,
            utc_offset: None,
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
    pub(super) logged: LoggedEntry<'e>,
    /// Zero only if the entry has no hours at all. Such an entry has one part.
    pub(super) hours: Hours,
}

/// Returns the parts of the entries by day, in the order in which they were logged.
pub(super) fn parts_by_day<'e>(entries: &[LoggedEntry<'e>]) -> BTreeMap<NaiveDate, Vec<DayPart<'e>>> {
    let mut entries = entries.to_vec();
    entries.sort_by(LoggedEntry::compare_creation);
    let mut by_day: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for logged in entries {
        let entry = logged.entry;
        let last = entry.completion_date.max(entry.start_date);
        let days = (last.date() - entry.start_date.date()).num_days() + 1;
        let (each, more) = divide_evenly(entry.total_hours().hundredths().max(0), days);
        let parts = if each > 0 { days } else { more.max(1) };
        for (place, day) in (0..parts).zip(entry.start_date.days_through(last)) {
            let hours = Hours::from_hundredths(each + i64::from(place < more));
            by_day.entry(day.date()).or_default().push(DayPart { logged, hours });
        }
    }
    by_day
}
