//! Due dates in the text of an action.

use std::sync::LazyLock;

use chrono::{Datelike, Days, NaiveDate, Weekday};
use regex::Regex;

/// A due date that was removed from a text.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Due {
    pub(crate) day: Option<NaiveDate>,
    /// The original text of a date such as `due Friday`, which can't be resolved because the note's day is unknown.
    unresolved: Option<String>,
}

/// The date in a text such as `Friday` or `2026-12-01`.
enum Value {
    Day(NaiveDate),
    /// A day relative to the note's day. The note's day is unknown.
    Relative,
}

impl Due {
    /// Removes the first due date from a text and returns the date. Examples: `(due Friday)`, `[due:: 2026-12-01]`, `📅
    /// 2026-12-01`, `due: 2026-12-01`. `day` is the note's day.
    pub(crate) fn take(text: &mut String, day: Option<NaiveDate>) -> Self {
        static FORMS: LazyLock<Vec<Regex>> = LazyLock::new(|| {
            let value = r"\d{4}-\d{2}-\d{2}|\p{L}+\.? \d{1,2}|\d{1,2}\.? \p{L}+|\p{L}+";
            let forms = [
                r"(?i)[,;]?\s*[\[(]\s*(?:due|deadline|by)\b:{0,2}\s*([^\])]+)[\])]".to_owned(),
                r"[,;]?\s*(?:📅|📆|🗓)\u{fe0f}?\s*(\d{4}-\d{2}-\d{2})".to_owned(),
                format!(r"(?i)(?:^|[,;]?\s)(?:due|deadline):{{1,2}}\s*({value})"),
                r"(?i)[,;]?\s(?:due|deadline)(?: on| by)?\s+(\d{4}-\d{2}-\d{2})".to_owned(),
            ];
            forms.iter().filter_map(|form| Regex::new(form).ok()).collect()
        });
        let found = FORMS.iter().find_map(|form| {
            let found = form.captures(text)?;
            let whole = found.get(0)?;
            Some((
                whole.range(),
                whole.as_str().trim_start_matches([',', ';', ' ']).to_owned(),
                parse_value(&found[1], day)?,
            ))
        });
        let Some((place, written, value)) = found else { return Self::default() };
        text.replace_range(place, "");
        *text = text.trim().to_owned();
        match value {
            Value::Day(day) => Self { day: Some(day), unresolved: None },
            Value::Relative => Self { day: None, unresolved: Some(written) },
        }
    }

    /// Appends an unresolved date to the text from which it was removed.
    pub(crate) fn put_back(&mut self, text: &mut String) {
        if let Some(written) = self.unresolved.take() {
            if !text.is_empty() {
                text.push(' ');
            }
            text.push_str(&written);
        }
    }
}

fn parse_value(written: &str, day: Option<NaiveDate>) -> Option<Value> {
    let written = written.trim().trim_end_matches(['.', ',']).to_lowercase();
    let written = ["on ", "by ", "this "].iter().find_map(|word| written.strip_prefix(word)).unwrap_or(&written).trim();
    if let Some(iso) = written.get(..10).and_then(|iso| iso.parse().ok()) {
        return Some(Value::Day(iso));
    }
    let after = |day: NaiveDate| match written {
        "today" => Some(day),
        "tomorrow" => day.checked_add_days(Days::new(1)),
        _ => match written.parse() {
            Ok(weekday) => next_weekday(day, weekday),
            Err(_) => next_date(day, written),
        },
    };
    // A text that is a date for one day is a date for every day. So any day can be used for this test.
    let is_date = after(NaiveDate::from_ymd_opt(2024, 1, 1)?).is_some();
    match day {
        Some(day) => after(day).map(Value::Day),
        None => is_date.then_some(Value::Relative),
    }
}

/// Returns the first `weekday` after `day`.
fn next_weekday(day: NaiveDate, weekday: Weekday) -> Option<NaiveDate> {
    let ahead = (7 + weekday.num_days_from_monday() - day.weekday().num_days_from_monday() - 1) % 7 + 1;
    day.checked_add_days(Days::new(u64::from(ahead)))
}

/// Returns the first date on or after `day` that matches a text such as `Dec 1` or `1 December`.
fn next_date(day: NaiveDate, written: &str) -> Option<NaiveDate> {
    let written = written.replace('.', "");
    let in_year = |year: i32| {
        let dated = format!("{written} {year}");
        ["%B %d %Y", "%d %B %Y"].iter().find_map(|form| NaiveDate::parse_from_str(&dated, form).ok())
    };
    // Four consecutive years after this year include a leap year, in case the date is 29 February.
    (day.year()..=day.year() + 4).filter_map(in_year).find(|date| *date >= day)
}
