//! Tests the screenshots that are hidden from assistants: screenshots of hidden activities, and screenshots whose
//! content is unknown.

use std::sync::Arc;

use chrono::{NaiveDateTime, TimeDelta};
use dayledger::activity::{Filter, ReasonCode, Sampling, ScreenshotsRequest};
use dayledger::manictime::Source;
use dayledger::request::Limit;
use dayledger::screenshots::ConfiguredFolder;
use dayledger::source::{FoundBy, HiddenScreenshots, HistorySource, Privacy, Redaction};
use dayledger::{App, AppBuilder};
use dayledger_fixtures::{Activity, Group, Span};

use super::pattern;
use crate::histories::{
    DAY, History, app_over, app_without_screenshots, builder_at, day, rows, run_query, source_at, span, stored_time,
};
use crate::mcp::screenshots::store::Store;

fn application_rule() -> Privacy {
    Privacy::new([], [pattern("vault*")], [])
}

fn site_rule() -> Privacy {
    Privacy::new([], [], [pattern("*.bank.example")])
}

fn source(history: &History, privacy: Privacy) -> Source {
    source_at(history.folder()).with_privacy(privacy)
}

fn assert_hidden(history: &History, privacy: Privacy) -> Arc<HiddenScreenshots> {
    source(history, privacy).hidden_screenshots().unwrap()
}

/// Returns a history with an editor from 08:00 to 18:00, except for a password vault from 09:30 to 09:40.
fn history() -> History {
    let mut history = History::on_workstation();
    history.application(2, "Editor", "08:00", "09:30");
    history.application(2, "Vault", "09:30", "09:40");
    history.application(2, "Editor", "09:40", "18:00");
    history.commit();
    history
}

fn local(time: &str) -> NaiveDateTime {
    NaiveDateTime::parse_from_str(&stored_time(time), "%Y-%m-%d %H:%M:%S").unwrap()
}

/// Whether a screenshot with a UTC offset in its name is hidden. The offset is in minutes.
fn with_offset(pictures: &HiddenScreenshots, time: &str, offset: i64) -> bool {
    pictures.hides(local(time), Some(local(time) - TimeDelta::minutes(offset)))
}

/// Whether a screenshot is hidden. Checks that the result is the same with and without the offset in its name.
#[track_caller]
fn covers(pictures: &HiddenScreenshots, time: &str) -> bool {
    let without = pictures.hides(local(time), None);
    assert_eq!(with_offset(pictures, time, 60), without, "{time}");
    without
}

#[track_caller]
fn assert_covered(pictures: &HiddenScreenshots, times: &[(&str, bool)]) {
    for (time, is_covered) in times {
        assert_eq!(covers(pictures, time), *is_covered, "{time}");
    }
}

#[test]
fn screenshots_within_ten_seconds_of_a_hidden_application_are_withheld() {
    let pictures = assert_hidden(&history(), application_rule());
    assert!(!pictures.hides_all());
    assert_covered(
        &pictures,
        &[
            ("09:29:49", false),
            ("09:29:50", true),
            ("09:35", true),
            ("09:40", true),
            ("09:40:10", true),
            ("09:40:11", false),
            ("08:00", false),
            ("18:00", false),
        ],
    );
    let pictures = assert_hidden(&history(), Privacy::new([], [pattern("nothing-of-this-name")], []));
    assert_covered(&pictures, &[("09:35", false)]);
}

#[test]
fn hidden_site_withholds_screenshots_by_name_url_and_without_a_link() {
    let mut history = history();
    history.website(3, "my.bank.example", "10:00", "10:01");
    let portal = history.group(3, &Group::web_site("portal"));
    history.activity(3, &Activity::new("https://my.bank.example/a", span("10:10", "10:11")).group(portal));
    history.activity(3, &Activity::new("https://my.bank.example/b", span("10:20", "10:21")));
    history.website(3, "open.example", "10:30", "10:31");
    history.commit();
    let covered = [("10:00:30", true), ("10:10:30", true), ("10:20:30", true), ("10:30:30", false), ("09:35", false)];
    assert_covered(&assert_hidden(&history, site_rule()), &covered);
}

