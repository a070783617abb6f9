//! Parses dates, times and durations.

use chrono::{Datelike, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta, Timelike};
use jiff::Span;

use super::zone::Zone;

/// The years that are read. A history doesn't contain others.
const YEARS: std::ops::RangeInclusive<i32> = 1900..=9998;

/// A date or time of a file, not yet converted to a zone.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum ParsedTime {
    Date(NaiveDate),
    Utc(NaiveDateTime),
    /// A local time, whose zone is written elsewhere.
    Local(NaiveDateTime),
}

impl ParsedTime {
    /// Parses `20261124`, `20261124T093000` or `20261124T083000Z`.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        if text.len() == 8 {
            let date = NaiveDate::parse_from_str(text, "%Y%m%d").ok()?;
            return YEARS.contains(&date.year()).then_some(Self::Date(date));
        }
        let (wall, is_utc) = text.strip_suffix(['Z', 'z']).map_or((text, false), |wall| (wall, true));
        let wall = parse_wall_clock(wall).filter(|wall| YEARS.contains(&wall.year()))?;
        Some(if is_utc { Self::Utc(wall) } else { Self::Local(wall) })
    }

    /// Returns the time, in `zone` if it is a local time.
    pub(super) fn in_zone(self, zone: &Zone) -> EventTime {
        match self {
            Self::Date(date) => EventTime::Date(date),
            Self::Utc(utc) => EventTime::Time(utc, Zone::UTC),
            Self::Local(wall) => EventTime::Time(wall, zone.clone()),
        }
    }
}

/// Parses a local time such as `20261124T093000`, of any year.
pub(super) fn parse_wall_clock(text: &str) -> Option<NaiveDateTime> {
    // `chrono` reads second 60, which RFC 5545 allows, as second 59 with more than a second of nanoseconds.
    NaiveDateTime::parse_from_str(text.trim(), "%Y%m%dT%H%M%S").ok()?.with_nanosecond(0)
}

/// The time of an event.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum EventTime {
    /// A date, which applies in every zone.
    Date(NaiveDate),
    /// A local time in a zone.
    Time(NaiveDateTime, Zone),
}

impl EventTime {
    /// Returns the date by its own clock.
    pub(super) fn date(&self) -> NaiveDate {
        self.wall().date()
    }

    /// Returns the local time by its own clock, or midnight for a date.
    pub(super) fn wall(&self) -> NaiveDateTime {
        match self {
            Self::Date(date) => date.and_time(NaiveTime::MIN),
            Self::Time(wall, _) => *wall,
        }
    }

    /// Returns another time by the same clock.
    pub(super) fn with_wall(&self, wall: NaiveDateTime) -> Self {
        match self {
            Self::Date(_) => Self::Date(wall.date()),
            Self::Time(_, zone) => Self::Time(wall, zone.clone()),
        }
    }

    /// Returns its zone, or `home` for a date.
    pub(super) fn zone<'z>(&'z self, home: &'z Zone) -> &'z Zone {
        match self {
            Self::Date(_) => home,
            Self::Time(_, zone) => zone,
        }
    }

    /// Returns the UTC time. For a date, this is midnight in `home`.
    pub(super) fn utc(&self, home: &Zone) -> NaiveDateTime {
        self.zone(home).to_utc(self.wall())
    }
}

/// A duration: calendar days of any length, then exact time (RFC 5545, 3.3.6).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Length {
    days: TimeDelta,
    time: TimeDelta,
}

impl Length {
    /// Returns a duration in calendar days.
    pub(super) fn from_days(days: TimeDelta) -> Self {
        Self { days, time: TimeDelta::zero() }
    }

    /// Returns a duration in seconds, which doesn't depend on the calendar.
    pub(super) fn from_time(time: TimeDelta) -> Self {
        Self { days: TimeDelta::zero(), time }
    }

    /// Returns the approximate duration, with 24 hours per day.
    pub(super) fn approximate(self) -> TimeDelta {
        self.days.checked_add(&self.time).unwrap_or(TimeDelta::MAX)
    }

    /// Returns the end in UTC of an event that begins at `start`.
    pub(super) fn end_of(self, start: &EventTime, home: &Zone) -> Option<NaiveDateTime> {
        let after_days = start.zone(home).to_utc(start.wall().checked_add_signed(self.days)?);
        after_days.checked_add_signed(self.time)
    }
}

/// Parses a duration such as `PT1H30M`, `P1D` or `P2W`. Returns `None` if it is not greater than zero.
pub(super) fn parse_length(text: &str) -> Option<Length> {
    let text = text.trim().trim_start_matches('+');
    // `jiff` also reads its own format, such as `1h 30m`, and negative durations. Neither is valid here.
    let span: Span = if text.starts_with('P') { text.parse().ok()? } else { return None };
    let days = i64::from(span.get_weeks()) * 7 + i64::from(span.get_days());
    let time = [i64::from(span.get_hours()) * 3600, span.get_minutes() * 60, span.get_seconds()].iter().sum();
    let length = Length { days: TimeDelta::try_days(days)?, time: TimeDelta::try_seconds(time)? };
    // RFC 5545 has no years or months in durations, because their length depends on the date.
    let has_months = span.get_years() != 0 || span.get_months() != 0;
    Some(length).filter(|length| !has_months && length.approximate() > TimeDelta::zero())
}
