//! Texts that name a stretch of local time: dates, weeks, months, years, and words such as `monday` or `last 7 days`.
//!
//! Tools, commands and table functions read the same words, so what one of them takes the others take too.

use chrono::{Datelike, Days, Months, NaiveDate, NaiveDateTime, NaiveTime, Weekday};

use super::instant::parse_instant;
use super::wording::{likest, start_of};

/// Longer than any form.
const LONGEST: usize = 40;

/// How alike a word and what was typed are at least for one to be meant by the other: `next week` is not a typing error
/// of `last week`.
const ALIKE: f64 = 0.65;

/// What a text names; local, whole seconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Span {
    /// Inclusive.
    pub(crate) start: NaiveDateTime,
    /// Exclusive; a date-time names an instant, which has none.
    pub(crate) end: Option<NaiveDateTime>,
}

/// What a text has to name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sought {
    /// One day.
    Day,
    /// Days, or an instant.
    Span,
}

impl Span {
    /// Reads one of the forms of [`Sought::Span`], upper or lower case. Weeks begin on Monday. `monday` is the latest one
    /// up to `today`, `last monday` the latest before it; `last 7 days`, `last 2 weeks` and their like are whole ones
    /// before that of `today` (semantics, section 6).
    ///
    /// Nothing for any other text, and where the calendar or a year of four digits ends.
    pub(crate) fn read(text: &str, today: NaiveDate) -> Option<Self> {
        if let Some((first, after)) = days(text, today)
            && first.year() >= 1
            && after.year() <= 9998
        {
            return Some(Self { start: first.and_time(NaiveTime::MIN), end: Some(after.and_time(NaiveTime::MIN)) });
        }
        let start = parse_instant(text)?;
        let is_date = text.len() == "2025-01-15".len();
        Some(Self { start, end: if is_date { start.checked_add_days(Days::new(1)) } else { None } })
    }

    /// The day, where it is one.
    pub(crate) fn day(self) -> Option<NaiveDate> {
        let is_day = self.end.is_some() && self.end == self.start.checked_add_days(Days::new(1));
        is_day.then(|| self.start.date())
    }
}

impl Sought {
    /// The forms that are read, as errors list them.
    pub(crate) fn forms(self) -> &'static str {
        match self {
            Self::Day => "`2025-01-15`, `15.1.2025`, `today`, `yesterday`, `monday` or `last friday`",
            Self::Span => {
                "`2025-01-15`, `15.1.2025`, a local date-time without offset such as `2025-01-15T09:30:00`, `today`, \
                 `yesterday`, `monday`, `last friday`, `this week`, `last week`, `this month`, `last month`, `this year`, \
                 `last year`, `last 7 days`, `last 2 weeks`, `last 3 months`, `2025-W03`, `2025-01` or `2025`"
            }
        }
    }

    /// Says that `text` names nothing of the kind, with the words that were probably meant.
    pub(crate) fn refusal(self, text: &str, today: NaiveDate) -> String {
        let kind = match self {
            Self::Day => "date",
            Self::Span => "date or local date-time",
        };
        let meant = self.meant(text, today).map(|words| format!("; did you mean `{words}`?")).unwrap_or_default();
        format!("`{}` is not an existing {kind}{meant}", start_of(text, LONGEST))
    }

    fn meant(self, text: &str, today: NaiveDate) -> Option<String> {
        if text.len() > LONGEST {
            return None;
        }
        let text = text.trim().to_lowercase();
        // Who errs seldom errs at once, and `next` is not `last`.
        let words = self.words(&text).into_iter().filter(|words| words.starts_with(text.get(..1).unwrap_or(" ")));
        let words: Vec<_> = words.filter(|words| Span::read(words, today).is_some()).collect();
        likest(&text, words.iter().map(String::as_str), ALIKE).map(str::to_owned)
    }

    /// The words that can be meant by `text`, with its own number where it has one.
    fn words(self, text: &str) -> Vec<String> {
        let mut words = vec!["today".to_owned(), "yesterday".to_owned()];
        for weekday in WEEKDAYS {
            words.extend([weekday.to_owned(), format!("last {weekday}")]);
        }
        if self == Self::Day {
            return words;
        }
        let count = text.split_ascii_whitespace().find_map(number);
        for (unit, usual) in [("day", 7), ("week", 2), ("month", 3), ("year", 2)] {
            words.push(format!("last {} {unit}s", count.unwrap_or(usual)));
            if unit != "day" {
                words.extend([format!("this {unit}"), format!("last {unit}")]);
            }
        }
        words
    }
}

const WEEKDAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

/// A stretch of the calendar.
#[derive(Debug, Clone, Copy)]
enum Unit {
    Day,
    Week,
    Month,
    Year,
}

impl Unit {
    fn named(text: &str) -> Option<Self> {
        Some(match text {
            "day" => Self::Day,
            "week" => Self::Week,
            "month" => Self::Month,
            "year" => Self::Year,
            _ => return None,
        })
    }

    /// The first day of the one that holds `day`.
    fn first(self, day: NaiveDate) -> Option<NaiveDate> {
        match self {
            Self::Day => Some(day),
            Self::Week => latest(Weekday::Mon, day),
            Self::Month => day.with_day(1),
            Self::Year => day.with_ordinal(1),
        }
    }

    /// The one that holds `day`.
    fn holding(self, day: NaiveDate) -> Option<(NaiveDate, NaiveDate)> {
        let (days, months) = self.length(1)?;
        let first = self.first(day)?;
        Some((first, first.checked_add_days(days)?.checked_add_months(months)?))
    }

    /// The last `count` before the one that holds `day`.
    fn before(self, count: u32, day: NaiveDate) -> Option<(NaiveDate, NaiveDate)> {
        let (days, months) = self.length(count)?;
        let after = self.first(day)?;
        (count > 0).then_some((after.checked_sub_days(days)?.checked_sub_months(months)?, after))
    }

    fn length(self, count: u32) -> Option<(Days, Months)> {
        let days = |days: u64| (Days::new(days * u64::from(count)), Months::new(0));
        Some(match self {
            Self::Day => days(1),
            Self::Week => days(7),
            Self::Month => (Days::new(0), Months::new(count)),
            Self::Year => (Days::new(0), Months::new(count.checked_mul(12)?)),
        })
    }
}

/// The first day that `text` names and the day after the last.
fn days(text: &str, today: NaiveDate) -> Option<(NaiveDate, NaiveDate)> {
    if text.len() > LONGEST {
        return None;
    }
    let text = text.to_ascii_lowercase();
    let day = match text.split_ascii_whitespace().collect::<Vec<_>>().as_slice() {
        ["this", unit] => return Unit::named(unit)?.holding(today),
        ["last", count, units] => {
            return Unit::named(units.strip_suffix('s').unwrap_or(units))?.before(number(count)?, today);
        }
        ["last", name] => match name.parse() {
            Ok(weekday) => latest(weekday, today.pred_opt()?)?,
            Err(_) => return Unit::named(name)?.before(1, today),
        },
        ["today"] => today,
        ["yesterday"] => today.pred_opt()?,
        [word] => match word.parse() {
            Ok(weekday) => latest(weekday, today)?,
            Err(_) if word.contains('.') => dotted(word)?,
            Err(_) => return iso_days(word),
        },
        _ => return None,
    };
    Unit::Day.holding(day)
}

/// The latest such day up to `day`.
fn latest(weekday: Weekday, day: NaiveDate) -> Option<NaiveDate> {
    day.checked_sub_days(Days::new(day.weekday().days_since(weekday).into()))
}

/// The day of `15.1.2025`.
fn dotted(text: &str) -> Option<NaiveDate> {
    let parts: Vec<_> = text.split('.').collect();
    let [day, month, year] = parts.as_slice() else { return None };
    let fits = (1..=2).contains(&day.len()) && (1..=2).contains(&month.len()) && year.len() == 4;
    let year = i32::try_from(number(year)?).ok()?;
    NaiveDate::from_ymd_opt(year, number(month)?, number(day)?).filter(|_| fits)
}