#[test]
fn any_redaction_withholds_all_screenshots() {
    for kind in Redaction::ALL {
        let pictures = assert_hidden(&history(), Privacy::new([kind], [], []));
        assert!(pictures.hides_all() && covers(&pictures, "12:00"), "{kind:?}");
    }
}

#[test]
fn hidden_application_withholds_screenshots_of_all_devices() {
    let mut history = history();
    history.device(11, "far-id", "FAR");
    let vault = history.group(12, &Group::application("vault.exe;vault", "Vault"));
    let far = Span::local(&stored_time("17:00"), &stored_time("17:10"), 9 * 60).unwrap();
    history.activity(12, &Activity::new("x", far).group(vault));
    history.commit();
    let pictures = assert_hidden(&history, application_rule());
    assert!(with_offset(&pictures, "09:05", 60), "08:05 in UTC");
    assert!(with_offset(&pictures, "17:05", 9 * 60));
    assert!(pictures.hides(local("17:05"), None), "without an offset, local time decides");
    assert!(!pictures.hides(local("09:05"), None));
    assert!(!with_offset(&pictures, "10:05", 60));
}

#[test]
fn screenshots_around_a_clock_change_are_checked_by_both_clocks() {
    let mut history = History::on_workstation();
    let at = |time: &str| format!("2025-10-26 {time}");
    let mut add = |name: &str, from: (&str, i64), to: (&str, i64)| {
        let group = history.group(2, &Group::application(&format!("{name}.exe").to_lowercase(), name));
        let span = Span::across(&at(from.0), from.1, &at(to.0), to.1).unwrap();
        history.activity(2, &Activity::new(name, span).group(group));
    };
    add("Editor", ("00:00:00", 120), ("02:20:00", 120));
    add("Vault", ("02:20:00", 120), ("02:25:00", 120));
    add("Editor", ("02:25:00", 120), ("02:50:00", 120));
    // This window lasts twenty minutes. Because of the clock change, its local end is before its local start.
    add("Vault", ("02:50:00", 120), ("02:10:00", 60));
    add("Editor", ("02:10:00", 60), ("09:00:00", 60));
    history.commit();
    let pictures = assert_hidden(&history, application_rule());
    for (time, offset, is_covered) in [
        ("02:22:00", Some(120), true),
        ("02:22:00", Some(60), true),
        ("02:22:00", None, true),
        ("02:55:00", Some(120), true),
        ("02:05:00", Some(60), true),
        ("02:55:00", None, true),
        ("02:05:00", None, true),
        ("02:35:00", Some(120), false),
        ("02:35:00", Some(60), false),
        ("02:35:00", None, false),
        ("03:30:00", Some(60), false),
    ] {
        let time = at(time);
        let covered = match offset {
            Some(offset) => with_offset(&pictures, &time, offset),
            None => pictures.hides(local(&time), None),
        };
        assert_eq!(covered, is_covered, "{time} {offset:?}");
    }
}

#[test]
fn unreadable_time_withholds_all_possible_screenshots() {
    let of = |change: &str| {
        let mut history = history();
        // A file can contain null in columns that ManicTime itself always fills.
        history.sql(
            "PRAGMA writable_schema = ON;
             UPDATE sqlite_schema SET sql = replace(sql, ' NOT NULL', '') WHERE name = 'Ar_Activity';
             PRAGMA writable_schema = RESET",
        );
        history.sql(&format!("UPDATE Ar_Activity SET {change} WHERE ReportId = 2 AND ActivityId = 2"));
        assert_hidden(&history, application_rule())
    };
    let pictures = of("EndLocalTime = NULL, EndUtcTime = NULL");
    assert_covered(&pictures, &[("08:20", false), ("09:30", true), ("17:00", true)]);
    let pictures = of("StartLocalTime = '15.01.2025 09:30', StartUtcTime = 'x'");
    assert_covered(&pictures, &[("08:30", true), ("09:40", true), ("10:41", false)]);
    let pictures = of("StartLocalTime = NULL, StartUtcTime = NULL, EndLocalTime = '', EndUtcTime = 7");
    assert!(pictures.hides_all() && covers(&pictures, "12:00"));
    // Only the local time is known here. The time zone is unknown, and can be half a day ahead of UTC or behind it.
    let pictures = of("StartUtcTime = NULL, EndUtcTime = NULL");
    assert!(covers(&pictures, "09:35") && pictures.hides(local("12:00"), Some(local("19:00"))));
    let pictures = of("StartLocalTime = NULL, EndLocalTime = NULL");
    assert!(covers(&pictures, "09:35"));
    assert!(!of("Notes = NULL").hides_all());
}

