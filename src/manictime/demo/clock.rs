//! Instants as ManicTime stores them, and the wall clock of the demo's home.
//!
//! Every instant is a UTC second with the offset that the wall clock had, so that local and UTC text can both be
//! written from it. Days and sessions are planned on UTC: at a clock change no second is lost or invented.

use chrono::{DateTime, Datelike, Days, NaiveDate, NaiveDateTime};

use super::Error;

pub(super) const HOUR: i64 = 3_600;
pub(super) const DAY: i64 = 24 * HOUR;

/// An instant: seconds since 1970 in UTC, and the seconds by which the local clock is ahead of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// Seconds since 1970-01-01 00:00:00 UTC.
    pub utc: i64,
    /// Local minus UTC, in seconds.
    pub offset: i64,
}

impl Moment {
    /// Reads a local time `yyyy-MM-dd HH:mm:ss` at `offset_minutes` ahead of UTC.
    ///
    /// Fails with [`Error::Time`] when the text is no such time.
    pub fn local(text: &str, offset_minutes: i64) -> Result<Self, Error> {
        let local = NaiveDateTime::parse_from_str(text, "%Y-%m-%d %H:%M:%S")
            .map_err(|_| Error::Time { text: text.to_owned() })?;
        let offset = offset_minutes * 60;
        Ok(Self { utc: local.and_utc().timestamp() - offset, offset })
    }

    /// Returns the seconds since 1970-01-01 00:00:00 on the local clock.
    pub const fn local_seconds(self) -> i64 {
        self.utc + self.offset
    }
}

/// The time from a start to an end, each with its own offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// When it starts.
    pub start: Moment,
    /// When it ends, exclusive.
    pub end: Moment,
}

impl Span {
    /// Reads local start and end, both at `offset_minutes` ahead of UTC. An end before its start is taken as it is.
    ///
    /// Fails with [`Error::Time`].
    pub fn local(start: &str, end: &str, offset_minutes: i64) -> Result<Self, Error> {
        Self::across(start, offset_minutes, end, offset_minutes)
    }

    /// Reads local start and end with an offset each, in minutes ahead of UTC: an activity across a clock change.
    ///
    /// Fails with [`Error::Time`].
    pub fn across(start: &str, start_offset: i64, end: &str, end_offset: i64) -> Result<Self, Error> {
        Ok(Self { start: Moment::local(start, start_offset)?, end: Moment::local(end, end_offset)? })
    }

    /// Returns the length in seconds, measured on UTC.
    pub const fn seconds(self) -> i64 {
        self.end.utc - self.start.utc
    }
}

/// Writes seconds since 1970 as `yyyy-MM-dd HH:mm:ss`, the shape of every time in a history.
pub(super) fn stamp(seconds: i64) -> String {
    let second_of_day = seconds.rem_euclid(DAY);
    let date = date_of(seconds.div_euclid(DAY));
    let mut text = String::with_capacity(19);
    let year = i64::from(date.year());
    push_two(&mut text, year / 100);
    push_two(&mut text, year % 100);
    text.push('-');
    push_two(&mut text, i64::from(date.month()));
    text.push('-');
    push_two(&mut text, i64::from(date.day()));
    text.push(' ');
    push_two(&mut text, second_of_day / HOUR);
    text.push(':');
    push_two(&mut text, second_of_day / 60 % 60);
    text.push(':');
    push_two(&mut text, second_of_day % 60);
    text
}

/// Four times are written for every row: `format!` with a width took most of the time of writing a history.
fn push_two(text: &mut String, number: i64) {
    for digit in [number / 10 % 10, number % 10] {
        text.push(u8::try_from(digit).map_or('0', |digit| char::from(b'0' + digit)));
    }
}

/// Returns the date of a day number counted from 1970-01-01.
pub(super) fn date_of(day: i64) -> NaiveDate {
    DateTime::from_timestamp(day.saturating_mul(DAY), 0).unwrap_or_default().date_naive()
}

/// Returns the number of a date's day counted from 1970-01-01.
pub(super) fn day_number(date: NaiveDate) -> i64 {
    i64::from(date.to_epoch_days())
}

/// The wall clock of central Europe: UTC+1, and UTC+2 from the last Sunday of March to that of October, 01:00 UTC.
#[derive(Debug)]
pub(super) struct WallClock {
    /// When the offset changes, and to what, in order.
    changes: Vec<(i64, i64)>,
}

impl WallClock {
    /// The clock for the years that the two dates span.
    pub(super) fn between(first: NaiveDate, last: NaiveDate) -> Self {
        let changes = (first.year() - 1..=last.year() + 1)
            .flat_map(|year| [(year, 3, 2 * HOUR), (year, 10, HOUR)])
            .filter_map(|(year, month, offset)| Some((day_number(last_sunday(year, month)?) * DAY + HOUR, offset)))
            .collect();
        Self { changes }
    }

    /// Returns the instant with the offset of the wall clock.
    pub(super) fn at(&self, utc: i64) -> Moment {
        let passed = self.changes.partition_point(|(change, _)| *change <= utc);
        let offset = passed.checked_sub(1).and_then(|last| self.changes.get(last)).map_or(HOUR, |(_, offset)| *offset);
        Moment { utc, offset }
    }

    /// Returns the UTC second at which a local day begins. The clock never changes at midnight here.
    pub(super) fn midnight(&self, date: NaiveDate) -> i64 {
        let local = day_number(date) * DAY;
        local - self.at(local - HOUR).offset
    }
}

/// Returns the last Sunday of a month with 31 days.
pub(super) fn last_sunday(year: i32, month: u32) -> Option<NaiveDate> {
    let last = NaiveDate::from_ymd_opt(year, month, 31)?;
    last.checked_sub_days(Days::new(u64::from(last.weekday().num_days_from_sunday())))
}
