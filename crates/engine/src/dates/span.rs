//! Reads ranges of local time from text: dates, weeks, months, years, and words such as `monday` or `last 7 days`.
//!
//! Tools, commands and table functions all parse ranges with this module, so they accept the same words.

use chrono::{Datelike, Days, Local, Month, Months, NaiveDate, NaiveDateTime, Weekday};
use dayledger_core::local_days::LocalDays;

use super::instant::{parse_instant, parse_time, parse_with_offset};
use crate::query::messages::{first_characters, most_similar};

/// The maximum length of a text that is parsed, in bytes. Every supported format is shorter.
const MAX_LENGTH: usize = 40;

/// The minimum similarity of a suggestion to the input. 1 means equal.
const MIN_SIMILARITY: f64 = 0.65;

/// A range or a single time that was parsed from a text, in whole seconds of local time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// The start of the range (inclusive), or the single time.
    pub start: NaiveDateTime,
    /// The end of the range (exclusive). `None` if the text is a single time.
    pub end: Option<NaiveDateTime>,
}

/// The kind of text that an option or parameter accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExpectedInput {
    /// One day.
    Day,
    /// A range of days, or a single time.
    Span,
}

impl Span {
    /// Parses one of the formats of [`ExpectedInput::Span`], in upper or lower case. `monday` is `today` or the latest
    /// Monday before it. `last monday` is always before `today`. `last 7 days` means the seven days before `today`, and
    /// `last 2 weeks` means the two weeks before the current week. A day starts at the current [`LocalDays`]. A date
    /// with a time is exact. A time after a word such as `yesterday` is in that day
    /// (docs/spec/time.md#start-of-the-day).
    ///
    /// Returns `None` for other texts, and for dates outside the years 1 to 9998.
    pub fn parse(text: &str, today: NaiveDate) -> Option<Self> {
        Self::parse_in(text, today, LocalDays::current())
    }

    fn parse_in(text: &str, today: NaiveDate, local_days: LocalDays) -> Option<Self> {
        if let Some((first, after)) = parse_days(text, today, local_days)
            && first.year() >= 1
            && after.year() <= 9998
        {
            return Some(Self { start: local_days.start_of(first), end: Some(local_days.start_of(after)) });
        }
        if let Some(start) = parse_instant(text) {
            let is_date = text.len() == "2025-01-15".len();
            return Some(if is_date {
                let day = start.date();
                Self { start: local_days.start_of(day), end: Some(local_days.end_of(day)) }
            } else {
                Self { start, end: None }
            });
        }
        // A time with an offset that isn't the local offset is rejected. Converted to local time, it can be on another
        // day. The error message shows the local time.
        let start = parse_time_with_offset(text).filter(|(_, is_local)| *is_local).map(|(local, _)| local);
        Some(Self { start: start.or_else(|| parse_time_of_day(text, today, local_days))?, end: None })
    }

    /// Parses the end of a range that starts at `start`. `text` can be a time without a date, such as `16:00`. If
    /// `start` is a single time, this end is on the day of `start`. If `start` is a whole period, such as `yesterday`,
    /// this end is on `today`.
    pub fn parse_end(text: &str, start: Self, today: NaiveDate) -> Option<Self> {
        Self::parse_end_in(text, start, today, LocalDays::current())
    }

    fn parse_end_in(text: &str, start: Self, today: NaiveDate, local_days: LocalDays) -> Option<Self> {
        let is_time_alone = start.end.is_none() && parse_time(text.trim()).is_some();
        Self::parse_in(text, if is_time_alone { local_days.day_of(start.start) } else { today }, local_days)
    }

    /// Returns the date if the span is exactly one day. Otherwise, returns `None`.
    pub fn day(self) -> Option<NaiveDate> {
        self.day_in(LocalDays::current())
    }

    fn day_in(self, local_days: LocalDays) -> Option<NaiveDate> {
        let is_day = self.end.is_some() && self.end == self.start.checked_add_days(Days::new(1));
        is_day.then(|| local_days.day_of(self.start))
    }
}