#[test]
fn screenshots_outside_the_recorded_range_are_withheld() {
    let pictures = assert_hidden(&history(), application_rule());
    assert_covered(&pictures, &[("07:59:59", true), ("08:00", false), ("18:00", false), ("18:00:01", true)]);
    let mut nothing_recorded = History::new();
    nothing_recorded.device(1, "desk-id", "DESK");
    nothing_recorded.active(1, "08:00", "18:00");
    nothing_recorded.commit();
    assert!(assert_hidden(&nothing_recorded, site_rule()).hides_all());
}

#[test]
fn changed_history_updates_withheld_screenshots_without_a_second_read() {
    let mut history = history();
    let source = source(&history, application_rule());
    let first = source.hidden_screenshots().unwrap();
    assert!(Arc::ptr_eq(&first, &source.hidden_screenshots().unwrap()));
    assert!(!covers(&first, "12:00"));
    history.application(2, "Vault", "11:55", "12:05");
    history.commit();
    assert!(covers(&source.hidden_screenshots().unwrap(), "12:00"));
}

#[test]
fn history_is_read_only_if_rules_need_it() {
    let nowhere = tempfile::tempdir().unwrap();
    let under = |privacy| source_at(nowhere.path()).with_privacy(privacy);
    let pictures = under(Privacy::default()).hidden_screenshots().unwrap();
    assert!(!pictures.hides_all() && !covers(&pictures, "12:00"));
    assert!(under(Privacy::new([Redaction::Titles], [], [])).hidden_screenshots().unwrap().hides_all());
    for privacy in [application_rule(), site_rule()] {
        assert!(under(privacy).hidden_screenshots().is_err());
    }
}

#[test]
fn withheld_screenshots_are_reported_for_every_request() {
    let history = history();
    let request = ScreenshotsRequest {
        range: day(DAY),
        device: None,
        filter: Filter::default(),
        sampling: Sampling::Interval,
        interval: None,
        max_count: Limit::default(),
    };
    let reason = |app: &App| run_query(app, request.clone()).unwrap().diagnostics.reason_code;
    let source = || source_at(history.folder());
    assert_eq!(reason(&app_over(source())), Some(ReasonCode::DirectoryMissing));
    assert_eq!(reason(&app_without_screenshots(source())), Some(ReasonCode::ScreenshotsWithheld));
}

/// Titles must be removed only from the rows, and screenshots of hidden applications must stay hidden.
#[test]
fn privacy_titles_and_screenshots_folder_can_be_set_in_any_order() {
    let (history, elsewhere) = (history(), tempfile::tempdir().unwrap());
    Store::in_history_folder(elsewhere.path()).add("2025-01-15 09:20:00", 1).add("2025-01-15 09:35:00", 2);
    let folder = elsewhere.path().join("Screenshots");
    let options: [&dyn Fn(AppBuilder) -> AppBuilder; 3] = [
        &|builder: AppBuilder| builder.with_privacy(application_rule()),
        &AppBuilder::without_titles,
        &|builder: AppBuilder| builder.with_screenshots_folder(ConfiguredFolder::new(&folder, FoundBy::Flag)),
    ];
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        let builder = order.iter().fold(builder_at(history.folder()), |builder, option| options[*option](builder));
        assert!(builder.own_folders().contains(&folder), "{order:?}");
        let app = builder.build().unwrap();
        let private = "SELECT name, title FROM activities WHERE title LIKE '%Editor%' OR name LIKE '%Vault%'";
        assert!(rows(&app, private).is_empty(), "{order:?}");
        let statement =
            format!("SELECT taken_local FROM screenshots WHERE taken_local >= '{DAY}' AND taken_local < '2025-01-16'");
        assert_eq!(rows(&app, &statement), ["2025-01-15T09:20:00"], "{order:?}");
    }
}
