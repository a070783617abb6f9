//! Times on two clocks: UTC for durations, and the local clock of a device for dates
//! (docs/spec/time.md#local-time-and-utc).

use std::fmt;
use std::ops::Range;

use chrono::DateTime;

/// The time of all clock changes, 2026-11-01 01:00 UTC. It is at the start of a month.
pub(super) const CHANGE: i64 = 1_793_494_800;

pub(super) const MINUTE: i64 = 60;
pub(super) const HOUR: i64 = 3_600;
pub(super) const DAY: i64 = 24 * HOUR;

/// A local clock: its UTC offset before the change, and after the change. In minutes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Zone {
    before: i64,
    after: i64,
}

impl Zone {
    pub(super) const STEADY: Self = Self::new(120, 120);
    /// The clock goes back an hour at 3:00, as in Berlin.
    pub(super) const BACK: Self = Self::new(120, 60);
    /// The clock goes forward an hour at 2:00.
    pub(super) const FORWARD: Self = Self::new(60, 120);
    /// The clock goes back from midnight to 23:00, as in Havana or on the Azores.
    pub(super) const BACK_AT_MIDNIGHT: Self = Self::new(-60, -120);
    /// The clock goes forward from midnight to 1:00, as in Beirut.
    pub(super) const FORWARD_AT_MIDNIGHT: Self = Self::new(-60, 0);
    /// The clock goes back half an hour, as on Lord Howe Island.
    pub(super) const HALF_AN_HOUR_BACK: Self = Self::new(660, 630);
    /// The clock goes forward half an hour.
    pub(super) const HALF_AN_HOUR_FORWARD: Self = Self::new(630, 660);
    /// The clock of a device on a flight from Tokyo to New York.
    pub(super) const WESTWARD: Self = Self::new(540, -240);
    /// The clock of a device on a flight from New York to Tokyo.
    pub(super) const EASTWARD: Self = Self::new(-240, 540);
    /// A clock whose UTC offset isn't a number of whole hours.
    pub(super) const KATHMANDU: Self = Self::new(345, 345);

    const fn new(before: i64, after: i64) -> Self {
        Self { before, after }
    }

    /// Returns the time on both clocks at a UTC second.
    pub(super) const fn at(self, utc: i64) -> Instant {
        let offset = if utc < CHANGE { self.before } else { self.after };
        Instant { utc, local: utc + offset * MINUTE }
    }
}

/// A time on both clocks, in seconds since 1970.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Instant {
    pub(super) utc: i64,
    pub(super) local: i64,
}

impl Instant {
    /// Returns the time on both clocks `seconds` later, as if the clock did not change in between.
    const fn later(self, seconds: i64) -> Self {
        Self { utc: self.utc + seconds, local: self.local + seconds }
    }
}

impl fmt::Debug for Instant {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} ({}Z)", text(self.local), text(self.utc))
    }
}

/// An interval that keeps the UTC offset of its start. Its end has the local time that the file contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct LocalInterval {
    pub(super) start: Instant,
    pub(super) end: Instant,
}

impl LocalInterval {
    /// Returns the length in seconds, measured in UTC.
    pub(super) const fn seconds(self) -> i64 {
        self.end.utc - self.start.utc
    }

    /// Returns the range of UTC seconds.
    pub(super) const fn utc(self) -> Range<i64> {
        self.start.utc..self.end.utc
    }

    /// Returns the part between two UTC seconds. Local times are computed with the UTC offset at the interval's start.
    pub(super) const fn between(self, start: i64, end: i64) -> Self {
        Self {
            start: if start == self.start.utc { self.start } else { self.start.later(start - self.start.utc) },
            end: if end == self.end.utc { self.end } else { self.start.later(end - self.start.utc) },
        }
    }

    /// Returns the part within a local range, or `None` if no part is within the range. The part is determined with the
    /// UTC offset at the interval's start. If the local time of the part's end is outside of the range, this local time
    /// is also computed with the offset.
    pub(super) fn clip(self, range: &Range<i64>) -> Option<Self> {
        let ahead = self.start.local - self.start.utc;
        let limit = self.limit();
        if range.start >= limit {
            return None;
        }
        let start = self.start.utc.max(range.start - ahead);
        let end = if range.end >= limit { self.end.utc } else { self.end.utc.min(range.end - ahead) };
        if start >= end {
            return None;
        }
        let mut part = self.between(start, end);
        if !(range.start..=range.end).contains(&part.end.local) {
            part.end.local = end + ahead;
        }
        Some(part)
    }

    /// Returns the local time at which the interval must end, computed with the UTC offset at the interval's start. If
    /// the clock went back by up to an hour during the interval, the result is the end of the hour that contains the
    /// interval's end. The interval's later time counts in that hour (decision 0005).
    fn limit(self) -> i64 {
        let back = self.start.local + self.seconds() - self.end.local;
        if (1..=HOUR).contains(&back) { (self.end.local.div_euclid(HOUR) + 1) * HOUR } else { i64::MAX }
    }

    /// Splits the interval into local units, such as days or hours. Uses the UTC offset at the interval's start.
    /// Returns the start of each unit with the part of the interval in this unit.
    pub(super) fn split_by(self, unit: i64) -> Vec<(i64, Self)> {
        let first = self.start.local.div_euclid(unit) * unit;
        let units = (0..).map(|number| first + number * unit);
        let touched = units.take_while(|unit| *unit < self.start.local + self.seconds());
        touched.filter_map(|start| Some((start, self.clip(&(start..start + unit))?))).collect()
    }
}

/// Formats a time as `2026-11-01T02:30:00`.
pub(super) fn text(seconds: i64) -> String {
    DateTime::from_timestamp(seconds, 0).unwrap().format("%Y-%m-%dT%H:%M:%S").to_string()
}

/// Formats the date of a time as `2026-11-01`.
pub(super) fn date(seconds: i64) -> String {
    text(seconds)[..10].to_owned()
}