impl ExpectedInput {
    /// Returns a hint for invalid input. It contains a few examples, and a link to all formats.
    pub fn hint(self) -> &'static str {
        match self {
            Self::Day => {
                "use a date such as `2025-01-15`, `yesterday` or `last friday`; docs/commands.md#dates lists all forms"
            }
            Self::Span => {
                "use a date, time or period such as `2025-01-15`, `2025-01-15T09:30` or `last week`; \
                 docs/commands.md#dates lists all forms"
            }
        }
    }

    /// Returns the error message for an invalid `text`. If a similar text is valid, the message suggests it. If `text`
    /// is a time with an offset that isn't the local offset, the message shows the local time.
    pub fn error_message(self, text: &str, today: NaiveDate) -> String {
        let shown = first_characters(text, MAX_LENGTH);
        if let Some((local, false)) = parse_time_with_offset(text) {
            let local = local.format("%Y-%m-%dT%H:%M:%S");
            return format!("invalid date `{shown}`: its offset is not the local one; in local time it is `{local}`");
        }
        let meant = self.suggestion(text, today).map(|words| format!("; did you mean `{words}`?")).unwrap_or_default();
        format!("invalid date `{shown}`{meant}")
    }

    fn suggestion(self, text: &str, today: NaiveDate) -> Option<String> {
        if text.len() > MAX_LENGTH {
            return None;
        }
        let text = text.trim().to_lowercase();
        // Typing errors rarely change the first letter, so a suggestion must start with the first letter of the input.
        // Without this rule, `next week` would suggest `last week`.
        let words =
            self.candidate_words(&text).into_iter().filter(|words| words.starts_with(text.get(..1).unwrap_or(" ")));
        let words: Vec<_> = words.filter(|words| Span::parse(words, today).is_some()).collect();
        most_similar(&text, words.iter().map(String::as_str), MIN_SIMILARITY).map(str::to_owned)
    }

    /// Returns the words that can be suggested for `text`. If `text` contains a number, a suggestion such as `last 7
    /// days` uses that number.
    fn candidate_words(self, text: &str) -> Vec<String> {
        let mut words = ["today", "yesterday", "tomorrow"].map(str::to_owned).to_vec();
        for weekday in WEEKDAYS {
            words.extend([weekday.to_owned(), format!("last {weekday}")]);
        }
        if self == Self::Day {
            return words;
        }
        let count = text.split_ascii_whitespace().find_map(parse_number);
        for (unit, usual) in [("day", 7), ("week", 2), ("month", 3), ("quarter", 2), ("year", 2)] {
            words.push(format!("last {} {unit}s", count.unwrap_or(usual)));
            if unit != "day" {
                words.extend([format!("this {unit}"), format!("last {unit}")]);
            }
        }
        words
    }
}

const WEEKDAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

/// A unit of the calendar, such as a week.
#[derive(Debug, Clone, Copy)]
enum Unit {
    Day,
    Week,
    Month,
    Quarter,
    Year,
}

impl Unit {
    fn from_name(text: &str) -> Option<Self> {
        Some(match text {
            "day" => Self::Day,
            "week" => Self::Week,
            "month" => Self::Month,
            "quarter" => Self::Quarter,
            "year" => Self::Year,
            _ => return None,
        })
    }

    /// Parses the name of a unit that follows a number, in the singular or plural, such as `day` or `days`.
    fn from_plural_name(text: &str) -> Option<Self> {
        Self::from_name(text.strip_suffix('s').unwrap_or(text))
    }

    /// Returns the first day of the unit that contains `day`.
    fn first_day(self, day: NaiveDate, local_days: LocalDays) -> Option<NaiveDate> {
        match self {
            Self::Day => Some(day),
            Self::Week => local_days.first_of_week(day),
            Self::Month => day.with_day(1),
            Self::Quarter => day.with_day(1)?.with_month0(day.month0() / 3 * 3),
            Self::Year => day.with_ordinal(1),
        }
    }

