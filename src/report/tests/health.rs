//! The state of a history as it is drawn.

use chrono::NaiveDateTime;
use insta::assert_snapshot;

use super::{PLAIN, assert_fits, drawn, styles};
use crate::activity::{Degradation, Health, Role, TimelineHealth};
use crate::report::write_health;

fn timeline(id: i64, role: Role, device: &str, activities: i64) -> TimelineHealth {
    let time = |time: &str| (activities > 0).then(|| time.to_owned());
    TimelineHealth {
        id,
        role,
        device: device.to_owned(),
        activities,
        start: time("2024-12-02T08:50:48"),
        end: time("2025-01-15T17:14:23"),
        unreadable: 0,
        without_extent: 0,
    }
}

fn healthy() -> Health {
    Health {
        version: "1.2.3".to_owned(),
        database: "/home/alex/.config/manictime/ManicTimeReports.db".to_owned(),
        found_by: "the usual place".to_owned(),
        journal_mode: "wal".to_owned(),
        tables: Vec::new(),
        capabilities: Vec::new(),
        degraded: Vec::new(),
        newest: Some("2025-01-15T17:14:23".to_owned()),
        timelines: vec![
            timeline(1, Role::ComputerUsage, "Bürorechner", 99),
            timeline(12, Role::Applications, "日本 PC", 123_456),
            timeline(3, Role::Tags, "alex", 0),
        ],
    }
}

fn damaged() -> Health {
    let mut health = healthy();
    health.timelines[1].unreadable = 1;
    health.timelines[1].without_extent = 17;
    health.timelines[0].device = "evil\u{1b}[31m".to_owned();
    health.degraded = vec![
        Degradation {
            missing: "devices".to_owned(),
            effect: "devices are shown by their id".to_owned(),
            remedy: "update ManicTime and let it open the history once; newer versions write this table".to_owned(),
        },
        Degradation {
            missing: "computer_usage".to_owned(),
            effect: "`日本 PC` has no computer-usage timeline, so time away from it counts as active".to_owned(),
            remedy: "turn on computer-usage tracking in ManicTime on that device".to_owned(),
        },
    ];
    health
}

fn now(text: &str) -> NaiveDateTime {
    text.parse().unwrap()
}

#[test]
fn a_healthy_history_says_so_first_and_its_columns_align() {
    assert_snapshot!(drawn(|out| write_health(out, &healthy(), now("2025-01-16T09:00:00"), &PLAIN)), @r"
    The history can be read, and nothing is missing.
      file         /home/alex/.config/manictime/ManicTimeReports.db
      found by     the usual place
      journal      wal
      newest data  Wed 15 Jan 2025 17:14 (yesterday)
      dayledger    1.2.3

    Timelines
      id  role            device       activities  from              to
       1  computer usage  Bürorechner          99  2024-12-02 08:50  2025-01-15 17:14
      12  applications    日本 PC          123456  2024-12-02 08:50  2025-01-15 17:14
       3  tags            alex                  0  -                 -
    ");
}

#[test]
fn what_is_missing_or_ignored_comes_with_what_to_do() {
    assert_snapshot!(drawn(|out| write_health(out, &damaged(), now("2025-02-16T09:00:00"), &PLAIN)), @r"
    The history can be read; 2 things are missing from it.
      file         /home/alex/.config/manictime/ManicTimeReports.db
      found by     the usual place
      journal      wal
      newest data  Wed 15 Jan 2025 17:14 (32 days ago)
      dayledger    1.2.3
      Nothing new for over a week: check that ManicTime runs and tracks.

    Timelines
      id  role            device     activities  from              to
       1  computer usage  evil␛[31m          99  2024-12-02 08:50  2025-01-15 17:14
      12  applications    日本 PC        123456  2024-12-02 08:50  2025-01-15 17:14
       3  tags            alex                0  -                 -

    Ignored by every sum
      1 activity with a time that cannot be read, timeline 12 (applications)
      17 activities that end no later than they start, timeline 12 (applications)

    Missing
      Devices are shown by their id.
        Update ManicTime and let it open the history once; newer versions write this table.
      `日本 PC` has no computer-usage timeline, so time away from it counts as active.
        Turn on computer-usage tracking in ManicTime on that device.
    ");
}

#[test]
fn the_age_of_the_newest_data_is_counted_in_local_days() {
    let said = |now_text: &str| {
        let text = drawn(|out| write_health(out, &healthy(), now(now_text), &PLAIN));
        let line = text.lines().find(|line| line.contains("newest data")).unwrap().to_owned();
        line[line.find('(').unwrap()..].to_owned()
    };
    assert_eq!(said("2025-01-15T23:59:59"), "(today)");
    assert_eq!(said("2025-01-16T00:00:00"), "(yesterday)");
    assert_eq!(said("2025-01-25T00:00:00"), "(10 days ago)");
    assert_eq!(said("2025-01-14T00:00:00"), "(ahead of this computer's clock)");
}

#[test]
fn an_empty_history_is_told_apart() {
    let empty = Health { newest: None, timelines: Vec::new(), ..healthy() };
    let text = drawn(|out| write_health(out, &empty, now("2025-01-16T09:00:00"), &PLAIN));
    assert!(text.contains("holds no activity yet") && text.contains("let ManicTime run"), "{text}");
}

#[test]
fn every_style_stays_within_its_width() {
    for width in [40, 60, 100, 160] {
        for style in styles(width) {
            for health in [healthy(), damaged()] {
                // A path alone may be wider: it is there to be copied.
                let health = Health { database: "/data/history.db".to_owned(), ..health };
                assert_fits(&drawn(|out| write_health(out, &health, now("2025-02-16T09:00:00"), &style)), &style);
            }
        }
    }
}
