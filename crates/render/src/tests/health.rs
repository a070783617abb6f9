//! Tests of the output about the health of a history.

use chrono::NaiveDateTime;
use insta::assert_snapshot;

use super::{PLAIN, assert_fits, render, styles};
use crate::write_health;
use dayledger_activity::{
    Degradation, DeviceVersion, Health, HealthStatus, HourlyCoverage, ReasonCode, Role, ScreenshotState,
    ScreenshotStatus, TimelineDates, TimelineHealth,
};
use dayledger_source::Tracker;

fn timeline(id: i64, role: Role, device: &str, activities: i64) -> TimelineHealth {
    let time = |time: &str| (activities > 0).then(|| time.to_owned());
    TimelineHealth {
        id,
        role,
        device: device.to_owned(),
        activities,
        dates: TimelineDates { start: time("2024-12-02T08:50:48"), end: time("2025-01-15T17:14:23") },
        unreadable: 0,
        without_extent: 0,
    }
}

fn coverage(role: Role, lag_hours: Option<i64>) -> HourlyCoverage {
    HourlyCoverage {
        timeline_id: 1,
        role,
        device: "日本 PC".to_owned(),
        newest_activity: "2025-01-15T17:14:23".to_owned(),
        newest_hour: lag_hours.map(|_| "2025-01-15T17:00:00".to_owned()),
        lag_hours,
        days_without_totals: 0,
    }
}

fn healthy() -> Health {
    Health {
        status: HealthStatus::Ok,
        version: "1.2.3".to_owned(),
        tracker: "ManicTime".to_owned(),
        manic_time: Tracker::Running,
        manic_time_versions: vec![DeviceVersion { device: "日本 PC".to_owned(), version: "2024.3".to_owned() }],
        schema_version: Some("2.2.0.0".to_owned()),
        hourly: vec![coverage(Role::Applications, Some(0)), coverage(Role::Tags, None)],
        database: "/home/alex/.config/manictime/ManicTimeReports.db".to_owned(),
        found_by: "the default folder".to_owned(),
        journal_mode: "wal".to_owned(),
        time_zone: None,
        tables: Vec::new(),
        capabilities: Vec::new(),
        degraded: Vec::new(),
        remarks: Vec::new(),
        newest: Some("2025-01-15T17:14:23".to_owned()),
        screenshots: Some(ScreenshotState {
            status: ScreenshotStatus::Available,
            first_day: Some("2025-01-02".to_owned()),
            last_day: Some("2025-01-15".to_owned()),
            reason_code: None,
            remediation_hint: None,
        }),
        timelines: vec![
            timeline(1, Role::ComputerUsage, "Bürorechner", 99),
            timeline(12, Role::Applications, "日本 PC", 123_456),
            timeline(3, Role::Tags, "alex", 0),
        ],
    }
}

fn unhealthy() -> Health {
    let mut health = healthy();
    health.timelines[1].unreadable = 1;
    health.timelines[1].without_extent = 17;
    health.manic_time = Tracker::NotRunning;
    health.schema_version = None;
    health.hourly = vec![coverage(Role::Applications, Some(1)), coverage(Role::Documents, Some(26))];
    health.timelines[0].device = "evil\u{1b}[31m".to_owned();
    health.degraded = vec![
        Degradation {
            missing: "devices".to_owned(),
            reason_code: None,
            effect: "devices are shown by their id".to_owned(),
            remedy: "update ManicTime and let it open the history once; newer versions write this table".to_owned(),
        },
        Degradation {
            missing: "computer_usage".to_owned(),
            reason_code: Some(ReasonCode::NoComputerUsage),
            effect: "`日本 PC` has no computer-usage timeline, so time away from it counts as active".to_owned(),
            remedy: "let the tracker record computer usage on that device".to_owned(),
        },
    ];
    health
}

fn now(text: &str) -> NaiveDateTime {
    text.parse().unwrap()
}

#[test]
fn time_zone_and_data_that_is_not_read_are_reported() {
    let remarks = vec!["the bucket `aw-watcher-input_desk` isn't read".to_owned()];
    let health = Health { time_zone: Some("Europe/Berlin".to_owned()), remarks, ..healthy() };
    let text = render(|out| write_health(out, &health, now("2025-01-16T09:00:00"), &PLAIN));
    for line in ["  time zone    Europe/Berlin\n", "\n\nNot read\n  The bucket `aw-watcher-input_desk` isn't read.\n"] {
        assert!(text.contains(line), "{text}");
    }
}

