//! Reads and writes complete local dates and times.

use chrono::{DateTime, Datelike, FixedOffset, NaiveDate, NaiveDateTime, NaiveTime, Timelike};
use datafusion::common::ScalarValue;

/// The number of seconds in a day.
pub(crate) const DAY: i64 = 86_400;

/// Converts the value of a local `Timestamp(Second)` to a local time. Returns `None` for a time that `chrono` can't
/// represent.
pub(crate) fn local_instant(seconds: i64) -> Option<NaiveDateTime> {
    Some(DateTime::from_timestamp(seconds, 0)?.naive_utc())
}

/// Converts a time to a value of the type `Timestamp(Second)`.
pub(crate) fn timestamp_value(instant: NaiveDateTime) -> ScalarValue {
    ScalarValue::TimestampSecond(Some(instant.and_utc().timestamp()), None)
}

/// Parses a local date such as `2025-01-15` (midnight), or a local date and time such as `2025-01-15T09:30`. Seconds
/// are optional, and a fraction of a second is dropped. A space can replace the `T`. Years must have four digits,
/// because some code compares dates as text. All years in a history have four digits.
///
/// Returns `None` for any other text. Texts with an offset or a time zone are also rejected, because ranges are local
/// (docs/spec/time.md#ranges).
pub(crate) fn parse_instant(text: &str) -> Option<NaiveDateTime> {
    const FORMATS: [&str; 4] = ["%Y-%m-%dT%H:%M:%S%.f", "%Y-%m-%d %H:%M:%S%.f", "%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M"];
    let date = NaiveDate::parse_from_str(text, "%Y-%m-%d").map(|date| date.and_time(NaiveTime::MIN));
    date.or_else(|error| {
        FORMATS.iter().find_map(|format| NaiveDateTime::parse_from_str(text, format).ok()).ok_or(error)
    })
    .ok()
    // `chrono` also accepts fewer digits, such as `25-1-5`. Every supported text has at least ten characters.
    .filter(|_| text.len() >= 10)
    .and_then(whole_second)
}

/// Parses a date and time with an offset, such as `2025-01-15T09:30:00+01:00` or `2025-01-15T08:30Z`. Drops fractions
/// of seconds.
pub(crate) fn parse_with_offset(text: &str) -> Option<DateTime<FixedOffset>> {
    const FORMATS: [&str; 4] =
        ["%Y-%m-%dT%H:%M:%S%.f%#z", "%Y-%m-%d %H:%M:%S%.f%#z", "%Y-%m-%dT%H:%M%#z", "%Y-%m-%d %H:%M%#z"];
    FORMATS.iter().find_map(|format| DateTime::parse_from_str(text, format).ok()).and_then(whole_second)
}

/// Drops the fraction of a second. Returns `None` for a year that a history can't contain. Also returns `None` for a
/// time that ends in `:60`, which `chrono` accepts as a leap second.
fn whole_second<T: Datelike + Timelike + Copy>(instant: T) -> Option<T> {
    let is_valid = (1..=9998).contains(&instant.year()) && instant.nanosecond() < 1_000_000_000;
    instant.with_nanosecond(0).filter(|_| is_valid)
}

/// Parses a time of day: `14:00` or `9:05:30`.
pub(crate) fn parse_time(text: &str) -> Option<NaiveTime> {
    ["%H:%M", "%H:%M:%S"]
        .iter()
        .find_map(|format| NaiveTime::parse_from_str(text, format).ok())
        // `chrono` also accepts blanks before the hour. It accepts `:60` as a leap second with 10⁹ nanoseconds or more.
        // This filter rejects both.
        .filter(|time| time.nanosecond() == 0 && text.starts_with(|first: char| first.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_and_local_times_are_accepted() {
        let midnight = NaiveDate::from_ymd_opt(2025, 1, 15).unwrap().and_time(NaiveTime::MIN);
        assert_eq!(parse_instant("2025-01-15"), Some(midnight));
        for text in ["2025-01-15T00:00", "2025-01-15 00:00:00", "2025-01-15T00:00:00.9"] {
            assert_eq!(parse_instant(text), Some(midnight), "{text}");
        }
    }

    #[test]
    fn impossible_times_and_times_with_a_zone_are_rejected() {
        for text in [
            "",
            "2025-02-29",
            "2025-13-01",
            "15.01.2025",
            "2025-01-15T10:00:00Z",
            "2025-01-15T10:00:00+01:00",
            "25-01-15",
            "2025-01-15T11:30:60",
            "0000-01-01",
            "10000-01-01",
        ] {
            assert_eq!(parse_instant(text), None, "{text}");
        }
    }
}
