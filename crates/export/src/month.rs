//! Calendar months, and the months of a range.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use chrono::{Datelike, Months, NaiveDate, NaiveDateTime};
use dayledger_core::local_days::LocalDays;

/// A calendar month of local days, written `2025-01`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Month {
    first: NaiveDate,
}

impl Month {
    /// Returns the month of `date`.
    pub fn from_date(date: NaiveDate) -> Self {
        Self { first: date.with_day(1).unwrap_or(date) }
    }

    /// Returns the first day.
    pub fn first_day(self) -> NaiveDate {
        self.first
    }

    /// Returns the following month.
    #[must_use]
    pub fn next(self) -> Self {
        Self { first: self.first.checked_add_months(Months::new(1)).unwrap_or(NaiveDate::MAX) }
    }

    /// Returns the preceding month.
    #[must_use]
    pub fn previous(self) -> Self {
        Self::from_date(self.first.pred_opt().unwrap_or(NaiveDate::MIN))
    }

    /// Returns the months that overlap `range`, in order. Each month comes with the part of the range that is in the
    /// month.
    pub(super) fn split(range: &Range<NaiveDateTime>) -> Vec<(Self, Range<NaiveDateTime>)> {
        let mut parts = Vec::new();
        let days = LocalDays::current();
        let mut month = Self::from_date(days.day_of(range.start));
        while days.start_of(month.first) < range.end && month.first < NaiveDate::MAX {
            let whole = days.start_of(month.first)..days.start_of(month.next().first);
            parts.push((month, whole.start.max(range.start)..whole.end.min(range.end)));
            month = month.next();
        }
        parts
    }
}

impl fmt::Display for Month {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.first.format("%Y-%m"))
    }
}

impl FromStr for Month {
    type Err = chrono::ParseError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(Self { first: NaiveDate::parse_from_str(&format!("{text}-01"), "%Y-%m-%d")? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_is_split_into_calendar_months() {
        let at = |text: &str| text.parse::<NaiveDate>().unwrap().and_time(chrono::NaiveTime::MIN);
        let parts = Month::split(&(at("2024-12-30")..at("2025-02-01")));
        let actual: Vec<_> =
            parts.iter().map(|(month, part)| format!("{month} {} {}", part.start.date(), part.end.date())).collect();
        assert_eq!(actual, ["2024-12 2024-12-30 2025-01-01", "2025-01 2025-01-01 2025-02-01"]);
        assert_eq!("2025-01".parse::<Month>().unwrap(), parts[1].0);
        assert!("2025-13".parse::<Month>().is_err());
    }
}
