//! Two clocks: UTC for durations, and the wall clock of a device for dates (docs/spec/time.md#local-time-and-utc).

use std::fmt;
use std::ops::Range;

use chrono::DateTime;

/// The time of clock changes, 2026-11-01 01:00 UTC: near the end of a month.
pub(super) const CHANGE: i64 = 1_793_494_800;

pub(super) const MINUTE: i64 = 60;
pub(super) const HOUR: i64 = 3_600;
pub(super) const DAY: i64 = 24 * HOUR;

/// A wall clock: how many minutes it is ahead of UTC before the change, and from then on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Zone {
    before: i64,
    after: i64,
}

impl Zone {
    pub(super) const STEADY: Self = Self::new(120, 120);
    /// Clocks go back an hour at 3:00, as in Berlin.
    pub(super) const BACK: Self = Self::new(120, 60);
    /// Clocks go forward an hour at 2:00.
    pub(super) const FORWARD: Self = Self::new(60, 120);
    /// Clocks go back from midnight to 23:00, as in Havana or on the Azores.
    pub(super) const BACK_AT_MIDNIGHT: Self = Self::new(-60, -120);
    /// Clocks go forward from midnight to 1:00, as in Beirut.
    pub(super) const FORWARD_AT_MIDNIGHT: Self = Self::new(-60, 0);
    /// Clocks go back half an hour, as on Lord Howe.
    pub(super) const HALF_AN_HOUR_BACK: Self = Self::new(660, 630);
    /// Clocks go forward half an hour.
    pub(super) const HALF_AN_HOUR_FORWARD: Self = Self::new(630, 660);
    /// A flight from Tokyo to New York.
    pub(super) const WESTWARD: Self = Self::new(540, -240);
    /// A flight from New York to Tokyo.
    pub(super) const EASTWARD: Self = Self::new(-240, 540);
    /// A clock that is not on whole hours.
    pub(super) const KATHMANDU: Self = Self::new(345, 345);

    const fn new(before: i64, after: i64) -> Self {
        Self { before, after }
    }

    /// The time on both clocks at a second of UTC.
    pub(super) const fn at(self, utc: i64) -> Instant {
        let offset = if utc < CHANGE { self.before } else { self.after };
        Instant { utc, local: utc + offset * MINUTE }
    }
}

/// The time on both clocks, in seconds since 1970.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Instant {
    pub(super) utc: i64,
    pub(super) local: i64,
}

impl Instant {
    /// The time on a clock `seconds` later, without a clock change.
    const fn later(self, seconds: i64) -> Self {
        Self { utc: self.utc + seconds, local: self.local + seconds }
    }
}

impl fmt::Debug for Instant {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} ({}Z)", text(self.local), text(self.utc))
    }
}

/// An interval with its own clock: its local start and its seconds. Its end keeps the local time from the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct LocalInterval {
    pub(super) start: Instant,
    pub(super) end: Instant,
}

impl LocalInterval {
    /// The length, measured in UTC.
    pub(super) const fn seconds(self) -> i64 {
        self.end.utc - self.start.utc
    }

    /// Its seconds of UTC.
    pub(super) const fn utc(self) -> Range<i64> {
        self.start.utc..self.end.utc
    }

    /// The part between two seconds of UTC, split by the interval's own clock.
    pub(super) const fn between(self, start: i64, end: i64) -> Self {
        Self {
            start: if start == self.start.utc { self.start } else { self.start.later(start - self.start.utc) },
            end: if end == self.end.utc { self.end } else { self.start.later(end - self.start.utc) },
        }
    }

    /// The part within a local range on the interval's own clock, if any. An end that would be outside of the range has
    /// the time of this clock.
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

    /// The local time that the interval's own clock doesn't reach: if clocks went back by up to an hour, the end of the
    /// hour of its end. Time after that counts in this hour (decision 0005).
    fn limit(self) -> i64 {
        let back = self.start.local + self.seconds() - self.end.local;
        if (1..=HOUR).contains(&back) { (self.end.local.div_euclid(HOUR) + 1) * HOUR } else { i64::MAX }
    }

    /// The parts on each local day, or in each local hour, by the interval's own clock.
    pub(super) fn split_by(self, unit: i64) -> Vec<(i64, Self)> {
        let first = self.start.local.div_euclid(unit) * unit;
        let units = (0..).map(|number| first + number * unit);
        let touched = units.take_while(|unit| *unit < self.start.local + self.seconds());
        touched.filter_map(|start| Some((start, self.clip(&(start..start + unit))?))).collect()
    }
}

/// `2026-11-01T02:30:00`.
pub(super) fn text(seconds: i64) -> String {
    DateTime::from_timestamp(seconds, 0).unwrap().format("%Y-%m-%dT%H:%M:%S").to_string()
}

/// `2026-11-01`.
pub(super) fn date(seconds: i64) -> String {
    text(seconds)[..10].to_owned()
}
