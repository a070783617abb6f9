//! The start of local days and weeks. The date of a local time isn't always its day. For example, if a user works late,
//! an evening can continue after midnight and still belong to the day before (docs/spec/time.md#days-and-weeks).
//!
//! Start with [`LocalDays`]. Like the time zone of this computer, one setting applies to the whole process:
//! [`LocalDays::current`] returns it (docs/decisions/0018-one-start-of-days.md). A date is the name of a day, and
//! [`LocalDays::start_of`] returns the time at which the day starts.

use std::fmt;
use std::str::FromStr;
use std::sync::{PoisonError, RwLock};

use chrono::{Datelike, Days, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta, Weekday};
use serde::{Deserialize, Serialize};
use serde_with::{DeserializeFromStr, SerializeDisplay};

/// Days start at most this many minutes before or after midnight, so that noon always belongs to its own date.
const MAX_MINUTES: i32 = 12 * 60;

/// The time at which a local day starts, in whole minutes since the midnight at which its date starts. It is at most
/// twelve hours before or after midnight. The default is midnight.
///
/// The text is `04:00` for four hours after midnight, and `-02:00` for two hours before.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, SerializeDisplay, DeserializeFromStr)]
pub struct DayStart(i32);

/// The text isn't a start of days.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("invalid start of the day `{0}`: use hours and minutes from `-12:00` to `12:00`, such as `04:00`")]
pub struct InvalidDayStart(String);

impl DayStart {
    /// Creates the start from minutes since midnight. Returns `None` if they are out of range.
    pub fn from_minutes(minutes: i32) -> Option<Self> {
        (-MAX_MINUTES..=MAX_MINUTES).contains(&minutes).then_some(Self(minutes))
    }

    /// Returns the seconds from midnight to the start. Negative before midnight.
    pub fn seconds(self) -> i64 {
        i64::from(self.0) * 60
    }

    /// Returns the start for a sentence: `midnight`, or a time such as `04:00`.
    pub fn describe(self) -> String {
        if self.is_midnight() { "midnight".to_owned() } else { self.to_string() }
    }

    /// Whether days start at midnight.
    pub fn is_midnight(&self) -> bool {
        self.0 == 0
    }
}

impl FromStr for DayStart {
    type Err = InvalidDayStart;

    fn from_str(text: &str) -> Result<Self, InvalidDayStart> {
        let read = || {
            let (sign, time) = text.strip_prefix('-').map_or((1, text), |time| (-1, time));
            let (hours, minutes) = time.split_once(':')?;
            let number = |digits: &str, most: i32| {
                let is_number = (1..=2).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
                digits.parse::<i32>().ok().filter(|number| is_number && *number <= most)
            };
            let minutes = number(minutes, 59).filter(|_| minutes.len() == 2)?;
            Self::from_minutes(sign * (number(hours, 12)? * 60 + minutes))
        };
        // Control characters of a setting could change the terminal.
        read().ok_or_else(|| InvalidDayStart(text.chars().take(20).filter(|c| !c.is_control()).collect()))
    }
}

impl fmt::Display for DayStart {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (sign, minutes) = (if self.0 < 0 { "-" } else { "" }, self.0.abs());
        write!(out, "{sign}{:02}:{:02}", minutes / 60, minutes % 60)
    }
}

/// The start of local days and weeks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct LocalDays {
    /// The time at which a day starts.
    pub day_start: DayStart,
    /// The first day of a week. Weeks with a number, such as `2025-W03`, always start on Monday, as in ISO 8601.
    pub week_start: Weekday,
}

impl Default for LocalDays {
    /// Returns days that start at midnight, and weeks that start on Monday.
    fn default() -> Self {
        Self::MIDNIGHT
    }
}

/// The setting of this process.
static CURRENT: RwLock<LocalDays> = RwLock::new(LocalDays::MIDNIGHT);

impl LocalDays {
    const MIDNIGHT: Self = Self { day_start: DayStart(0), week_start: Weekday::Mon };

