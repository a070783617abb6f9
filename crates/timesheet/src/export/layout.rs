//! Assigns times of day to hours, because entries don't contain times.
//!
//! An entry that was drafted from activity gets its recorded times, see [`recorded_times`]. The other entries of a day
//! get placeholder times: they follow each other from 09:00 in the order in which they were logged. If the placeholder
//! times wouldn't end before midnight, they start earlier by as many whole hours as needed. If they last more than 23
//! hours, they start at 00:00. Hours beyond 24 start again at 00:00 of the same day and overlap the earlier hours, so
//! that the sum of the day stays correct.

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
/// The text that marks an entry with placeholder times.
pub(super) const NO_TIMES: &str = "time of day not recorded";
/// The default start of the placeholder times of a day, 09:00.
const MORNING: i64 = 9 * HOUR;

/// An interval of an entry on one day.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Session<'e> {
    pub(crate) entry: &'e TimeEntry,
    pub(crate) day: NaiveDate,
    /// The number of this interval among the intervals of the entry on this day, starting at 1.
    pub(crate) number: i64,
    /// The start, in seconds since the midnight at which the date of the day starts. If days don't start at midnight,
    /// the start can be on the date before or after.
    pub(crate) start: i64,
    /// The exclusive end, in seconds since the same midnight. An entry without hours ends when it starts.
    pub(crate) end: i64,
    /// The UTC offset in seconds, if the time was recorded. `None` for a placeholder time.
    pub(crate) utc_offset: Option<i64>,
}

impl Session<'_> {
    /// Returns the date on which the session starts. It can differ from the day if days don't start at midnight.
    pub(crate) fn start_date(&self) -> NaiveDate {
        let date = match self.start.div_euclid(DAY) {
            0 => Some(self.day),
            days if days > 0 => self.day.checked_add_days(Days::new(days.unsigned_abs())),
            days => self.day.checked_sub_days(Days::new(days.unsigned_abs())),
        };
        date.unwrap_or(self.day)
    }
}

/// Returns the sessions of the entries, day by day. On each day, sessions with recorded times come first, ordered by
/// start. Sessions with placeholder times follow.
pub(crate) fn sessions<'e>(entries: &[LoggedEntry<'e>]) -> impl Iterator<Item = Session<'e>> {
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

/// Assigns placeholder times to the parts of a day, one after the other.
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

/// Returns the start of the placeholder times, in seconds of the day, if they last `total` seconds.
fn start_second(total: i64) -> i64 {
    let latest = (DAY - 1 - total).max(0) / HOUR * HOUR;
    latest.min(MORNING)
}

/// Splits an interval at each midnight and moves every part to the first day. Returns the number, start and end of each
/// part.
fn split_at_midnight(from: i64, until: i64) -> impl Iterator<Item = (i64, i64, i64)> {
    let last = (until - 1).max(from) / DAY;
    (0..=last).map(move |round| {
        let midnight = round * DAY;
        (round + 1, from.max(midnight) - midnight, until.min(midnight + DAY) - midnight)
    })
}

/// Returns the description of an entry. The ticket precedes the description unless the description contains the ticket.
pub(super) fn entry_text(issue: Option<&str>, description: Option<&str>) -> String {
    match (issue.filter(|text| !text.is_empty()), description.filter(|text| !text.is_empty())) {
        (Some(issue), Some(description)) if !description.contains(issue) => format!("{issue}: {description}"),
        (Some(issue), None) => issue.to_owned(),
        (_, description) => description.unwrap_or_default().to_owned(),
    }
}

/// The part of an entry on one day.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DayPart<'e> {
    pub(crate) logged: LoggedEntry<'e>,
    /// The hours on this day. They are zero only if the entry has no hours. Such an entry has only one part.
    pub(crate) hours: Hours,
}

/// Returns the parts of the entries by day. The parts of a day are in the order in which the entries were logged.
pub(crate) fn parts_by_day<'e>(entries: &[LoggedEntry<'e>]) -> BTreeMap<NaiveDate, Vec<DayPart<'e>>> {
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
