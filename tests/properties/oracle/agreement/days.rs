//! Compares days, weekdays, hours and top lists.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use dayledger::activity::{Filter, PeriodSummaryRequest, RangeReportRequest, TimeBasis};
use dayledger::request::Minutes;
use proptest::prelude::*;

use super::super::clock::{DAY, HOUR, date, text};
use super::super::days::{Day, applications, days, documents_overlap, units, websites};
use super::super::history::History;
use super::super::usage::remaining_totals;
use super::{agreement, application, arguments, date_range, minutes};
use crate::histories::OpenHistory;

/// Whether no application has more time than the application `name`. Several applications can have the same time.
fn is_top(day: &Day, name: &str) -> bool {
    let most = day.applications.values().map(BTreeSet::len).max();
    day.applications.iter().any(|(about, seconds)| Some(seconds.len()) == most && application(*about) == name)
}

/// Returns the weekday of a day. 0 is Sunday.
fn weekday(midnight: i64) -> i64 {
    (midnight / DAY + 4).rem_euclid(7)
}

fn by_weekday(days: &BTreeMap<i64, Day>, range: &Range<i64>) -> BTreeMap<i64, usize> {
    let first = range.start.div_euclid(DAY) * DAY;
    let dates = (0..7).map(|day| first + day * DAY).take_while(|date| *date < range.end);
    let mut weekdays: BTreeMap<_, _> = dates.map(|date| (weekday(date), 0)).collect();
    for (midnight, day) in days {
        *weekdays.entry(weekday(*midnight)).or_default() += day.seconds.len();
    }
    weekdays
}

fn days_agree(invented: &History, program: &OpenHistory, ranges: &[Range<i64>]) -> Result<(), TestCaseError> {
    for range in ranges {
        let expected = days(invented, range);
        let of = arguments(range);
        let actual = program.sql(&format!(
            "SELECT date, active_seconds, first_activity, last_activity, top_application FROM day_summary({of}) ORDER BY date"
        ));
        let actual: Vec<_> = actual.iter().map(|line| line.rsplit_once('|').unwrap()).collect();
        let lines: Vec<_> = expected
            .iter()
            .map(|(midnight, day)| {
                let [first, last] = [day.first, day.last].map(|time| text(time.unwrap()));
                format!("{}|{}|{first}|{last}", date(*midnight), day.seconds.len())
            })
            .collect();
        prop_assert_eq!(actual.iter().map(|(line, _)| *line).collect::<Vec<_>>(), lines, "days of {}", of);
        for ((_, top), day) in actual.iter().zip(expected.values()) {
            prop_assert!(is_top(day, top), "{} of {:?}", top, day.applications.keys());
        }
        let actual =
            program.sql(&format!("SELECT weekday, active_seconds FROM weekday_pattern({of}) ORDER BY weekday"));
        let weekdays = by_weekday(&expected, range);
        let weekdays: Vec<_> = weekdays.iter().map(|(day, seconds)| format!("{day}|{seconds}")).collect();
        prop_assert_eq!(actual, weekdays, "weekdays of {}", of);
    }
    Ok(())
}

/// Checks a top list. Every name must have the expected minutes, and no omitted name may have more minutes than a
/// listed one.
fn tops_agree(actual: &[(String, Minutes)], expected: &BTreeMap<&str, usize>) -> Result<(), TestCaseError> {
    let lines: Vec<_> = actual.iter().map(|(name, minutes)| format!("{name} {minutes:.1}")).collect();
    let mut most: Vec<_> = expected.iter().collect();
    most.sort_by_key(|(_, seconds)| std::cmp::Reverse(**seconds));
    let actual_seconds: Vec<_> =
        actual.iter().map(|(name, _)| expected.get(name.as_str()).copied().unwrap_or_default()).collect();
    let right: Vec<_> = actual
        .iter()
        .zip(&actual_seconds)
        .map(|((name, _), seconds)| format!("{name} {}", minutes(*seconds)))
        .collect();
    prop_assert_eq!(lines, right, "of {:?}", most);
    let greatest: Vec<_> = most.iter().map(|(_, seconds)| **seconds).take(actual_seconds.len()).collect();
    prop_assert_eq!(actual_seconds, greatest, "{:?} of {:?}", actual, most);
    prop_assert!(actual.len() >= most.len().min(3), "{:?} of {:?}", actual, most);
    Ok(())
}