    /// Returns the setting of this process [default: midnight and Monday].
    pub fn current() -> Self {
        *CURRENT.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes this the setting of this process. A program calls it before it parses dates or creates an engine.
    pub fn make_current(self) {
        *CURRENT.write().unwrap_or_else(PoisonError::into_inner) = self;
    }

    /// Returns the local time at which a day starts. The start of the next day is the exclusive end of the day.
    pub fn start_of(self, date: NaiveDate) -> NaiveDateTime {
        let midnight = date.and_time(NaiveTime::MIN);
        midnight.checked_add_signed(TimeDelta::seconds(self.day_start.seconds())).unwrap_or(midnight)
    }

    /// Returns the local time at which a day ends, exclusive.
    pub fn end_of(self, date: NaiveDate) -> NaiveDateTime {
        date.checked_add_days(Days::new(1)).map_or(NaiveDateTime::MAX, |next| self.start_of(next))
    }

    /// Returns the local time in a day at which the clock shows `time`. The result can be on the date before or after.
    pub fn time_in(self, date: NaiveDate, time: NaiveTime) -> NaiveDateTime {
        let start = self.start_of(date);
        let local = start.date().and_time(time);
        if local < start { local.checked_add_days(Days::new(1)).unwrap_or(local) } else { local }
    }

    /// Returns the day that contains a local time.
    pub fn day_of(self, local: NaiveDateTime) -> NaiveDate {
        local.checked_sub_signed(TimeDelta::seconds(self.day_start.seconds())).unwrap_or(local).date()
    }

    /// Whether a day starts at this local time.
    pub fn is_day_start(self, local: NaiveDateTime) -> bool {
        self.start_of(self.day_of(local)) == local
    }

    /// Returns the first day of the week that contains a day, or `None` beyond the calendar.
    pub fn first_of_week(self, date: NaiveDate) -> Option<NaiveDate> {
        date.checked_sub_days(Days::new(date.weekday().days_since(self.week_start).into()))
    }
}

/// Returns the English name of a weekday, such as `Monday`.
pub fn weekday_name(weekday: Weekday) -> &'static str {
    let names = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
    names[weekday.num_days_from_monday() as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn days(start: &str) -> LocalDays {
        LocalDays { day_start: start.parse().unwrap(), ..LocalDays::default() }
    }

    fn at(text: &str) -> NaiveDateTime {
        text.parse().unwrap()
    }

    #[test]
    fn text_of_a_start_is_read_and_written() {
        for (text, minutes) in [("00:00", 0), ("04:00", 240), ("-02:00", -120), ("-00:30", -30), ("12:00", 720)] {
            let start: DayStart = text.parse().unwrap();
            assert_eq!((start, start.to_string().as_str()), (DayStart(minutes), text));
        }
        assert_eq!("4:15".parse(), Ok(DayStart(255)));
    }

    #[test]
    fn invalid_starts_are_rejected() {
        for text in ["", "4", "04", "04:60", "12:01", "-12:01", "24:00", "4:5", "04:00:00", "+4:00", "4am", "--4:00"] {
            assert!(text.parse::<DayStart>().is_err(), "{text}");
        }
    }

    #[test]
    fn time_between_midnight_and_the_start_belongs_to_the_day_before() {
        let date = |text: &str| text.parse::<NaiveDate>().unwrap();
        let four = days("04:00");
        assert_eq!(four.day_of(at("2026-11-21T03:59:59")), date("2026-11-20"));
        assert_eq!(four.day_of(at("2026-11-21T04:00:00")), date("2026-11-21"));
        assert_eq!(four.start_of(date("2026-11-21")), at("2026-11-21T04:00:00"));
        assert!(four.is_day_start(at("2026-11-21T04:00:00")) && !four.is_day_start(at("2026-11-21T00:00:00")));
        let time = |text: &str| text.parse::<NaiveTime>().unwrap();
        assert_eq!(four.time_in(date("2026-11-20"), time("23:00:00")), at("2026-11-20T23:00:00"));
        assert_eq!(four.time_in(date("2026-11-20"), time("01:00:00")), at("2026-11-21T01:00:00"));
        let evening = days("-02:00");
        assert_eq!(evening.time_in(date("2026-11-21"), time("23:00:00")), at("2026-11-20T23:00:00"));
        assert_eq!(evening.day_of(at("2026-11-20T22:00:00")), date("2026-11-21"));
        assert_eq!(evening.start_of(date("2026-11-21")), at("2026-11-20T22:00:00"));
    }

    #[test]
    fn days_of_any_start_follow_each_other_without_a_gap() {
        for minutes in -MAX_MINUTES..=MAX_MINUTES {
            let days = LocalDays { day_start: DayStart(minutes), ..LocalDays::default() };
            let date = NaiveDate::from_ymd_opt(2026, 2, 28).unwrap();
            let (start, end) = (days.start_of(date), days.end_of(date));
            assert_eq!(end - start, TimeDelta::days(1));
            assert_eq!((days.day_of(start), days.day_of(end - TimeDelta::seconds(1))), (date, date));
            assert_ne!(days.day_of(end), date);
        }
    }

    #[test]
    fn a_week_starts_on_the_set_weekday() {
        let sunday = LocalDays { week_start: Weekday::Sun, ..LocalDays::default() };
        let friday = NaiveDate::from_ymd_opt(2026, 11, 20).unwrap();
        assert_eq!(sunday.first_of_week(friday), NaiveDate::from_ymd_opt(2026, 11, 15));
        assert_eq!(LocalDays::default().first_of_week(friday), NaiveDate::from_ymd_opt(2026, 11, 16));
    }

    #[test]
    fn the_limits_of_the_calendar_do_not_panic() {
        for start in ["12:00", "-12:00"] {
            let days = days(start);
            for date in [NaiveDate::MIN, NaiveDate::MAX] {
                let _ = (days.start_of(date), days.end_of(date), days.day_of(days.start_of(date)));
            }
        }
    }
}
