//! Checks that the report of a range agrees with other results, even with clock changes and overlapping devices.

use dayledger::activity::{Filter, PeriodSummaryRequest, RangeReport, RangeReportRequest, TimeBasis};
use dayledger::request::DateRange;
use dayledger_fixtures::{Activity, Group, Span};

use crate::histories::{DAY, History, block_on, day, range, rows, run_query};

fn range_report(history: &History, range: DateRange) -> RangeReport {
    let request = RangeReportRequest { range, device: None, include_titles: false, filter: Filter::default() };
    block_on(request.answer(history.app().engine())).unwrap()
}

/// Checks that the seconds of the hours, of the days and of the whole range have equal sums, in SQL and in the range
/// report. Returns the report.
#[track_caller]
fn assert_adds_up(history: &History, range: DateRange) -> RangeReport {
    let app = history.app();
    let range_report = range_report(history, range);
    let summary = PeriodSummaryRequest::new(range);
    assert_eq!(range_report.summary, run_query(&app, summary).unwrap());
    let days = format!(
        "SELECT date, active_seconds FROM day_summary('{}', '{}') ORDER BY date",
        range.start_text(),
        range.end_text()
    );
    let mut by_hour: Vec<(String, i64)> = Vec::new();
    for hour in &range_report.hours {
        match by_hour.last_mut() {
            Some((date, seconds)) if *date == hour.date.to_string() => *seconds += hour.seconds,
            _ => by_hour.push((hour.date.to_string(), hour.seconds)),
        }
    }
    let by_hour: Vec<_> = by_hour.into_iter().map(|(date, seconds)| format!("{date} | {seconds}")).collect();
    assert_eq!(by_hour, rows(&app, &days));
    range_report
}

#[test]
fn hours_shared_by_two_devices_add_up_to_days() {
    let mut history = History::core_on_workstation();
    history.device(11, "lap-id", "LAPTOP");
    history.active(1, "09:00", "10:30");
    history.application(2, "Editor", "09:00", "10:30");
    history.active(11, "10:10", "11:05");
    history.application(12, "Call", "10:10", "11:05");
    history.website(13, "docs.example", "10:15", "10:20");
    history.tag(4, &["Client A", "Design, phase 2"], "08:45", "09:15");
    history.commit();
    let range_report = assert_adds_up(&history, day(DAY));
    let hours: Vec<_> = range_report.hours.iter().map(|hour| (hour.hour, hour.seconds)).collect();
    assert_eq!(hours, [(9, 3600), (10, 3600), (11, 300)]);
    let names: Vec<_> =
        range_report.applications.iter().map(|one| (one.name.as_str(), one.device.as_deref())).collect();
    assert_eq!(names, [("Editor", Some("desk-id")), ("Call", Some("lap-id"))]);
    assert_eq!(range_report.tags[0].length().num_minutes(), 30, "tagged time is not clipped to active time");
    assert!(range_report.day.is_some_and(|day| day.segments.len() == 2));
}

#[test]
fn a_day_of_twenty_five_hours_adds_up() {
    let mut history = History::core_on_workstation();
    let active = history.group(1, &Group::state("ManicTime/Active", "Active"));
    let editor = history.group(2, &Group::application("editor.exe;editor", "Editor"));
    let across = |start: &str, before, end: &str, after| Span::across(start, before, end, after).unwrap();
    for span in [
        across("2025-10-25 23:30:00", 120, "2025-10-26 02:40:00", 120),
        across("2025-10-26 02:40:00", 120, "2025-10-26 02:20:00", 60),
        across("2025-10-26 02:20:00", 60, "2025-10-26 03:30:00", 60),
    ] {
        history.activity(1, &Activity::new("Active", span).group(active));
        history.activity(2, &Activity::new("main.rs", span).group(editor));
    }
    history.commit();
    let range_report = assert_adds_up(&history, range("2025-10-25", "2025-10-28"));
    let hours: Vec<_> = range_report.hours.iter().map(|hour| (hour.hour, hour.seconds)).collect();
    assert_eq!(hours, [(23, 1800), (0, 3600), (1, 3600), (2, 7200), (3, 1800)]);
    assert!(range_report.day.is_none(), "several days have no list of segments");
}

#[test]
fn recorded_time_is_not_mixed_with_pieces() {
    let mut history = History::with_one_hour();
    history.sql(
        "DELETE FROM Ar_Activity;
         INSERT INTO Ar_CommonGroup (CommonId, ReportGroupType, KeyHash, Key, Name, Color)
         VALUES (900, 1, 'x', 'old.exe;old', 'Old Editor', '5CAA24');
         INSERT INTO Ar_ApplicationByDay (ReportId, Hour, CommonId, TotalSeconds)
         VALUES (2, '2024-01-15 09:00:00', 900, 1800)",
    );
    let range_report = range_report(&history, day("2024-01-15"));
    assert_eq!(range_report.summary.time_basis, TimeBasis::Recorded);
    assert_eq!((range_report.summary.days.len(), range_report.applications.len()), (1, 0));
    assert!(range_report.hours.is_empty() && range_report.day.is_none());
}
