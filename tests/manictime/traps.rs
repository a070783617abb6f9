//! Tests the traps in `ManicTime`'s data. Each trap has one test (docs/spec/manictime.md#traps).

use dayledger::activity::{Diagnostics, ReasonCode};
use dayledger_fixtures::{Activity, Group, SchemaOptions, TableGroup};

use crate::histories::{
    DAY, History, day, narrative, range, rows, run_every_query, segments, span, tags, today, tops, usage,
};

/// Trap 1: the ids of groups and activities are unique only within a timeline.
#[test]
fn group_ids_are_looked_up_per_timeline() {
    let mut history = History::with(SchemaOptions::core().with_groups(&[TableGroup::Tags]));
    history.device(1, "desk-id", "DESK");
    history.device(11, "laptop-id", "LAPTOP");
    history.active(1, "09:00", "09:30");
    history.active(11, "10:00", "10:20");
    // In each timeline, the first group and the first activity have the number 1.
    let here = history.application(2, "Editor", "09:00", "09:30");
    let there = history.application(12, "Browser", "10:00", "10:20");
    assert_eq!(here, there);
    history.writer().add_tag(1, "Client").unwrap();
    history.writer().tag_activity(12, there, 1).unwrap();
    history.commit();

    let app = history.app();
    assert_eq!(tops(&today(&app)), ["Editor 30.0", "Browser 20.0"]);
    let tagged = tags(&app);
    assert_eq!(tagged.tags.len(), 1, "{tagged:?}");
    assert_eq!(
        (tagged.tags[0].start.as_str(), tagged.tags[0].duration_minutes.seconds()),
        ("2025-01-15T10:00:00", 1200)
    );
}

/// Trap 2: the four timelines cover the same time, and applications stay in front while the user is away.
#[test]
fn overlapping_timelines_count_once_and_time_away_does_not_count() {
    let mut history = History::on_workstation();
    history.active(1, "09:00", "09:40");
    history.state(1, ("ManicTime/Away", "Away"), "09:40", "10:00");
    history.application(2, "Browser", "09:00", "10:00");
    history.website(3, "docs.rs", "09:00", "10:00");
    history.tag(4, &["Client"], "09:00", "10:00");
    history.commit();

    let app = history.app();
    let narrative = today(&app);
    assert_eq!(narrative.total_active_minutes.to_string(), "40");
    assert_eq!(tops(&narrative), ["Browser 40.0"]);
    assert_eq!(usage(&app, day(DAY)).total_minutes.to_string(), "60", "recorded time includes the time away");
}

/// Trap 3: a tag activity has a list instead of a group. The names in the list may contain a comma.
#[test]
fn tags_without_a_group_come_from_their_list() {
    let mut history = History::on_workstation();
    history.active(1, "09:00", "10:00");
    history.application(2, "Editor", "09:00", "10:00");
    history.tag(4, &["Meyer, Sons", "Development"], "09:00", "09:30");
    history.commit();

    let app = history.app();
    let tagged = tags(&app);
    assert_eq!(tagged.tags.len(), 1);
    assert_eq!(tagged.tags[0].path.as_deref().unwrap(), ["Meyer, Sons", "Development"]);
    assert_eq!(tagged.totals[0].name, "Meyer, Sons, Development");
    let segments = today(&app).segments.unwrap();
    assert_eq!(segments[0].tags.as_deref(), Some(&["Meyer, Sons, Development".to_owned()][..]));
}

/// Trap 4: the row of an hourly total contains only the start of its hour, not the end. The first hour belongs to the
/// range, but the hour at the range's end doesn't.
#[test]
fn range_of_hourly_totals_includes_its_first_hour_and_excludes_its_end() {
    let mut history = History::on_workstation();
    let editor = history.writer().add_common_group(&Group::application("editor.exe;editor", "Editor")).unwrap();
    for (hour, seconds) in
        [("2025-01-14 23", 60), ("2025-01-15 00", 600), ("2025-01-15 23", 1200), ("2025-01-16 00", 3000)]
    {
        history.sql(&format!("INSERT INTO Ar_ApplicationByDay VALUES (2, '{hour}:00:00', {editor}, {seconds})"));
    }

    let answer = usage(&history.app(), day(DAY));
    assert_eq!(answer.total_minutes.to_string(), "30");
    assert_eq!(answer.usage[0].name, "Editor");
    assert!(!answer.diagnostics.degraded);
}