/// The days of `2025-w03`, `2025-01` and `2025`.
fn iso_days(text: &str) -> Option<(NaiveDate, NaiveDate)> {
    let (year, rest) = text.split_at_checked(4)?;
    let year = i32::try_from(number(year)?).ok()?;
    let part = |part: &str| number(part).filter(|_| part.len() == 2);
    if rest.is_empty() {
        Unit::Year.holding(NaiveDate::from_ymd_opt(year, 1, 1)?)
    } else if let Some(number) = rest.strip_prefix("-w") {
        Unit::Week.holding(NaiveDate::from_isoywd_opt(year, part(number)?, Weekday::Mon)?)
    } else {
        Unit::Month.holding(NaiveDate::from_ymd_opt(year, part(rest.strip_prefix('-')?)?, 1)?)
    }
}

/// A number in plain digits.
fn number(text: &str) -> Option<u32> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A Thursday at the turn of a year: the week of the year before, a month of another year.
    fn new_year() -> NaiveDate {
        NaiveDate::from_ymd_opt(2026, 1, 1).unwrap()
    }

    fn named(text: &str) -> Option<String> {
        let span = Span::read(text, new_year())?;
        let end = span.end.map(|end| end.to_string()).unwrap_or_default();
        Some(format!("{} {end}", span.start).replace(" 00:00:00", ""))
    }

    #[test]
    fn every_form_names_its_days() {
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
        ] {
            assert_eq!(named(text).as_deref(), Some(days), "{text}");
        }
    }

    #[test]
    fn a_date_time_names_an_instant() {
        assert_eq!(named("2025-01-15T09:30").as_deref(), Some("2025-01-15 09:30:00 "));
        assert_eq!(named("2025-01-15 00:00").as_deref(), Some("2025-01-15 "));
    }

    #[test]
    fn what_does_not_exist_is_refused() {
        for text in [
            "",
            "tomorrow",
            "next monday",
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
            assert_eq!(named(text), None, "{text}");
        }
    }

    #[test]
    fn no_day_of_any_calendar_is_too_early_or_too_late_to_be_today() {
        for today in [NaiveDate::MIN, NaiveDate::MAX, NaiveDate::from_ymd_opt(0, 1, 1).unwrap()] {
            for words in Sought::Span.words("").iter().chain(&["2025".to_owned(), "lst week".to_owned()]) {
                let _ = (Span::read(words, today), Sought::Span.refusal(words, today));
            }
        }
        assert_eq!(Span::read("last monday", NaiveDate::from_ymd_opt(1, 1, 1).unwrap()), None);
    }

    #[test]
    fn whatever_an_error_lists_is_read() {
        for (sought, least) in [(Sought::Day, 6), (Sought::Span, 19)] {
            let forms: Vec<_> = sought.forms().split('`').skip(1).step_by(2).collect();
            assert!(forms.len() >= least, "{forms:?}");
            for form in forms {
                let span = Span::read(form, new_year());
                assert!(span.is_some_and(|span| sought == Sought::Span || span.day().is_some()), "{form}");
            }
        }
    }

    #[test]
    fn what_was_probably_meant_is_proposed() {
        for (typed, meant) in
            [("yesterda", "yesterday"), ("TODY", "today"), ("firday", "friday"), ("last fridya", "last friday")]
        {
            for sought in [Sought::Day, Sought::Span] {
                assert_eq!(sought.meant(typed, new_year()).as_deref(), Some(meant), "{typed}");
            }
        }
        for (typed, meant) in [
            ("lst week", "last week"),
            ("this mont", "this month"),
            ("last 14 dyas", "last 14 days"),
            ("last two weeks", "last 2 weeks"),
        ] {
            assert_eq!(Sought::Span.meant(typed, new_year()).as_deref(), Some(meant), "{typed}");
        }
        assert_eq!(Sought::Day.meant("lst week", new_year()), None, "a week is no day");
        for typed in ["", "é", "tomorrow", "next week", "2025-02-30", "last 99999999 days", "x", &"last ".repeat(9_000)]
        {
            assert_eq!(Sought::Span.meant(typed, new_year()), None, "{typed}");
        }
    }

    #[test]
    fn a_refusal_says_what_was_sought() {
        let day = Sought::Day.refusal("yesterda", new_year());
        assert_eq!(day, "`yesterda` is not an existing date; did you mean `yesterday`?");
        let span = Sought::Span.refusal(&"x".repeat(100_000), new_year());
        assert_eq!(span, format!("`{}…` is not an existing date or local date-time", "x".repeat(40)));
    }
}
