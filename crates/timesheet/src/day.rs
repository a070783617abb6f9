//! Calendar days and weeks, independent of clocks and time zones.

use std::fmt;
use std::str::FromStr;

use chrono::{Datelike, Days, NaiveDate, Weekday};
use serde_with::{DeserializeFromStr, SerializeDisplay};

use crate::schema::described_as;

/// A day of the years 0 to 9999. `YYYY-MM-DD` is the only accepted form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, SerializeDisplay, DeserializeFromStr)]
pub struct Day(NaiveDate);

described_as!(Day, NaiveDate);

/// The error for a text or date that isn't a valid day.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a date of the form YYYY-MM-DD")]
pub struct InvalidDay(String);

impl Day {
    /// Returns the day as a date of chrono, for calculations.
    pub const fn date(self) -> NaiveDate {
        self.0
    }

    /// Returns the days from this day to `last`, both included. The result is empty if `last` is earlier.
    pub fn days_through(self, last: Self) -> impl Iterator<Item = Self> {
        self.0.iter_days().take_while(move |date| *date <= last.0).map(Self)
    }
}

impl TryFrom<NaiveDate> for Day {
    type Error = InvalidDay;

    fn try_from(date: NaiveDate) -> Result<Self, InvalidDay> {
        if (0..=9999).contains(&date.year()) { Ok(Self(date)) } else { Err(InvalidDay(date.to_string())) }
    }
}

impl FromStr for Day {
    type Err = InvalidDay;

    fn from_str(text: &str) -> Result<Self, InvalidDay> {
        let is_strict = text.len() == 10
            && text.bytes().enumerate().all(|(place, byte)| match place {
                4 | 7 => byte == b'-',
                _ => byte.is_ascii_digit(),
            });
        let date = if is_strict { text.parse().ok() } else { None };
        date.map(Self).ok_or_else(|| InvalidDay(text.to_owned()))
    }
}

impl fmt::Display for Day {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, formatter)
    }
}

/// A week: seven days from any weekday on. An entry belongs to the week in which it starts. The text of a week that
/// starts on Monday is its number in ISO 8601, such as `2025-W43`. The text of another week is its first and last day,
/// such as `2025-10-19 to 2025-10-25`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Week {
    first: Day,
    last: Day,
}

/// The error for a text that isn't a valid week.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a week of the form YYYY-Www, such as 2025-W43")]
pub struct InvalidWeek(String);

impl Week {
    /// Returns the week that starts on a day. If it would end after the year 9999, it has only this day.
    pub fn from_first_day(first: Day) -> Self {
        let last = first.0.checked_add_days(Days::new(6)).and_then(|last| Day::try_from(last).ok());
        Self { first, last: last.unwrap_or(first) }
    }

    /// Returns the first day of the week.
    pub const fn first(self) -> Day {
        self.first
    }

    /// Returns the last day of the week.
    pub const fn last(self) -> Day {
        self.last
    }

    /// Whether the week has a number in ISO 8601. Only weeks that start on Monday have one.
    pub fn is_numbered(self) -> bool {
        self.first.0.weekday() == Weekday::Mon
    }
}

impl FromStr for Week {
    type Err = InvalidWeek;

    fn from_str(text: &str) -> Result<Self, InvalidWeek> {
        let named = || {
            let (year, week) = text.split_once("-W")?;
            let is_digits = |text: &str, length| text.len() == length && text.bytes().all(|byte| byte.is_ascii_digit());
            if !is_digits(year, 4) || !is_digits(week, 2) {
                return None;
            }
            let monday = NaiveDate::from_isoywd_opt(year.parse().ok()?, week.parse().ok()?, Weekday::Mon)?;
            Some(Self::from_first_day(Day::try_from(monday).ok()?))
        };
        named().ok_or_else(|| InvalidWeek(text.to_owned()))
    }
}

impl fmt::Display for Week {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.is_numbered() {
            return write!(formatter, "{} to {}", self.first, self.last);
        }
        let week = self.first.0.iso_week();
        write!(formatter, "{:04}-W{:02}", week.year(), week.week())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_date_format_is_accepted() {
        assert_eq!("2025-10-24".parse::<Day>().unwrap().to_string(), "2025-10-24");
        for text in
            ["2025-10-4", "2025-02-30", "20251024", "2025-10-24T00:00", "+2025-10-24", " 2025-10-24", "２025-10-2"]
        {
            assert_eq!(text.parse::<Day>(), Err(InvalidDay(text.to_owned())));
        }
    }

    #[test]
    fn only_a_week_from_monday_has_a_number() {
        for (first, last, text) in [
            ("2025-10-20", "2025-10-26", "2025-W43"),
            ("2024-12-30", "2025-01-05", "2025-W01"),
            ("2026-12-28", "2027-01-03", "2026-W53"),
            ("2025-10-19", "2025-10-25", "2025-10-19 to 2025-10-25"),
        ] {
            let week = Week::from_first_day(first.parse().unwrap());
            assert_eq!((week.first().to_string().as_str(), week.last().to_string().as_str()), (first, last));
            assert_eq!(week.to_string(), text);
            assert_eq!(text.parse().ok(), week.is_numbered().then_some(week));
        }
        for text in ["2025-W54", "2025-W53", "2025-43", "2025W43", "2025-W1"] {
            assert!(text.parse::<Week>().is_err(), "{text}");
        }
    }
}
