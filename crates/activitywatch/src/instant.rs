//! Converts times. A time is a number of microseconds since 1970 in UTC. The Python server stores times as texts.

use jiff::civil::Date;

/// The number of microseconds in a second.
pub(crate) const SECOND: i64 = 1_000_000;
/// The numbers of microseconds in an hour and in a day.
pub(crate) const HOUR: i64 = 3600 * SECOND;
pub(crate) const DAY: i64 = 24 * HOUR;
/// The start of year 1 and the last second of year 9999. Times outside of this range are moved into it, so that sums
/// don't overflow.
const RANGE: (i64, i64) = (-62_135_596_800 * SECOND, 253_402_300_799 * SECOND);

/// Moves a time before year 1 or after year 9999 to the nearest time in these years.
pub(crate) fn clamp(micros: i64) -> i64 {
    micros.clamp(RANGE.0, RANGE.1)
}

/// Converts seconds to microseconds, rounded to the nearest microsecond.
#[expect(clippy::cast_possible_truncation, reason = "a cast of a float saturates, and the result is moved into range")]
pub(crate) fn from_seconds(seconds: f64) -> i64 {
    (seconds * 1e6).round() as i64
}

/// Converts microseconds to seconds, rounded down.
pub(crate) fn to_seconds(micros: i64) -> i64 {
    micros.div_euclid(SECOND)
}

/// Formats a time as the Python server stores it, but without the fraction and the offset.
pub(crate) fn to_text(micros: i64) -> String {
    let seconds = to_seconds(clamp(micros));
    let at = jiff::Timestamp::from_second(seconds).unwrap_or_default().to_zoned(jiff::tz::TimeZone::UTC);
    at.strftime("%Y-%m-%d %H:%M:%S").to_string()
}

/// Parses a time such as `2025-10-06 06:57:28.508000+00:00`. The fraction and the offset can be missing. The separator
/// can be a `T`, and the offset can be a `Z`. A time without an offset is in UTC.
pub(crate) fn parse(text: &[u8]) -> Option<i64> {
    let (date, rest) = text.split_first_chunk::<10>()?;
    let (time, rest) = rest.split_first_chunk::<9>()?;
    if date[4] != b'-' || date[7] != b'-' || !matches!(time[0], b' ' | b'T') || time[3] != b':' || time[6] != b':' {
        return None;
    }
    let year = i16::try_from(number(&date[..4])?).ok()?;
    let (month, day) = (i8::try_from(number(&date[5..7])?).ok()?, i8::try_from(number(&date[8..])?).ok()?);
    let days = days_of(Date::new(year, month, day).ok()?);
    let (hour, minute, second) = (number(&time[1..3])?, number(&time[4..6])?, number(&time[7..])?);
    if hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    let (fraction, offset) = match rest {
        [b'.', rest @ ..] => {
            let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
            let kept = &rest[..digits.min(6)];
            let scale = 10_i64.pow(6_u32.saturating_sub(u32::try_from(kept.len()).ok()?));
            (number(kept)? * scale, &rest[digits..])
        }
        rest => (0, rest),
    };
    let offset = match offset {
        [] | [b'Z'] => 0,
        [sign @ (b'+' | b'-'), h1, h2, b':', m1, m2] => {
            let minutes = number(&[*h1, *h2])? * 60 + number(&[*m1, *m2])?;
            if *sign == b'-' { -minutes } else { minutes }
        }
        _ => return None,
    };
    let seconds = days * 86_400 + hour * 3600 + minute * 60 + second - offset * 60;
    Some(seconds * SECOND + fraction)
}

/// Parses a number. Returns `None` if `digits` is empty or contains a character that isn't a digit.
fn number(digits: &[u8]) -> Option<i64> {
    if digits.is_empty() {
        return None;
    }
    digits.iter().try_fold(0, |sum, digit| digit.is_ascii_digit().then(|| sum * 10 + i64::from(digit - b'0')))
}

/// Returns the number of days from 1970-01-01 to `date`.
fn days_of(date: Date) -> i64 {
    // Count in years that begin in March, so that the leap day is the last day of a year.
    let (month, day) = (i64::from(date.month()), i64::from(date.day()));
    let year = i64::from(date.year()) - i64::from(month <= 2);
    let (era, month) = (year.div_euclid(400), (month + 9) % 12);
    let year = year.rem_euclid(400);
    let day_of_year = (153 * month + 2) / 5 + day - 1;
    era * 146_097 + year * 365 + year / 4 - year / 100 + day_of_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_aw_core_are_parsed() {
        let at = 1_759_741_200 * SECOND;
        for (text, expected) in [
            ("2025-10-06 09:00:00+00:00", at),
            ("2025-10-06 09:00:00.508000+00:00", at + 508_000),
            ("2025-10-06 09:00:00.5", at + 500_000),
            ("2025-10-06T09:00:00Z", at),
            ("2025-10-06 09:00:00", at),
            ("2025-10-06 11:00:00.123456+02:00", at + 123_456),
            ("2025-10-06 03:30:00-05:30", at),
            ("1970-01-01 00:00:00+00:00", 0),
            ("2024-02-29 00:00:00", 1_709_164_800 * SECOND),
        ] {
            assert_eq!(parse(text.as_bytes()), Some(expected), "{text}");
        }
        assert_eq!(to_text(at + 508_000), "2025-10-06 09:00:00");
    }

    #[test]
    fn other_texts_are_rejected() {
        for text in [
            "",
            "2025-10-06",
            "2025-13-06 09:00:00",
            "2025-02-30 09:00:00",
            "2025-10-06 24:00:00",
            "tomorrow at nine o'clock",
            "2025-10-06 09:00:00.+00:00",
            "2025-10-06 09:00:00 CET",
        ] {
            assert_eq!(parse(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn extreme_numbers_do_not_overflow() {
        assert_eq!(clamp(from_seconds(f64::INFINITY)), RANGE.1);
        assert_eq!(clamp(i64::MIN), RANGE.0);
        assert_eq!(from_seconds(60.876_543), 60_876_543);
    }
}
