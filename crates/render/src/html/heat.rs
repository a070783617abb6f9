//! Draws a heat map of the active hours, with a column for each hour and a row for each day. For a long range, each
//! weekday has a row instead.

use std::collections::BTreeMap;

use chrono::{Datelike, NaiveDate};
use maud::{Markup, html};

use super::super::period::{WEEKDAYS, first_weekday};
use super::document::section;
use super::figures::dates;
use dayledger_activity::RangeReport;
use dayledger_core::local_days::LocalDays;

/// If the range has at most this many days, each day has a row. Otherwise, each weekday has a row.
const MAX_DAYS: usize = 7;
/// The number of shades that a cell can have.
const LEVELS: i64 = 5;
/// On a phone, cells contain numbers only if the map has at most this many hours. With more hours, cells are too
/// narrow.
const MAX_LABELLED_HOURS: usize = 14;

/// A row of the map: its name, and the active seconds of each hour with activity.
struct Line {
    name: String,
    seconds: BTreeMap<u32, i64>,
}

/// Returns the section with the heat map. It is empty if there is no active time.
pub(super) fn heat(report: &RangeReport) -> Markup {
    let start = day_start_hour();
    let places = || report.hours.iter().map(|hour| (hour.hour + 24 - start) % 24);
    let (Some(first), Some(last)) = (places().min(), places().max()) else { return html! {} };
    let dates = dates(report);
    let by_weekday = dates.len() > MAX_DAYS;
    let lines = if by_weekday { weekdays(report, &dates) } else { days(report, &dates) };
    let hours: Vec<u32> = (first..=last).map(|place| (place + start) % 24).collect();
    let caption = if by_weekday { "Average active minutes by weekday and hour" } else { "Active minutes by hour" };
    let content = html! {
        table class=(if hours.len() > MAX_LABELLED_HOURS { "heat narrow" } else { "heat" }) {
            caption { (caption) }
            thead {
                tr {
                    td {}
                    @for hour in &hours { th scope="col" { span { (format!("{hour:02}")) } } }
                }
            }
            tbody {
                @for line in &lines {
                    tr {
                        th scope="row" { (line.name) }
                        @for hour in &hours { (cell(line.seconds.get(hour).copied().unwrap_or(0))) }
                    }
                }
            }
        }
    };
    section("hours", "Active hours", &content)
}

/// Returns the hour in which a day starts. Later hours of the day come after it, and those after midnight come last.
fn day_start_hour() -> u32 {
    let hour = LocalDays::current().day_start.seconds().div_euclid(3600).rem_euclid(24);
    u32::try_from(hour).unwrap_or_default()
}

fn cell(seconds: i64) -> Markup {
    if seconds <= 0 {
        return html! { td {} };
    }
    // An hour that is repeated in autumn can have more than 60 minutes, so the level is limited below.
    let level = (seconds * LEVELS + 3599) / 3600;
    let minutes = (seconds + 30) / 60;
    html! {
        td class=(format!("heat-{}", level.clamp(1, LEVELS))) {
            span { @if minutes > 0 { (minutes) } @else { "<1" } }
        }
    }
}

fn days(report: &RangeReport, dates: &[NaiveDate]) -> Vec<Line> {
    let line = |date: &NaiveDate| Line {
        name: date.format("%a %-d").to_string(),
        seconds: report.hours.iter().filter(|hour| hour.date == *date).map(|hour| (hour.hour, hour.seconds)).collect(),
    };
    dates.iter().map(line).collect()
}

/// Returns a row for each weekday. A cell is the average over all days with this weekday, including days without
/// activity.
fn weekdays(report: &RangeReport, dates: &[NaiveDate]) -> Vec<Line> {
    let of = |date: NaiveDate| date.weekday().num_days_from_monday();
    let line = |(weekday, name): (u32, &&str)| {
        let count = dates.iter().filter(|date| of(**date) == weekday).count();
        let count = i64::try_from(count).unwrap_or(i64::MAX).max(1);
        let mut seconds: BTreeMap<u32, i64> = BTreeMap::new();
        for hour in report.hours.iter().filter(|hour| of(hour.date) == weekday) {
            *seconds.entry(hour.hour).or_default() += hour.seconds;
        }
        for sum in seconds.values_mut() {
            *sum = (*sum + count / 2) / count;
        }
        Line { name: (*name).to_owned(), seconds }
    };
    let mut lines: Vec<_> = (0..).zip(&WEEKDAYS).map(line).collect();
    lines.rotate_left(first_weekday());
    lines
}
