//! Tests clock changes, fractions of seconds, and times that can't be read (docs/spec/time.md#clocks).

use dayledger::activity::{DataRangeRequest, HealthRequest};
use dayledger_fixtures::{Activity, Group, SchemaOptions, Span};

use crate::histories::{
    DAY, History, day, narrative, period, range, rows, run_every_query, run_query, segments, span, today, tops, usage,
};

/// A date on which the hour from 02:00 to 03:00 is repeated in central Europe.
const AUTUMN: &str = "2025-10-26";
/// A date on which the hour from 02:00 to 03:00 is skipped in central Europe.
const SPRING: &str = "2025-03-30";

/// Returns a history of a device that is active in the editor during each of these spans.
fn history_of(spans: &[Span]) -> History {
    let mut history = History::core_on_workstation();
    let active = history.group(1, &Group::state("ManicTime/Active", "Active"));
    let editor = history.group(2, &Group::application("editor.exe;editor", "Editor"));
    for span in spans {
        history.activity(1, &Activity::new("Active", *span).group(active));
        history.activity(2, &Activity::new("main.rs", *span).group(editor));
    }
    history.commit();
    history
}

fn across(start: &str, start_offset: i64, end: &str, end_offset: i64) -> Span {
    Span::across(start, start_offset, end, end_offset).unwrap()
}

#[test]
fn activity_over_the_autumn_clock_change_is_measured_in_utc() {
    let history = history_of(&[across("2025-10-26 02:50:00", 120, "2025-10-26 02:10:00", 60)]);
    let app = history.app();
    let narrative = narrative(&app, day(AUTUMN));
    assert_eq!(segments(&narrative), ["02:50 02:10 Editor 20.0"]);
    assert_eq!(narrative.total_active_minutes.to_string(), "20");
    assert_eq!(usage(&app, day(AUTUMN)).total_minutes.to_string(), "20");
    let listed = "SELECT application, start_local, end_local, seconds FROM applications";
    assert_eq!(rows(&app, listed), ["Editor | 2025-10-26T02:50:00 | 2025-10-26T02:10:00 | 1200"]);
}

#[test]
fn repeated_hour_in_autumn_contains_two_hours() {
    let history = history_of(&[
        across("2025-10-26 01:00:00", 120, "2025-10-26 02:00:00", 120),
        across("2025-10-26 02:00:00", 120, "2025-10-26 02:00:00", 60),
        across("2025-10-26 02:00:00", 60, "2025-10-26 04:00:00", 60),
    ]);
    let app = history.app();
    assert_eq!(narrative(&app, day(AUTUMN)).total_active_minutes.to_string(), "240");
    let summary = period(&app, "2025-10-25", "2025-10-28");
    assert_eq!(summary.days.len(), 1);
    assert_eq!(
        (summary.days[0].date.as_str(), summary.days[0].total_active_minutes.to_string()),
        (AUTUMN, "240".into())
    );
    let hours = "SELECT date_part('hour', hour_local), sum(seconds) FROM app_usage GROUP BY 1 ORDER BY 1";
    assert_eq!(rows(&app, hours), ["1 | 3600", "2 | 7200", "3 | 3600"]);
}

#[test]
fn skipped_hour_in_spring_does_not_count() {
    let history = history_of(&[across("2025-03-30 01:50:00", 60, "2025-03-30 03:10:00", 120)]);
    let app = history.app();
    let narrative = narrative(&app, day(SPRING));
    assert_eq!(segments(&narrative), ["01:50 03:10 Editor 20.0"]);
    assert_eq!(narrative.total_active_minutes.to_string(), "20");
    assert_eq!(period(&app, SPRING, "2025-03-31").total_active_minutes.to_string(), "20");
    assert_eq!(rows(&app, "SELECT sum(seconds) FROM app_usage"), ["1200"]);
}