    /// Returns the range of the unit that contains `day`: the first day of the unit, and the day after the unit.
    fn containing(self, day: NaiveDate, local_days: LocalDays) -> Option<(NaiveDate, NaiveDate)> {
        let (days, months) = self.length(1)?;
        let first = self.first_day(day, local_days)?;
        Some((first, first.checked_add_days(days)?.checked_add_months(months)?))
    }

    /// Returns the range of the `count` units before the unit that contains `day`: the first day, and the day after the
    /// last unit. Returns `None` if `count` is 0.
    fn previous(self, count: u32, day: NaiveDate, local_days: LocalDays) -> Option<(NaiveDate, NaiveDate)> {
        let (days, months) = self.length(count)?;
        let after = self.first_day(day, local_days)?;
        (count > 0).then_some((after.checked_sub_days(days)?.checked_sub_months(months)?, after))
    }

    /// Returns the day that is `count` units before `day`.
    fn ago(self, count: u32, day: NaiveDate) -> Option<NaiveDate> {
        let (days, months) = self.length(count)?;
        day.checked_sub_days(days)?.checked_sub_months(months)
    }

    fn length(self, count: u32) -> Option<(Days, Months)> {
        let days = |days: u64| (Days::new(days * u64::from(count)), Months::new(0));
        Some(match self {
            Self::Day => days(1),
            Self::Week => days(7),
            Self::Month => (Days::new(0), Months::new(count)),
            Self::Quarter => (Days::new(0), Months::new(count.checked_mul(3)?)),
            Self::Year => (Days::new(0), Months::new(count.checked_mul(12)?)),
        })
    }
}

/// Parses a range of whole days. Returns its first day, and the day after its last day.
fn parse_days(text: &str, today: NaiveDate, local_days: LocalDays) -> Option<(NaiveDate, NaiveDate)> {
    if text.len() > MAX_LENGTH {
        return None;
    }
    let text = text.to_ascii_lowercase();
    let day = match text.split_ascii_whitespace().collect::<Vec<_>>().as_slice() {
        ["this", unit] => return Unit::from_name(unit)?.containing(today, local_days),
        ["last", count, units] => {
            return Unit::from_plural_name(units)?.previous(parse_number(count)?, today, local_days);
        }
        [count, units, "ago"] => Unit::from_plural_name(units)?.ago(parse_number(count)?, today)?,
        ["last", name] => match name.parse() {
            Ok(weekday) => latest_weekday(weekday, today.pred_opt()?)?,
            Err(_) => return Unit::from_name(name)?.previous(1, today, local_days),
        },
        ["today"] => today,
        ["yesterday"] => today.pred_opt()?,
        ["tomorrow"] => today.succ_opt()?,
        [word] => match word.parse() {
            Ok(weekday) => latest_weekday(weekday, today)?,
            Err(_) if word.contains('.') => parse_dotted_date(word)?,
            Err(_) => return parse_iso_days(word),
        },
        [first, second] => parse_month_and_day([first, second], None, today)?,
        [first, second, year] if year.len() == 4 => {
            parse_month_and_day([first, second], Some(parse_number(year)?), today)?
        }
        _ => return None,
    };
    Unit::Day.containing(day, local_days)
}

/// Parses a time with or without a day, such as `10:00` (on `today`), `yesterday 14:00` or `nov 25 14:00`. A date with
/// a time is exact. A time after a word such as `yesterday` is in that day. For example, if days start at `04:00`,
/// `yesterday 01:00` is after the midnight at the end of yesterday's date.
fn parse_time_of_day(text: &str, today: NaiveDate, local_days: LocalDays) -> Option<NaiveDateTime> {
    let text = text.trim();
    if text.len() > MAX_LENGTH {
        return None;
    }
    let (day, time) = text.rsplit_once(char::is_whitespace).unwrap_or(("today", text));
    let time = parse_time(time)?;
    let is_date = day.contains('.')
        || day.split_ascii_whitespace().any(|word| word.trim_end_matches(',').parse::<Month>().is_ok());
    let day = Span::parse_in(day, today, local_days)?.day_in(local_days)?;
    Some(if is_date { day.and_time(time) } else { local_days.time_in(day, time) })
}

