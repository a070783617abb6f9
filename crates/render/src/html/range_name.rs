//! The range of a page in words.

use chrono::{Datelike, Months, NaiveTime, TimeDelta, Weekday};

use super::super::sections::range_title;
use super::names::PLAIN;
use dayledger_request::DateRange;

/// Returns a month by its name, and other ranges by their first and last day.
pub(super) fn range_name(range: &DateRange) -> String {
    let (start, end) = (range.start(), range.end());
    if start.day() == 1
        && start.date().checked_add_months(Months::new(1)) == Some(end.date())
        && has_midnight_bounds(range)
    {
        return start.format("%B %Y").to_string();
    }
    range_title(&range.start_text(), &range.end_text(), &PLAIN)
}

/// Returns the number of the ISO week, if the range is exactly one.
pub(super) fn iso_week(range: &DateRange) -> Option<u32> {
    let week = range.start().iso_week();
    let is_one = range.start().weekday() == Weekday::Mon && range.end() - range.start() == TimeDelta::days(7);
    (is_one && has_midnight_bounds(range)).then(|| week.week())
}

fn has_midnight_bounds(range: &DateRange) -> bool {
    range.start().time() == NaiveTime::MIN && range.end().time() == NaiveTime::MIN
}