/// Regression: a window that stayed in front during a break was split at the wrong local hours. These hours were
/// computed with the UTC offset of the window's start, which was days earlier.
#[test]
fn window_open_over_a_clock_change_is_split_by_the_clock_of_each_part() {
    let mut history = History::core_on_workstation();
    let active = history.group(1, &Group::state("ManicTime/Active", "Active"));
    for span in [
        across("2025-03-29 18:00:00", 60, "2025-03-29 18:10:00", 60),
        across("2025-03-31 09:00:00", 120, "2025-03-31 11:10:00", 120),
    ] {
        history.activity(1, &Activity::new("Active", span).group(active));
    }
    let editor = history.group(2, &Group::application("editor.exe;editor", "Editor"));
    let open = across("2025-03-29 18:00:00", 60, "2025-03-31 11:10:00", 120);
    history.activity(2, &Activity::new("main.rs", open).group(editor));
    history.commit();
    let app = history.app();
    assert_eq!(segments(&narrative(&app, day("2025-03-31"))), ["09:00 11:10 Editor 130.0"]);
    let hour = |from: &str, to: &str| {
        let response = narrative(&app, range(&format!("2025-03-31T{from}"), &format!("2025-03-31T{to}")));
        segments(&response).join(", ")
    };
    assert_eq!(hour("08:00", "09:00"), "");
    assert_eq!(hour("09:00", "10:00"), "09:00 10:00 Editor 60.0");
    assert_eq!(hour("11:00", "12:00"), "11:00 11:10 Editor 10.0");
    let days = period(&app, "2025-03-29", "2025-04-01").days;
    let days: Vec<_> = days.iter().map(|day| format!("{} {}", day.date, day.total_active_minutes)).collect();
    assert_eq!(days, ["2025-03-29 10", "2025-03-31 130"]);
    let weekdays = "SELECT sum(active_seconds) FROM weekday_pattern('2025-03-31', '2025-04-01')";
    assert_eq!(rows(&app, weekdays), ["7800"]);
    // The local hour of a time within an activity is computed with the UTC offset at that time. Therefore this hour is
    // not empty.
    let last = narrative(&app, range("2025-03-31T11:00", "2025-03-31T12:00"));
    assert_eq!((last.diagnostics.degraded, last.diagnostics.reason_code), (false, None));
}

/// A user in Cairo saw more active time on 30 October than the time for which the computer was in use. The clock went
/// back at midnight, and only the rows of windows contained the change.
#[test]
fn clock_change_at_midnight_adds_no_active_time() {
    let mut history = History::core_on_workstation();
    let active = history.group(1, &Group::state("ManicTime/Active", "Active"));
    let usage = across("2025-10-30 23:30:00", 180, "2025-10-31 00:30:00", 120);
    history.activity(1, &Activity::new("Active", usage).group(active));
    let editor = history.group(2, &Group::application("editor.exe;editor", "Editor"));
    // Adds windows of ten minutes each from 20:30 to 22:30 UTC. The window at 22:10 is missing.
    let mut window = |start: &str, start_offset, end: &str, end_offset| {
        history.activity(2, &Activity::new("main.rs", across(start, start_offset, end, end_offset)).group(editor));
    };
    window("2025-10-30 23:30:00", 180, "2025-10-30 23:40:00", 180);
    window("2025-10-30 23:40:00", 180, "2025-10-30 23:50:00", 180);
    window("2025-10-30 23:50:00", 180, "2025-10-30 23:00:00", 120);
    for (start, end) in
        [("23:00", "23:10"), ("23:10", "23:20"), ("23:20", "23:30"), ("23:30", "23:40"), ("23:40", "23:50")]
    {
        window(&format!("2025-10-30 {start}:00"), 120, &format!("2025-10-30 {end}:00"), 120);
    }
    window("2025-10-30 23:50:00", 120, "2025-10-31 00:00:00", 120);
    window("2025-10-31 00:00:00", 120, "2025-10-31 00:10:00", 120);
    window("2025-10-31 00:20:00", 120, "2025-10-31 00:30:00", 120);
    history.commit();
    let app = history.app();
    let active_time = |range: &str| {
        let sql = format!(
            "SELECT (SELECT sum(seconds) FROM computer_usage_in({range}) WHERE state = 'active'),
                (SELECT sum(seconds) FROM pieces({range})),
                (SELECT sum(counted_seconds) FROM why({range}))"
        );
        rows(&app, &sql).concat()
    };
    assert_eq!(active_time("'2025-10-30', '2025-10-31'"), "5400 | 5400 | 5400");
    assert_eq!(active_time("'2025-10-31', '2025-11-01'"), "1800 | 1200 | 1200");
    assert_eq!(active_time("'2025-10-30', '2025-11-01'"), "7200 | 6600 | 6600");
}

