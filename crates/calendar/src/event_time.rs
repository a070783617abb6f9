//! Parses the dates, times and durations of a calendar file.

use chrono::{Datelike, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta, Timelike};
use jiff::Span;

use super::zone::Zone;

/// The years in which events are read. A tracker's history doesn't contain other years.
const YEARS: std::ops::RangeInclusive<i32> = 1900..=9998;

/// A date or time as a file contains it. It doesn't have a zone yet.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum ParsedTime {
    Date(NaiveDate),
    Utc(NaiveDateTime),
    /// A local time. The file specifies its zone separately.
    Local(NaiveDateTime),
}

impl ParsedTime {
    /// Parses a date or time such as `20261124`, `20261124T093000` or `20261124T083000Z`.
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

    /// Assigns a local time to `zone`. Dates and UTC times stay unchanged.
    pub(super) fn in_zone(self, zone: &Zone) -> EventTime {
        match self {
            Self::Date(date) => EventTime::Date(date),
            Self::Utc(utc) => EventTime::Time(utc, Zone::UTC),
            Self::Local(wall) => EventTime::Time(wall, zone.clone()),
        }
    }
}

/// Parses a local time such as `20261124T093000`, in any year.
pub(super) fn parse_wall_clock(text: &str) -> Option<NaiveDateTime> {
    // RFC 5545 allows the second 60. `chrono` reads it as second 59 with additional nanoseconds, which are removed
    // here.
    NaiveDateTime::parse_from_str(text.trim(), "%Y%m%dT%H%M%S").ok()?.with_nanosecond(0)
}

/// A date or time of an event, with its zone.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum EventTime {
    /// A date, which is the same in every zone.
    Date(NaiveDate),
    /// A local time in a zone.
    Time(NaiveDateTime, Zone),
}

impl EventTime {
    /// Returns the date in the zone of this time.
    pub(super) fn date(&self) -> NaiveDate {
        self.wall().date()
    }

    /// Returns the local time in the zone of this time. For a date, returns midnight.
    pub(super) fn wall(&self) -> NaiveDateTime {
        match self {
            Self::Date(date) => date.and_time(NaiveTime::MIN),
            Self::Time(wall, _) => *wall,
        }
    }

    /// Returns the local time `wall` in the same zone. For a date, returns the date of `wall`.
    pub(super) fn with_wall(&self, wall: NaiveDateTime) -> Self {
        match self {
            Self::Date(_) => Self::Date(wall.date()),
            Self::Time(_, zone) => Self::Time(wall, zone.clone()),
        }
    }

    /// Returns the zone of the time. For a date, returns `home`.
    pub(super) fn zone<'z>(&'z self, home: &'z Zone) -> &'z Zone {
        match self {
            Self::Date(_) => home,
            Self::Time(_, zone) => zone,
        }
    }

    /// Returns the time in UTC. For a date, returns midnight in `home`, converted to UTC.
    pub(super) fn utc(&self, home: &Zone) -> NaiveDateTime {
        self.zone(home).to_utc(self.wall())
    }
}

/// A duration (RFC 5545, 3.3.6): a number of calendar days and an exact duration in addition. A calendar day can be
/// shorter or longer than 24 hours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Length {
    days: TimeDelta,
    time: TimeDelta,
}

impl Length {
    /// Creates a duration of calendar days.
    pub(super) fn from_days(days: TimeDelta) -> Self {
        Self { days, time: TimeDelta::zero() }
    }

    /// Creates an exact duration, which is the same on every day.
    pub(super) fn from_time(time: TimeDelta) -> Self {
        Self { days: TimeDelta::zero(), time }
    }

    /// Returns the approximate duration, in which each day has 24 hours.
    pub(super) fn approximate(self) -> TimeDelta {
        self.days.checked_add(&self.time).unwrap_or(TimeDelta::MAX)
    }

    /// Returns the UTC end of an event that begins at `start`.
    pub(super) fn end_of(self, start: &EventTime, home: &Zone) -> Option<NaiveDateTime> {
        let after_days = start.zone(home).to_utc(start.wall().checked_add_signed(self.days)?);
        after_days.checked_add_signed(self.time)
    }
}

/// Parses a duration such as `PT1H30M`, `P1D` or `P2W`. Returns `None` if the duration is zero, negative or invalid.
pub(super) fn parse_length(text: &str) -> Option<Length> {
    let text = text.trim().trim_start_matches('+');
    // `jiff` also accepts formats that are invalid here, such as `1h 30m` and negative durations.
    let span: Span = if text.starts_with('P') { text.parse().ok()? } else { return None };
    let days = i64::from(span.get_weeks()) * 7 + i64::from(span.get_days());
    let time = [i64::from(span.get_hours()) * 3600, span.get_minutes() * 60, span.get_seconds()].iter().sum();
    let length = Length { days: TimeDelta::try_days(days)?, time: TimeDelta::try_seconds(time)? };
    // RFC 5545 doesn't allow years or months in a duration, because their length depends on the date.
    let has_months = span.get_years() != 0 || span.get_months() != 0;
    Some(length).filter(|length| !has_months && length.approximate() > TimeDelta::zero())
}