/// Trap 5: `Ar_*ByYear` contains histograms of whole years, with the date 1 January.
#[test]
fn yearly_histogram_does_not_count_as_a_day() {
    let mut history = History::on_workstation();
    let editor = history.writer().add_common_group(&Group::application("editor.exe;editor", "Editor")).unwrap();
    history.sql(&format!("INSERT INTO Ar_ApplicationByYear VALUES (2, '2025-01-01 09:00:00', 3, {editor}, 360000)"));

    let app = history.app();
    let answer = usage(&app, day("2025-01-01"));
    assert_eq!((answer.usage.len(), answer.total_minutes.to_string().as_str()), (0, "0"));
    assert_eq!(narrative(&app, day("2025-01-01")).total_active_minutes.to_string(), "0");
    assert_eq!(rows(&app, "SELECT count(*) FROM app_usage"), ["0"]);
}

/// Trap 6: a window can have the title "Active", and an application can have the name "Active".
#[test]
fn window_titled_active_does_not_count_as_active_time() {
    let mut history = History::on_workstation();
    history.state(1, ("ManicTime/Away", "Away"), "09:00", "10:00");
    let group = history.group(2, &Group::application("ManicTime/Active", "Active"));
    history.activity(2, &Activity::new("Active", span("09:00", "10:00")).group(group).active(true));
    history.commit();

    let app = history.app();
    let narrative = today(&app);
    assert_eq!(narrative.total_active_minutes.to_string(), "0");
    assert_eq!(segments(&narrative), [""; 0]);
    assert_eq!(rows(&app, "SELECT count(*) FROM active_intervals"), ["0"]);
}

/// Trap 7: SQLite compares times as text, so `2025-01-15T` is after every time that starts with `2025-01-15 `.
#[test]
fn range_bounds_are_compared_in_the_stored_format() {
    let mut history = History::on_workstation();
    history.active(1, "2025-01-14 23:00:00", "2025-01-16 01:00:00");
    history.application(2, "Before", "2025-01-14 23:59:00", "2025-01-15 00:00:00");
    history.application(2, "First", "2025-01-15 00:00:00", "2025-01-15 00:01:00");
    history.application(2, "Last", "2025-01-15 23:59:00", "2025-01-16 00:00:00");
    history.application(2, "After", "2025-01-16 00:00:00", "2025-01-16 00:01:00");
    history.commit();

    let app = history.app();
    for whole_day in [day(DAY), range("2025-01-15T00:00:00", "2025-01-16T00:00")] {
        let narrative = narrative(&app, whole_day);
        assert_eq!(segments(&narrative), ["00:00 00:01 First 1.0", "23:59 00:00 Last 1.0"]);
    }
    let listed = "SELECT application FROM applications \
                  WHERE start_local >= '2025-01-15T00:00:00' AND end_local <= '2025-01-16T00:00:00' ORDER BY start_utc";
    assert_eq!(rows(&app, listed), ["First", "Last"]);
}

/// Trap 8: the table of summaries may be empty, and ids of environments are text even if they look like numbers.
#[test]
fn empty_timeline_summary_and_numeric_environment_ids_are_read() {
    let mut history = History::new();
    history.device(1, "007", "DESK");
    history.device(11, "7", "LAPTOP");
    history.active(1, "09:00", "09:30");
    history.application(2, "Editor", "09:00", "09:30");
    history.sql(
        "UPDATE Ar_TimelineSummary SET StartActivityId = NULL, StartLocalTime = NULL, StartUtcTime = NULL,
             EndActivityId = NULL, EndLocalTime = NULL, EndUtcTime = NULL, ActiveStartActivityId = NULL,
             ActiveStartLocalTime = NULL, ActiveStartUtcTime = NULL, ActiveEndActivityId = NULL,
             ActiveEndLocalTime = NULL, ActiveEndUtcTime = NULL",
    );

    let app = history.app();
    run_every_query(&app).unwrap();
    assert_eq!(rows(&app, "SELECT DISTINCT device FROM applications"), ["DESK"]);
    let timelines = "SELECT device, count(*) FROM timelines GROUP BY device ORDER BY device";
    assert_eq!(rows(&app, timelines), ["DESK | 4", "LAPTOP | 4"]);
    assert_eq!(rows(&app, "SELECT count(endlocaltime) FROM manictime.ar_timelinesummary"), ["0"]);
    assert_eq!(today(&app).diagnostics, Diagnostics::healthy());
    let empty = narrative(&app, day("2025-01-01")).diagnostics;
    assert_eq!((empty.reason_code, empty.degraded), (Some(ReasonCode::NoDataInRange), false));
}