#[test]
fn activity_over_midnight_is_split_without_loss() {
    let history = history_of(&[span("2025-01-15 23:30:00", "2025-01-16 00:45:00")]);
    let app = history.app();
    let days = period(&app, "2025-01-15", "2025-01-17").days;
    let days: Vec<_> = days.iter().map(|day| format!("{} {}", day.date, day.total_active_minutes)).collect();
    assert_eq!(days, ["2025-01-15 30", "2025-01-16 45"]);
    let hours = "SELECT hour_local, seconds FROM app_usage ORDER BY 1";
    assert_eq!(rows(&app, hours), ["2025-01-15T23:00:00 | 1800", "2025-01-16T00:00:00 | 2700"]);
}

#[test]
fn fractions_of_seconds_are_dropped() {
    let mut history = history_of(&[span("00:00", "00:10"), span("23:50", "23:59")]);
    history.sql(
        "UPDATE Ar_Activity SET StartLocalTime = StartLocalTime || '.9', StartUtcTime = StartUtcTime || '.999999',
             EndLocalTime = EndLocalTime || '.5', EndUtcTime = EndUtcTime || '.1'",
    );
    let app = history.app();
    assert_eq!(segments(&today(&app)), ["00:00 00:10 Editor 10.0", "23:50 23:59 Editor 9.0"]);
    // An end at `23:59:00.5` is read as `23:59:00`. Therefore the row doesn't overlap a range that starts at 23:59:00.
    let ends = "SELECT count(*) FROM activities WHERE end_local > '2025-01-15T23:59:00'";
    assert_eq!(rows(&app, ends), ["0"]);
    let starts = "SELECT count(*) FROM activities WHERE start_local <= '2025-01-15T00:00:00'";
    assert_eq!(rows(&app, starts), ["2"]);
}

#[test]
fn rows_with_unreadable_times_or_without_duration_are_reported_and_ignored() {
    let mut history = History::with(SchemaOptions::default());
    history.device(1, "desk-id", "DESK");
    history.active(1, "09:00", "12:00");
    history.application(2, "Editor", "09:00", "09:30");
    for (name, column, text) in [
        ("Sorts last", "EndLocalTime", "'yesterday'"),
        ("Sorts first", "StartLocalTime", "''"),
        ("With a zone", "StartUtcTime", "'2025-01-15T09:00:00Z'"),
        ("No such day", "EndUtcTime", "'2025-02-30 10:00:00'"),
        ("A number", "StartLocalTime", "x'00'"),
    ] {
        let id = history.application(2, name, "10:00", "10:30");
        history.sql(&format!("UPDATE Ar_Activity SET {column} = {text} WHERE ReportId = 2 AND ActivityId = {id}"));
    }
    history.application(2, "No extent", "11:00", "11:00");
    history.application(2, "Backwards", "11:30", "11:10");
    history.commit();

    let app = history.app();
    run_every_query(&app).unwrap();
    let health = run_query(&app, HealthRequest).unwrap();
    let applications = health.timelines.iter().find(|timeline| timeline.id == 2).unwrap();
    assert_eq!((applications.activities, applications.unreadable, applications.without_extent), (8, 5, 2));
    let narrative = today(&app);
    assert_eq!(tops(&narrative), ["Editor 30.0"]);
    assert_eq!(narrative.total_active_minutes.to_string(), "30");
    assert_eq!(rows(&app, "SELECT sum(seconds) FROM applications"), ["1800"]);
    // Rows with unreadable times must not change the first and the last readable time.
    let dates = run_query(&app, DataRangeRequest).unwrap();
    let (start, end) = (format!("{DAY}T09:00:00"), format!("{DAY}T12:00:00"));
    assert_eq!((dates.start, dates.end), (Some(start), Some(end)));
    assert_eq!(
        applications.dates.end.as_deref(),
        Some("2025-01-15T09:30:00"),
        "the end of the last activity with a duration"
    );
}