fn summaries_agree(invented: &History, program: &OpenHistory, ranges: &[Range<i64>]) -> Result<(), TestCaseError> {
    let range = &ranges[usize::try_from(ranges[2].start.rem_euclid(3)).unwrap()];
    let period = program.answer(PeriodSummaryRequest::new(date_range(range)));
    if let Some(left) = remaining_totals(invented, range) {
        prop_assert_eq!(period.time_basis, TimeBasis::Recorded, "of {}", arguments(range));
        let actual: Vec<_> =
            period.days.iter().map(|day| format!("{} {:.1}", day.date, day.total_active_minutes)).collect();
        let days = left.sum_by(|hour, _| Some(date(hour)));
        let days: Vec<_> = days.iter().map(|(date, sum)| format!("{date} {}", minutes(sum.seconds()))).collect();
        prop_assert_eq!(actual, days, "recorded days of {}", arguments(range));
        return Ok(());
    }
    prop_assert_eq!(period.time_basis, TimeBasis::Active, "of {}", arguments(range));
    let expected = days(invented, range);
    let actual: Vec<_> = period
        .days
        .iter()
        .map(|day| {
            let [first, last] = [&day.first_activity, &day.last_activity].map(|time| time.clone().unwrap_or_default());
            format!("{} {:.1} {first} {last}", day.date, day.total_active_minutes)
        })
        .collect();
    let lines: Vec<_> = expected
        .iter()
        .map(|(midnight, day)| {
            let [first, last] = [day.first, day.last].map(|time| text(time.unwrap()));
            format!("{} {} {first} {last}", date(*midnight), minutes(day.seconds.len()))
        })
        .collect();
    prop_assert_eq!(actual, lines, "days of {}", arguments(range));
    for (actual, day) in period.days.iter().zip(expected.values()) {
        prop_assert!(is_top(day, &actual.top_app), "{} of {:?}", actual.top_app, day.applications.keys());
    }

    let applications = applications(invented, range);
    let total: BTreeSet<_> = applications.values().flatten().collect();
    prop_assert_eq!(
        format!("{:.1}", period.total_active_minutes),
        minutes(total.len()),
        "total of {}",
        arguments(range)
    );
    let sum: usize = expected.values().map(|day| day.seconds.len()).sum();
    let average = if expected.is_empty() { 0 } else { (20 * sum + 60 * expected.len()) / (120 * expected.len()) };
    prop_assert_eq!(format!("{:.1}", period.aggregate.avg_daily_minutes), format!("{}.{}", average / 10, average % 10));
    let busiest = expected.iter().min_by_key(|(_, day)| std::cmp::Reverse(day.seconds.len()));
    let quietest = expected.iter().min_by_key(|(_, day)| day.seconds.len());
    let dates = [busiest, quietest].map(|day| day.map(|(midnight, _)| date(*midnight)));
    prop_assert_eq!([period.aggregate.busiest_day, period.aggregate.quietest_day], dates);
    let actual = period.patterns.day_of_week_distribution.iter();
    let actual: Vec<_> = actual.map(|day| format!("{} {:.1}", day.day_of_week, day.total_minutes)).collect();
    // Weekdays before the start of the history don't count as days without activity.
    let mut midnights =
        (range.start.div_euclid(DAY)..).map(|day| day * DAY).take_while(|midnight| *midnight < range.end);
    let start = period.history_start.as_ref().map(|start| midnights.find(|midnight| date(*midnight) == *start));
    let start = start.map_or(range.start, |start| start.unwrap_or(range.end));
    prop_assert!(
        expected.keys().all(|midnight| *midnight >= start.div_euclid(DAY) * DAY),
        "use before {}",
        text(start)
    );
    let weekdays = by_weekday(&expected, &(start..range.end));
    prop_assert_eq!(actual, weekdays.iter().map(|(day, sum)| format!("{day} {}", minutes(*sum))).collect::<Vec<_>>());

    let actual: Vec<_> = period.aggregate.top_apps.into_iter().map(|app| (app.name, app.total_minutes)).collect();
    let names = applications.iter().map(|(about, seconds)| (application(*about), seconds.len()));
    tops_agree(&actual, &names.collect())?;
    if documents_overlap(invented) {
        return Ok(());
    }
    let actual: Vec<_> =
        period.aggregate.top_websites.into_iter().map(|site| (site.name, site.total_minutes)).collect();
    let sites = websites(invented, range);
    tops_agree(&actual, &sites.iter().map(|(site, seconds)| (*site, seconds.len())).collect())
}

/// Compares the hours in the report of the whole range, and in the report of a single day.
fn hours_agree(invented: &History, program: &OpenHistory, ranges: &[Range<i64>]) -> Result<(), TestCaseError> {
    for range in &ranges[..2] {
        let request = RangeReportRequest {
            range: date_range(range),
            device: None,
            include_titles: false,
            filter: Filter::default(),
        };
        let actual = program.range_report(request);
        if remaining_totals(invented, range).is_some() {
            prop_assert_eq!(actual.summary.time_basis, TimeBasis::Recorded, "of {}", arguments(range));
            continue;
        }
        let actual = actual.hours;
        let actual: Vec<_> =
            actual.iter().map(|hour| format!("{}T{:02} {}", hour.date, hour.hour, hour.seconds)).collect();
        let expected: Vec<_> = units(invented, range, HOUR)
            .iter()
            .map(|(hour, unit)| format!("{} {}", &text(*hour)[..13], unit.seconds.len()))
            .collect();
        prop_assert_eq!(actual, expected, "hours of {}", arguments(range));
    }
    Ok(())
}

agreement! {
    days_of_a_quiet_desk: NONE, days_agree;
    days_where_clocks_change: CLOCKS, days_agree;
    days_of_odd_rows: ROWS, days_agree;
    days_of_devices: DEVICES, days_agree;
    days_of_it_all: ALL, days_agree;
    summaries_of_a_quiet_desk: NONE, summaries_agree;
    summaries_of_odd_rows: ROWS, summaries_agree;
    summaries_of_devices: DEVICES, summaries_agree;
    summaries_of_odd_totals: TOTALS, summaries_agree;
    summaries_of_it_all: ALL, summaries_agree;
    hours_where_clocks_change: CLOCKS, hours_agree;
    hours_of_it_all: ALL, hours_agree;
}
