//! Parses `ManicTime`'s timestamps into whole seconds. A timestamp is a text `yyyy-MM-dd HH:mm:ss` with an optional
//! fraction.
//!
//! Most timestamps have the same date as the timestamp before them. So a date is parsed only if it differs from the
//! previous date.

/// Seconds in a day.
const DAY: i64 = 86_400;

/// Parses timestamps, and remembers the last date.
#[derive(Debug, Default)]
pub(crate) struct InstantParser {
    date: [u8; 10],
    days: i64,
}

impl InstantParser {
    /// Returns the seconds since 1970-01-01 00:00:00 in the time zone of `text` (local or UTC),
    /// without the fraction (docs/spec/time.md#whole-seconds). Returns `None` if `text` isn't a
    /// timestamp.
    pub(crate) fn parse(&mut self, text: &[u8]) -> Option<i64> {
        let (date, rest) = text.split_first_chunk::<10>()?;
        if *date != self.date {
            // `date` is set only after `parse_date` has succeeded. Otherwise, if an invalid date came twice, the second
            // time would get the days of an earlier valid date.
            self.days = parse_date(date)?;
            self.date = *date;
        }
        let (time, fraction) = rest.split_first_chunk::<9>()?;
        if time[0] != b' ' || time[3] != b':' || time[6] != b':' || !is_fraction(fraction) {
            return None;
        }
        let (hour, minute, second) =
            (two_digits(time[1], time[2])?, two_digits(time[4], time[5])?, two_digits(time[7], time[8])?);
        (hour < 24 && minute < 60 && second < 60)
            .then_some(self.days * DAY + i64::from(hour) * 3600 + i64::from(minute) * 60 + i64::from(second))
    }
}

/// Formats `seconds` in the format of `ManicTime`, so that the result can be compared with stored texts.
pub(crate) fn to_stored_text(seconds: i64) -> String {
    chrono::DateTime::from_timestamp(seconds, 0)
        .map_or_else(|| "9999-12-31 23:59:59".to_owned(), |at| at.format("%Y-%m-%d %H:%M:%S").to_string())
}

fn parse_date(date: &[u8; 10]) -> Option<i64> {
    if date[4] != b'-' || date[7] != b'-' {
        return None;
    }
    let year = i32::from(two_digits(date[0], date[1])?) * 100 + i32::from(two_digits(date[2], date[3])?);
    let (month, day) = (two_digits(date[5], date[6])?, two_digits(date[8], date[9])?);
    let date = chrono::NaiveDate::from_ymd_opt(year, u32::from(month), u32::from(day))?;
    Some(date.signed_duration_since(chrono::NaiveDate::default()).num_days())
}

fn two_digits(tens: u8, ones: u8) -> Option<u8> {
    (tens.is_ascii_digit() && ones.is_ascii_digit()).then(|| (tens - b'0') * 10 + (ones - b'0'))
}

fn is_fraction(text: &[u8]) -> bool {
    match text {
        [] => true,
        [b'.', digits @ ..] => !digits.is_empty() && digits.iter().all(u8::is_ascii_digit),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn parse(text: &str) -> Option<i64> {
        InstantParser::default().parse(text.as_bytes())
    }

    #[test]
    fn whole_seconds_and_fractions_are_read() {
        assert_eq!(parse("1970-01-01 00:00:00"), Some(0));
        assert_eq!(parse("2017-07-06 15:47:23"), Some(1_499_356_043));
        assert_eq!(parse("2017-07-06 15:47:23.999"), Some(1_499_356_043));
        assert_eq!(parse("1969-12-31 23:59:59"), Some(-1));
    }

    #[test]
    fn other_texts_are_rejected() {
        for text in [
            "",
            "2017-07-06",
            "2017-07-06T15:47:23",
            "2017-07-06 15:47:23Z",
            "2017-07-06 15:47:23.",
            "2017-02-30 00:00:00",
            "2017-07-06 24:00:00",
            "2017-07-06 15:60:00",
            "2017-07-06 15:47:60",
            "2017-7-06 15:47:23 ",
            "garbage that is long",
            "２０17-07-06 15:47:23",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn a_bad_date_does_not_poison_the_next_row() {
        let mut parser = InstantParser::default();
        assert_eq!(parser.parse(b"2017-07-06 00:00:00"), Some(1_499_299_200));
        assert_eq!(parser.parse(b"2017-99-06 00:00:00"), None);
        assert_eq!(parser.parse(b"2017-07-06 00:00:01"), Some(1_499_299_201));
        assert_eq!(parser.parse(b"2017-99-06 00:00:00"), None);
    }

    proptest! {
        #[test]
        fn stored_text_is_parsed_back(seconds in -62_135_596_800_i64..253_402_300_800) {
            prop_assert_eq!(parse(&to_stored_text(seconds)), Some(seconds));
        }
    }
}