#[test]
fn a_healthy_history_is_reported_first_and_columns_align() {
    assert_snapshot!(render(|out| write_health(out, &healthy(), now("2025-01-16T09:00:00"), &PLAIN)), @r"
    The history can be read, and nothing is missing.
      file         /home/alex/.config/manictime/ManicTimeReports.db
      found by     the default folder
      journal      wal
      newest data  Wed 15 Jan 2025 17:14 (yesterday)
      tracker      ManicTime is running on this computer; 2024.3 on 日本 PC
      screenshots  from 2025-01-02 to 2025-01-15
      schema       2.2.0.0
      dayledger    1.2.3

    Timelines
      id  role            device       activities  from              to
       1  computer usage  Bürorechner          99  2024-12-02 08:50  2025-01-15 17:14
      12  applications    日本 PC          123456  2024-12-02 08:50  2025-01-15 17:14
       3  tags            alex                  0  -                 -
    ");
}

#[test]
fn missing_and_ignored_data_come_with_a_remedy() {
    assert_snapshot!(render(|out| write_health(out, &unhealthy(), now("2025-02-16T09:00:00"), &PLAIN)), @r"
    The history can be read; 2 things are missing from it.
      file         /home/alex/.config/manictime/ManicTimeReports.db
      found by     the default folder
      journal      wal
      newest data  Wed 15 Jan 2025 17:14 (32 days ago)
      tracker      ManicTime is not running on this computer; 2024.3 on 日本 PC
      screenshots  from 2025-01-02 to 2025-01-15
      schema       unknown version
      dayledger    1.2.3
      No new data for over a week: check that ManicTime is running and tracking.

    Timelines
      id  role            device     activities  from              to
       1  computer usage  evil␛[31m          99  2024-12-02 08:50  2025-01-15 17:14
      12  applications    日本 PC        123456  2024-12-02 08:50  2025-01-15 17:14
       3  tags            alex                0  -                 -

    Hourly totals that lag behind the activities
      1 hour: applications of 日本 PC
      26 hours: documents of 日本 PC

    Ignored in totals
      1 activity with an invalid time, timeline 12 (applications)
      17 activities that end before or when they start, timeline 12 (applications)

    Missing
      Devices are shown by their id.
        Update ManicTime and let it open the history once; newer versions write this table.
      `日本 PC` has no computer-usage timeline, so time away from it counts as active.
        Let the tracker record computer usage on that device.
    ");
}

#[test]
fn the_age_of_the_newest_data_is_counted_in_local_days() {
    let age_text = |now_text: &str| {
        let text = render(|out| write_health(out, &healthy(), now(now_text), &PLAIN));
        let line = text.lines().find(|line| line.contains("newest data")).unwrap().to_owned();
        line[line.find('(').unwrap()..].to_owned()
    };
    assert_eq!(age_text("2025-01-15T23:59:59"), "(today)");
    assert_eq!(age_text("2025-01-16T00:00:00"), "(yesterday)");
    assert_eq!(age_text("2025-01-25T00:00:00"), "(10 days ago)");
    assert_eq!(age_text("2025-01-14T00:00:00"), "(ahead of this computer's clock)");
}

#[test]
fn an_empty_history_is_reported_as_empty() {
    let empty = Health { newest: None, timelines: Vec::new(), ..healthy() };
    let text = render(|out| write_health(out, &empty, now("2025-01-16T09:00:00"), &PLAIN));
    assert!(text.contains("contains no activity yet") && text.contains("let the tracker run"), "{text}");
}

#[test]
fn export_is_not_reported_as_a_program_that_could_run() {
    let export = Health {
        tracker: "The export".to_owned(),
        manic_time: Tracker::Unknown,
        manic_time_versions: Vec::new(),
        ..healthy()
    };
    let text = render(|out| write_health(out, &export, now("2025-02-16T09:00:00"), &PLAIN));
    assert!(text.contains("  tracker      The export; unknown whether the tracker is running\n"), "{text}");
    assert!(text.contains("check that the tracker is running and tracking."), "{text}");
}

#[test]
fn every_style_stays_within_its_width() {
    for width in [40, 60, 100, 160] {
        for style in styles(width) {
            for health in [healthy(), unhealthy()] {
                // Only a path may be wider than the line, because users must be able to copy the path. This test
                // therefore uses a short path.
                let health = Health { database: "/data/history.db".to_owned(), ..health };
                assert_fits(&render(|out| write_health(out, &health, now("2025-02-16T09:00:00"), &style)), &style);
            }
        }
    }
}
