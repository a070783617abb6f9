//! Texts that name a stretch of local time: dates, weeks, months, years, and words such as `last 7 days`.

use chrono::{Datelike, Days, Months, NaiveDate, NaiveDateTime, NaiveTime, Weekday};

use crate::engine::{InvalidInstant, parse_instant};

/// The forms that are read, as errors list them.
pub(super) const FORMS: &str = "`2025-01-15`, a local date-time without offset such as `2025-01-15T09:30:00`, `today`, \
                                `yesterday`, `this week`, `last week`, `this month`, `last month`, `last 7 days`, \
                                `2025-W03`, `2025-01` or `2025`";

/// Those that name one day.
pub(super) const DAYS: &str = "`2025-01-15`, `today` or `yesterday`";

/// Longer than any form.
const LONGEST: usize = 40;

/// What a text names; local, whole seconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Span {
    /// Inclusive.
    pub(super) start: NaiveDateTime,
    /// Exclusive; a date-time names an instant, which has none.
    pub(super) end: Option<NaiveDateTime>,
}

/// Reads one of [`FORMS`], upper or lower case. Weeks begin on Monday, and `last 7 days` are the whole days before
/// `today` (semantics, section 6).
///
/// # Errors
/// [`InvalidInstant`] for any other text, and where the calendar or a year of four digits ends.
pub(super) fn read(text: &str, today: NaiveDate) -> Result<Span, InvalidInstant> {
    if let Some((first, after)) = days(text, today)
        && first.year() >= 1
        && after.year() <= 9998
    {
        return Ok(Span { start: first.and_time(NaiveTime::MIN), end: Some(after.and_time(NaiveTime::MIN)) });
    }
    let start = parse_instant(text)?;
    let is_date = text.len() == "2025-01-15".len();
    Ok(Span { start, end: if is_date { start.checked_add_days(Days::new(1)) } else { None } })
}

/// The first day that `text` names and the day after the last.
fn days(text: &str, today: NaiveDate) -> Option<(NaiveDate, NaiveDate)> {
    if text.len() > LONGEST {
        return None;
    }
    let text = text.to_ascii_lowercase();
    match text.split_ascii_whitespace().collect::<Vec<_>>().as_slice() {
        ["today"] => Some((today, today.succ_opt()?)),
        ["yesterday"] => Some((today.pred_opt()?, today)),
        ["this", "week"] => week(today),
        ["last", "week"] => week(today.checked_sub_days(Days::new(7))?),
        ["this", "month"] => month(today),
        ["last", "month"] => month(today.with_day(1)?.pred_opt()?),
        ["last", count, "day" | "days"] => {
            let count = number(count).filter(|count| *count > 0)?;
            Some((today.checked_sub_days(Days::new(count.into()))?, today))
        }
        [iso] => iso_days(iso),
        _ => None,
    }
}

/// The days of `2025-w03`, `2025-01` and `2025`.
fn iso_days(text: &str) -> Option<(NaiveDate, NaiveDate)> {
    let (year, rest) = text.split_at_checked(4)?;
    let year = i32::try_from(number(year)?).ok()?;
    let part = |part: &str| number(part).filter(|_| part.len() == 2);
    if rest.is_empty() {
        let first = NaiveDate::from_ymd_opt(year, 1, 1)?;
        Some((first, first.checked_add_months(Months::new(12))?))
    } else if let Some(number) = rest.strip_prefix("-w") {
        week(NaiveDate::from_isoywd_opt(year, part(number)?, Weekday::Mon)?)
    } else {
        month(NaiveDate::from_ymd_opt(year, part(rest.strip_prefix('-')?)?, 1)?)
    }
}

/// The week that holds `date`.
fn week(date: NaiveDate) -> Option<(NaiveDate, NaiveDate)> {
    let first = date.checked_sub_days(Days::new(date.weekday().num_days_from_monday().into()))?;
    Some((first, first.checked_add_days(Days::new(7))?))
}

/// The month that holds `date`.
fn month(date: NaiveDate) -> Option<(NaiveDate, NaiveDate)> {
    let first = date.with_day(1)?;
    Some((first, first.checked_add_months(Months::new(1))?))
}

/// A number in plain digits.
fn number(text: &str) -> Option<u32> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A Thursday at the turn of a year: the week of the year before, a month of another year.
    fn named(text: &str) -> Option<String> {
        let span = read(text, NaiveDate::from_ymd_opt(2026, 1, 1).unwrap()).ok()?;
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
}