/// Parses a date and time with an offset. Returns the local time, and whether the text has the local offset.
fn parse_time_with_offset(text: &str) -> Option<(NaiveDateTime, bool)> {
    let instant = parse_with_offset(text)?;
    let local = instant.with_timezone(&Local).naive_local();
    Some((local, local == instant.naive_local()))
}

/// Parses a month and a day, such as `nov 25` or `25 november`. Without a `year`, returns the latest matching day that
/// isn't after `today`.
fn parse_month_and_day(words: [&str; 2], year: Option<u32>, today: NaiveDate) -> Option<NaiveDate> {
    let words = words.map(|word| word.trim_end_matches(','));
    let (month, day) = match words.map(str::parse::<Month>) {
        [Ok(month), Err(_)] => (month, words[1]),
        [Err(_), Ok(month)] => (month, words[0]),
        _ => return None,
    };
    let day = parse_number(day).filter(|_| day.len() <= 2)?;
    let of_year = |year: i32| NaiveDate::from_ymd_opt(year, month.number_from_month(), day);
    match year {
        Some(year) => of_year(i32::try_from(year).ok()?),
        // Searching eight years back is enough, even for 29 February: leap days are at most eight years apart.
        None => (0..=8).filter_map(|back| of_year(today.year() - back)).find(|day| *day <= today),
    }
}

/// Returns `day` if it is the given weekday. Otherwise, returns the latest such weekday before `day`.
fn latest_weekday(weekday: Weekday, day: NaiveDate) -> Option<NaiveDate> {
    day.checked_sub_days(Days::new(day.weekday().days_since(weekday).into()))
}

/// Parses a date with dots, such as `15.1.2025`.
fn parse_dotted_date(text: &str) -> Option<NaiveDate> {
    let parts: Vec<_> = text.split('.').collect();
    let [day, month, year] = parts.as_slice() else { return None };
    let fits = (1..=2).contains(&day.len()) && (1..=2).contains(&month.len()) && year.len() == 4;
    let year = i32::try_from(parse_number(year)?).ok()?;
    NaiveDate::from_ymd_opt(year, parse_number(month)?, parse_number(day)?).filter(|_| fits)
}

/// Parses an ISO week, a month or a year, such as `2025-w03`, `2025-01` or `2025`. Returns its first day, and the day
/// after its last day.
fn parse_iso_days(text: &str) -> Option<(NaiveDate, NaiveDate)> {
    let (year, rest) = text.split_at_checked(4)?;
    let year = i32::try_from(parse_number(year)?).ok()?;
    let part = |part: &str| parse_number(part).filter(|_| part.len() == 2);
    if rest.is_empty() {
        Unit::Year.containing(NaiveDate::from_ymd_opt(year, 1, 1)?, LocalDays::default())
    } else if let Some(number) = rest.strip_prefix("-w") {
        // Only weeks that start on Monday have a number.
        Unit::Week.containing(NaiveDate::from_isoywd_opt(year, part(number)?, Weekday::Mon)?, LocalDays::default())
    } else {
        Unit::Month.containing(NaiveDate::from_ymd_opt(year, part(rest.strip_prefix('-')?)?, 1)?, LocalDays::default())
    }
}

/// Parses a number that consists of ASCII digits only.
fn parse_number(text: &str) -> Option<u32> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns 1 January 2026, a Thursday. Its week started in 2025.
    fn new_year() -> NaiveDate {
        NaiveDate::from_ymd_opt(2026, 1, 1).unwrap()
    }

    fn format_span(text: &str) -> Option<String> {
        let span = Span::parse(text, new_year())?;
        let end = span.end.map(|end| end.to_string()).unwrap_or_default();
        Some(format!("{} {end}", span.start).replace(" 00:00:00", ""))
    }

    #[test]
    fn every_format_has_the_expected_days() {
        for (text, days) in [
            ("2025-01-15", "2025-01-15 2025-01-16"),
            ("today", "2026-01-01 2026-01-02"),
            ("Yesterday", "2025-12-31 2026-01-01"),
            ("this week", "2025-12-29 2026-01-05"),
            ("LAST  WEEK", "2025-12-22 2025-12-29"),
            ("this month", "2026-01-01 2026-02-01"),
            ("last month", "2025-12-01 2026-01-01"),
            ("last 7 days", "2025-12-25 2026-01-01"),
            ("last 1 day", "2025-12-31 2026-01-01"),
            ("last 2 weeks", "2025-12-15 2025-12-29"),
            ("last 1 week", "2025-12-22 2025-12-29"),
            ("Last 3 Months", "2025-10-01 2026-01-01"),
            ("last 2 years", "2024-01-01 2026-01-01"),
            ("this year", "2026-01-01 2027-01-01"),
            ("last year", "2025-01-01 2026-01-01"),
            ("thursday", "2026-01-01 2026-01-02"),
            ("Friday", "2025-12-26 2025-12-27"),
            ("wed", "2025-12-31 2026-01-01"),
            ("last thursday", "2025-12-25 2025-12-26"),
            ("last Wednesday", "2025-12-31 2026-01-01"),
            ("20.11.2026", "2026-11-20 2026-11-21"),
            ("1.2.2026", "2026-02-01 2026-02-02"),
            ("2026-W46", "2026-11-09 2026-11-16"),
            ("2025-W01", "2024-12-30 2025-01-06"),
            ("2020-w53", "2020-12-28 2021-01-04"),
            ("2025-02", "2025-02-01 2025-03-01"),
            ("2024", "2024-01-01 2025-01-01"),
            ("tomorrow", "2026-01-02 2026-01-03"),
            ("2 days ago", "2025-12-30 2025-12-31"),
            ("1 week ago", "2025-12-25 2025-12-26"),
            ("3 Months ago", "2025-10-01 2025-10-02"),
            ("1 year ago", "2025-01-01 2025-01-02"),
            ("Nov 25", "2025-11-25 2025-11-26"),
            ("Jan 1", "2026-01-01 2026-01-02"),
            ("2 january", "2025-01-02 2025-01-03"),
            ("29 Feb", "2024-02-29 2024-03-01"),
            ("25 November", "2025-11-25 2025-11-26"),
            ("November 25 2024", "2024-11-25 2024-11-26"),
            ("nov 25, 2024", "2024-11-25 2024-11-26"),
            ("25 Nov 2026", "2026-11-25 2026-11-26"),
            ("this quarter", "2026-01-01 2026-04-01"),
            ("last quarter", "2025-10-01 2026-01-01"),
            ("last 2 quarters", "2025-07-01 2026-01-01"),
        ] {
            assert_eq!(format_span(text).as_deref(), Some(days), "{text}");
        }
    }

    #[test]
    fn a_date_with_a_time_has_no_end() {
        assert_eq!(format_span("2025-01-15T09:30").as_deref(), Some("2025-01-15 09:30:00 "));
        assert_eq!(format_span("2025-01-15 00:00").as_deref(), Some("2025-01-15 "));
    }

    #[test]
    fn a_time_can_follow_any_day_and_without_a_day_it_is_today() {
        for (text, instant) in [
            ("10:00", "2026-01-01 10:00:00 "),
            ("9:05:30", "2026-01-01 09:05:30 "),
            ("yesterday 14:00", "2025-12-31 14:00:00 "),
            ("nov 25 14:00", "2025-11-25 14:00:00 "),
            ("last friday 08:00", "2025-12-26 08:00:00 "),
            ("15.1.2025 14:00", "2025-01-15 14:00:00 "),
            ("2 days ago 23:59", "2025-12-30 23:59:00 "),
        ] {
            assert_eq!(format_span(text).as_deref(), Some(instant), "{text}");
        }
    }

    /// At one in the morning, `today` still is the day before, and `23:00` its evening.
    #[test]
    fn a_later_start_of_days_moves_every_format_except_complete_times() {
        let four = LocalDays { day_start: "04:00".parse().unwrap(), week_start: Weekday::Sun };
        let format = |text: &str| {
            let span = Span::parse_in(text, new_year(), four).unwrap();
            format!("{} {}", span.start, span.end.map(|end| end.to_string()).unwrap_or_default())
        };
        for (text, expected) in [
            ("2025-01-15", "2025-01-15 04:00:00 2025-01-16 04:00:00"),
            ("today", "2026-01-01 04:00:00 2026-01-02 04:00:00"),
            ("this week", "2025-12-28 04:00:00 2026-01-04 04:00:00"),
            ("2026-W46", "2026-11-09 04:00:00 2026-11-16 04:00:00"),
            ("2025-02", "2025-02-01 04:00:00 2025-03-01 04:00:00"),
            ("23:00", "2026-01-01 23:00:00 "),
            ("01:00", "2026-01-02 01:00:00 "),
            ("yesterday 01:00", "2026-01-01 01:00:00 "),
            ("15.1.2025 01:00", "2025-01-15 01:00:00 "),
            ("Jan 15, 2025 01:00", "2025-01-15 01:00:00 "),
            ("2025-01-15T01:00", "2025-01-15 01:00:00 "),
            ("2025-01-15 00:00", "2025-01-15 00:00:00 "),
        ] {
            assert_eq!(format(text), expected, "{text}");
        }
        let evening = Span::parse_in("2025-01-15T22:00", new_year(), four).unwrap();
        let end = Span::parse_end_in("01:30", evening, new_year(), four).unwrap();
        assert_eq!(end.start, parse_instant("2025-01-16T01:30").unwrap());
        assert_eq!(Span::parse_in("today", new_year(), four).unwrap().day_in(four), Some(new_year()));
    }

    #[test]
    fn an_end_without_a_date_is_on_the_day_of_a_start_with_a_time() {
        let end = |start, text| {
            let start = Span::parse(start, new_year()).unwrap();
            Span::parse_end(text, start, new_year()).unwrap().start
        };
        assert_eq!(end("2025-01-15T14:00", "16:00"), parse_instant("2025-01-15T16:00").unwrap());
        assert_eq!(end("2025-01-15T00:00", "16:00"), parse_instant("2025-01-15T16:00").unwrap());
        assert_eq!(end("2025-01-15", "16:00"), parse_instant("2026-01-01T16:00").unwrap());
        assert_eq!(end("2025-01-15T14:00", "yesterday 16:00"), parse_instant("2025-12-31T16:00").unwrap());
    }

    /// This test looks up the local offset, because it can run in any time zone.
    #[test]
    fn only_the_local_offset_of_that_time_is_accepted() {
        let local = parse_instant("2025-01-15T09:30").unwrap();
        let instant = local.and_local_timezone(Local).unwrap();
        for format in ["%Y-%m-%dT%H:%M:%S%:z", "%Y-%m-%d %H:%M%:z", "%Y-%m-%dT%H:%M:%S%.3f%z"] {
            let text = instant.format(format).to_string();
            assert_eq!(Span::parse(&text, new_year()), Some(Span { start: local, end: None }), "{text}");
        }
        let other = instant.with_timezone(&chrono::FixedOffset::east_opt(13 * 3600 + 60).unwrap());
        let text = other.format("%Y-%m-%dT%H:%M:%S%:z").to_string();
        assert_eq!(Span::parse(&text, new_year()), None);
        let refusal = ExpectedInput::Span.error_message(&text, new_year());
        assert!(refusal.ends_with("in local time it is `2025-01-15T09:30:00`"), "{refusal}");
    }

    #[test]
    fn impossible_dates_are_rejected() {
        for text in [
            "",
            "next monday",
            "2 ago",
            "-1 days ago",
            "two days ago",
            "days ago",
            "5000000 days ago",
            "Nov",
            "Nov 31",
            "Nov 2025",
            "31 Feb",
            "Feb 29 2025",
            "November 25 25",
            "25 25",
            "Nov Dec",
            "25:00",
            "10:60",
            "10:00:60",
            "10",
            "10:",
            "+1:00",
            "last week 10:00",
            "10:00 yesterday",
            "10:00 10:00",
            "2025-02-30T10:00Z",
            "this monday",
            "last 2 mondays",
            "last 99999999 days",
            "last 4294967295 weeks",
            "last 4294967295 months",
            "last 4294967295 years",
            "last 2026 years",
            "last 0 weeks",
            "mondays",
            "11/20/2026",
            "32.1.2026",
            "29.02.2025",
            "1.2.26",
            "1.2.",
            "1.2.2026.",
            "001.2.2026",
            "+1.2.2026",
            "1.1.0000",
            "1.1.9999",
            "next week",
            "last week or so",
            "last 0 days",
            "last -1 days",
            "last +7 days",
            "last 7",
            "last 800000 days",
            "last 99999999999999999999 days",
            "2025-W00",
            "2025-W53",
            "2025-W3",
            "2025-w+3",
            "2025-13",
            "2025-1",
            "+025",
            "9999",
            "0000",
            "20",
            "2025-",
            "２０２５",
            "2025-02-30",
        ] {
            assert_eq!(format_span(text), None, "{text}");
        }
    }

    #[test]
    fn any_date_can_be_the_current_date() {
        for today in [NaiveDate::MIN, NaiveDate::MAX, NaiveDate::from_ymd_opt(0, 1, 1).unwrap()] {
            for words in
                ExpectedInput::Span.candidate_words("").iter().chain(&["2025".to_owned(), "lst week".to_owned()])
            {
                let _ = (Span::parse(words, today), ExpectedInput::Span.error_message(words, today));
            }
        }
        assert_eq!(Span::parse("last monday", NaiveDate::from_ymd_opt(1, 1, 1).unwrap()), None);
    }

    #[test]
    fn a_hint_has_at_most_three_examples_and_all_are_valid() {
        for kind in [ExpectedInput::Day, ExpectedInput::Span] {
            let examples: Vec<_> = kind.hint().split('`').skip(1).step_by(2).collect();
            assert!((1..=3).contains(&examples.len()), "{examples:?}");
            for example in examples {
                let span = Span::parse(example, new_year());
                assert!(span.is_some_and(|span| kind == ExpectedInput::Span || span.day().is_some()), "{example}");
            }
        }
    }

    #[test]
    fn a_typing_error_gets_a_suggestion() {
        for (typed, expected) in [
            ("yesterda", "yesterday"),
            ("TODY", "today"),
            ("firday", "friday"),
            ("last fridya", "last friday"),
            ("tommorow", "tomorrow"),
        ] {
            for kind in [ExpectedInput::Day, ExpectedInput::Span] {
                assert_eq!(kind.suggestion(typed, new_year()).as_deref(), Some(expected), "{typed}");
            }
        }
        for (typed, expected) in [
            ("lst week", "last week"),
            ("this mont", "this month"),
            ("last 14 dyas", "last 14 days"),
            ("last two weeks", "last 2 weeks"),
            ("last quater", "last quarter"),
        ] {
            assert_eq!(ExpectedInput::Span.suggestion(typed, new_year()).as_deref(), Some(expected), "{typed}");
        }
        assert_eq!(ExpectedInput::Day.suggestion("lst week", new_year()), None, "a week is not a day");
        for typed in ["", "é", "next week", "2025-02-30", "last 99999999 days", "x", &"last ".repeat(9_000)] {
            assert_eq!(ExpectedInput::Span.suggestion(typed, new_year()), None, "{typed}");
        }
    }

    /// The message must not claim that the date doesn't exist. For example, `11/25/2025` is a date in a format that
    /// isn't supported.
    #[test]
    fn error_message_repeats_the_start_of_the_text() {
        let day = ExpectedInput::Day.error_message("yesterda", new_year());
        assert_eq!(day, "invalid date `yesterda`; did you mean `yesterday`?");
        assert_eq!(ExpectedInput::Day.error_message("11/25/2025", new_year()), "invalid date `11/25/2025`");
        let span = ExpectedInput::Span.error_message(&"x".repeat(100_000), new_year());
        assert_eq!(span, format!("invalid date `{}…`", "x".repeat(40)));
    }
}
