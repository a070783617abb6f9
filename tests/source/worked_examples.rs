//! Tests the worked examples of docs/activitywatch.md, in SQL and with requests. The files have the formats of the two
//! servers. Local time is the time in Berlin, and the times of events are in UTC.

use std::sync::Arc;

use chrono::NaiveDateTime;
use dayledger::App;
use dayledger::activity::{PeriodSummaryRequest, WhyRequest, WhyTime};
use dayledger::activitywatch::{ActivityWatch, Journey, Locator, Settings};
use dayledger::source::FoundBy;
use dayledger_fixtures::{ActivityWatchWriter, Server};
use serde_json::{Value, json};

use super::app_over;
use crate::histories::{range, rows, run_query};

const WINDOWS: [&str; 3] = ["aw-watcher-window_desk", "currentwindow", "desk"];
const PRESENCE: [&str; 3] = ["aw-watcher-afk_desk", "afkstatus", "desk"];
const TABS: [&str; 3] = ["aw-watcher-web-firefox_desk", "web.tab.current", "desk"];
const STOPWATCHES: [&str; 3] = ["aw-stopwatch", "general.stopwatch", "unknown"];
const LAPTOP_WINDOWS: [&str; 3] = ["aw-watcher-window_laptop-synced-from-laptop", "currentwindow", "laptop"];
const LAPTOP_PRESENCE: [&str; 3] = ["aw-watcher-afk_laptop-synced-from-laptop", "afkstatus", "laptop"];

const MINUTE: i64 = 60;
const HOUR: i64 = 3600;

/// An event: its bucket's name, type and host, then its start in UTC, its length in seconds, and its data.
type Event<'e> = ([&'static str; 3], &'e str, i64, Value);

fn window(app: &str) -> Value {
    json!({"app": app, "title": format!("{app} window")})
}

fn present() -> Value {
    json!({"status": "not-afk"})
}

fn away() -> Value {
    json!({"status": "afk"})
}

fn tab(url: &str, is_audible: bool) -> Value {
    json!({"url": url, "title": "Page", "audible": is_audible, "incognito": false, "tabCount": 2})
}

fn stopwatch(label: &str) -> Value {
    json!({"label": label, "running": false})
}

/// Writes the events to a file of each server. Calls `check` for each file, with the settings of a source that reads
/// the file.
fn for_each_server(events: &[Event<'_>], check: impl Fn(Settings)) {
    for server in [Server::Python, Server::Rust] {
        let folder = tempfile::tempdir().unwrap();
        let mut writer = ActivityWatchWriter::in_folder(folder.path(), server).unwrap();
        let mut buckets: Vec<([&str; 3], i64)> = Vec::new();
        for (bucket, start, seconds, data) in events {
            let known = buckets.iter().find(|(known, _)| known == bucket).map(|(_, number)| *number);
            let number = known.unwrap_or_else(|| {
                let number = writer.add_bucket(bucket[0], bucket[1], bucket[2]).unwrap();
                buckets.push((*bucket, number));
                number
            });
            let start: NaiveDateTime = start.parse().unwrap();
            writer.add_event(number, start.and_utc().timestamp_micros(), seconds * 1_000_000, data).unwrap();
        }
        writer.commit().unwrap();
        let locator = Locator::from_path(folder.path(), FoundBy::Flag);
        check(Settings { zone: Some("Europe/Berlin".to_owned()), ..Settings::new(locator) });
    }
}

fn open(settings: Settings) -> App {
    app_over(Arc::new(ActivityWatch::new(settings).unwrap()))
}

/// Returns the active seconds of a range. Checks that all requests and SQL agree on this number.
#[track_caller]
fn active(app: &App, start: &str, end: &str) -> i64 {
    let days = format!("SELECT coalesce(sum(active_seconds), 0) FROM day_summary('{start}', '{end}')");
    let days: i64 = rows(app, &days)[0].parse().unwrap();
    let when = WhyTime::Range(range(start, end));
    let why = run_query(app, WhyRequest { when, device: None, include_rows: false }).unwrap();
    let period = run_query(app, PeriodSummaryRequest::new(range(start, end))).unwrap();
    let explained = [why.total_active_minutes.seconds(), period.total_active_minutes.seconds()];
    assert_eq!(explained, [days; 2], "`why` and the period from {start} to {end}");
    days
}

/// Returns the active seconds of each application in a range.
fn applications(app: &App, start: &str, end: &str) -> Vec<String> {
    let sql = format!(
        "SELECT application, sum(seconds) FROM pieces('{start}', '{end}') GROUP BY application ORDER BY application"
    );
    rows(app, &sql)
}

#[test]
fn day_of_overlaps_counts_each_second_once() {
    let mut events: Vec<Event<'_>> = vec![
        (PRESENCE, "2025-10-11T07:00:00", 8 * HOUR, present()),
        // E1: another window is recorded during this window.
        (WINDOWS, "2025-10-11T07:00:00", 30 * MINUTE, window("WINWORD.EXE")),
        (WINDOWS, "2025-10-11T07:10:00", 5 * MINUTE, window("Teams.exe")),
        // E2: the end of one window overlaps the start of the next one.
        (WINDOWS, "2025-10-11T08:00:00", 30 * MINUTE, window("WINWORD.EXE")),
        (WINDOWS, "2025-10-11T08:20:00", 20 * MINUTE, window("Teams.exe")),
        // E3: two windows overlap as in E2, but their data is equal.
        (WINDOWS, "2025-10-11T09:00:00", 20 * MINUTE, window("OUTLOOK.EXE")),
        (WINDOWS, "2025-10-11T09:10:00", 20 * MINUTE, window("OUTLOOK.EXE")),
    ];
    // E4: three rows have the same start. Each row is longer than the previous one.
    let growing = [5, 10, 15].map(|minutes| (WINDOWS, "2025-10-11T10:00:00", minutes * MINUTE, window("Code.exe")));
    // E5: three identical rows.
    let identical = [(); 3].map(|()| (WINDOWS, "2025-10-11T11:00:00", 10 * MINUTE, window("Explorer.EXE")));
    events.extend(growing.into_iter().chain(identical));
    events.extend([
        // E6: two windows start at the same time.
        (WINDOWS, "2025-10-11T12:00:00", 10 * MINUTE, window("WINWORD.EXE")),
        (WINDOWS, "2025-10-11T12:00:00", 20 * MINUTE, window("Teams.exe")),
        // E7: three windows. Each one is seen in only one poll.
        (WINDOWS, "2025-10-11T13:00:00", 60, window("Code.exe")),
        (WINDOWS, "2025-10-11T13:01:01", 0, window("WINWORD.EXE")),
        (WINDOWS, "2025-10-11T13:01:02", 0, window("Teams.exe")),
        (WINDOWS, "2025-10-11T13:01:03", 0, window("OUTLOOK.EXE")),
        (WINDOWS, "2025-10-11T13:01:04", 56, window("Code.exe")),
        // E8: during this window, three other windows are recorded.
        (WINDOWS, "2025-10-11T14:00:00", 50 * MINUTE, window("firefox.exe")),
        (WINDOWS, "2025-10-11T14:10:00", 5 * MINUTE, window("Code.exe")),
        (WINDOWS, "2025-10-11T14:20:00", 5 * MINUTE, window("Teams.exe")),
        (WINDOWS, "2025-10-11T14:30:00", 5 * MINUTE, window("OUTLOOK.EXE")),
    ]);
    for_each_server(&events, |settings| {
        let app = open(settings);
        assert_eq!(active(&app, "2025-10-11", "2025-10-12"), 11_820);
        let expected = [
            "Code.exe | 1317",
            "Explorer.EXE | 600",
            "OUTLOOK.EXE | 2101",
            "Teams.exe | 3001",
            "WINWORD.EXE | 2701",
            "firefox.exe | 2100",
        ];
        assert_eq!(applications(&app, "2025-10-11", "2025-10-12"), expected);
        let hours = [("09:00", 1800), ("10:00", 2400), ("11:00", 1800), ("12:00", 900), ("13:00", 600)];
        let hours = hours.into_iter().chain([("14:00", 1200), ("15:00", 120), ("16:00", 3000)]);
        let expected: Vec<_> = hours.map(|(hour, seconds)| format!("2025-10-11T{hour}:00 | {seconds}")).collect();
        let sql = "SELECT date_trunc('hour', start_local) AS hour, sum(seconds) \
                   FROM pieces('2025-10-11', '2025-10-12') GROUP BY hour ORDER BY hour";
        assert_eq!(rows(&app, sql), expected);
    });
}

#[test]
fn pauses_of_one_poll_between_windows_are_filled() {
    // The watcher polls every second, so each window ends one second before the next window starts.
    let starts: Vec<_> = (0..60).map(|minute| format!("2025-10-06T07:{minute:02}:00")).collect();
    let windows = starts.iter().zip(["Code.exe", "firefox.exe"].into_iter().cycle());
    let windows = windows.map(|(start, app)| (WINDOWS, start.as_str(), 59, window(app)));
    let mut events: Vec<Event<'_>> = vec![(PRESENCE, "2025-10-06T07:00:00", HOUR, present())];
    events.extend(windows);
    for_each_server(&events, |settings| {
        // If the pauses weren't filled, the sum would be 3,540 seconds. The last window isn't extended, because no
        // window follows.
        assert_eq!(active(&open(settings), "2025-10-06", "2025-10-07"), 3599);
    });
}

#[test]
fn gap_between_two_windows_is_divided() {
    let events = [
        (PRESENCE, "2025-10-06T09:00:00", 20 * MINUTE, present()),
        (WINDOWS, "2025-10-06T09:00:00", 10 * MINUTE, window("Code.exe")),
        (WINDOWS, "2025-10-06T09:10:01", 10 * MINUTE - 1, window("firefox.exe")),
    ];
    for_each_server(&events, |settings| {
        let app = open(settings);
        assert_eq!(active(&app, "2025-10-06", "2025-10-07"), 1200);
        assert_eq!(applications(&app, "2025-10-06", "2025-10-07"), ["Code.exe | 600", "firefox.exe | 600"]);
    });
}

#[test]
fn away_inside_presence_stays_active() {
    let events = [
        (PRESENCE, "2025-10-12T09:00:00", 30 * MINUTE, present()),
        (PRESENCE, "2025-10-12T09:10:00", 10 * MINUTE, away()),
        (WINDOWS, "2025-10-12T09:00:00", 30 * MINUTE, window("Code.exe")),
    ];
    for_each_server(&events, |settings| assert_eq!(active(&open(settings), "2025-10-12", "2025-10-13"), 1800));
}

#[test]
fn tab_with_sound_is_active_only_in_front() {
    let radio = || tab("https://www.radio.example/live", true);
    let events = [
        (PRESENCE, "2025-10-12T11:00:00", 5 * MINUTE, present()),
        (PRESENCE, "2025-10-12T11:05:00", 35 * MINUTE, away()),
        (WINDOWS, "2025-10-12T11:00:00", 40 * MINUTE, window("firefox.exe")),
        (TABS, "2025-10-12T11:05:00", 25 * MINUTE, radio()),
        // The same browser tab, while another window is in front.
        (PRESENCE, "2025-10-13T12:00:00", 30 * MINUTE, away()),
        (WINDOWS, "2025-10-13T12:00:00", 30 * MINUTE, window("Code.exe")),
        (TABS, "2025-10-13T12:00:00", 30 * MINUTE, radio()),
    ];
    for_each_server(&events, |settings| {
        let app = open(settings.clone());
        let days = |app: &App| {
            [("12", "13"), ("13", "14")]
                .map(|(from, to)| active(app, &format!("2025-10-{from}"), &format!("2025-10-{to}")))
        };
        assert_eq!(days(&app), [1800, 0]);
        assert_eq!(days(&open(Settings { audible: false, ..settings })), [300, 0]);
    });
}

#[test]
fn window_of_three_days_counts_on_each_day() {
    let events = [
        (WINDOWS, "2025-10-17T16:30:00", 61 * HOUR + 20 * MINUTE, window("WINWORD.EXE")),
        (PRESENCE, "2025-10-18T09:00:00", 30 * MINUTE, present()),
        (PRESENCE, "2025-10-19T08:00:00", 20 * MINUTE, present()),
    ];
    for_each_server(&events, |settings| {
        // Each range gets a new source, so that no source has cached events of another range.
        let active = |start, end| active(&open(settings.clone()), start, end);
        assert_eq!(active("2025-10-19", "2025-10-20"), 1200);
        assert_eq!(active("2025-10-18", "2025-10-19"), 1800);
        assert_eq!(active("2025-10-01", "2025-11-01"), 3000, "a month is the sum of its days");
    });
}

#[test]
fn stopwatches_are_tags_beside_active_time() {
    let events = [
        (PRESENCE, "2025-10-13T07:00:00", 3 * HOUR, present()),
        (WINDOWS, "2025-10-13T07:00:00", 3 * HOUR, window("Code.exe")),
        (STOPWATCHES, "2025-10-13T07:00:00", 90 * MINUTE, stopwatch("Client A")),
        (STOPWATCHES, "2025-10-13T08:00:00", HOUR, stopwatch("Call")),
    ];
    for_each_server(&events, |settings| {
        let app = open(settings);
        assert_eq!(active(&app, "2025-10-13", "2025-10-14"), 3 * HOUR);
        let sql = "SELECT tag, sum(seconds) FROM tags_in('2025-10-13', '2025-10-14') GROUP BY tag ORDER BY tag";
        assert_eq!(rows(&app, sql), ["Call | 3600", "Client A | 5400"]);
    });
}

#[test]
fn laptop_during_the_time_of_the_desktop_adds_nothing() {
    let events = [
        (PRESENCE, "2025-10-08T07:00:00", 4 * HOUR, present()),
        (WINDOWS, "2025-10-08T07:00:00", 4 * HOUR, window("Code.exe")),
        (LAPTOP_PRESENCE, "2025-10-08T08:00:00", HOUR, present()),
        (LAPTOP_WINDOWS, "2025-10-08T08:00:00", HOUR, window("Safari")),
    ];
    for_each_server(&events, |settings| assert_eq!(active(&open(settings), "2025-10-08", "2025-10-09"), 4 * HOUR));
}

#[test]
fn site_is_active_while_the_user_is_present() {
    let events = [
        (PRESENCE, "2025-10-06T07:00:00", 20 * MINUTE, present()),
        (WINDOWS, "2025-10-06T07:00:00", 25 * MINUTE, window("firefox.exe")),
        (WINDOWS, "2025-10-06T07:25:00", 10 * MINUTE, window("Code.exe")),
        (TABS, "2025-10-06T07:00:00", 35 * MINUTE, tab("https://www.docs.example/guide", false)),
    ];
    for_each_server(&events, |settings| {
        let app = open(settings);
        let sql = "SELECT name, sum(seconds) FROM role_pieces('websites', '2025-10-06', '2025-10-07') GROUP BY name";
        assert_eq!(rows(&app, sql), ["docs.example | 1200"]);
        assert_eq!(rows(&app, "SELECT name, sum(seconds) FROM website_usage GROUP BY name"), ["docs.example | 1500"]);
    });
}

#[test]
fn night_of_the_clock_change_has_five_hours() {
    let events = [
        (PRESENCE, "2025-10-25T21:30:00", 5 * HOUR, present()),
        (WINDOWS, "2025-10-25T21:30:00", 75 * MINUTE, window("WINWORD.EXE")),
        (WINDOWS, "2025-10-25T22:45:00", 105 * MINUTE, window("firefox.exe")),
        // The first window lasts from 02:30 in summer time to 02:30 in winter time. The second window follows
        // immediately.
        (WINDOWS, "2025-10-26T00:30:00", HOUR, window("Code.exe")),
        (WINDOWS, "2025-10-26T01:30:00", HOUR, window("Teams.exe")),
        (PRESENCE, "2025-10-26T02:45:00", 30 * MINUTE, present()),
        (WINDOWS, "2025-10-26T02:45:00", 30 * MINUTE, window("Code.exe")),
    ];
    for_each_server(&events, |settings| {
        let app = open(settings);
        assert_eq!(active(&app, "2025-10-25", "2025-10-26"), 1800);
        assert_eq!(active(&app, "2025-10-26", "2025-10-27"), 18_000);
        let expected = ["Code.exe | 5400", "Teams.exe | 3600", "WINWORD.EXE | 2700", "firefox.exe | 6300"];
        assert_eq!(applications(&app, "2025-10-26", "2025-10-27"), expected);
    });
}

#[test]
fn journey_has_the_days_of_its_zone() {
    // The day lasts from 09:02:11 to 20:30:30 in New York.
    let day = 11 * HOUR + 28 * MINUTE + 19;
    let events = ["2025-10-29T13:02:11", "2025-10-30T13:02:11"]
        .into_iter()
        .flat_map(|start| [(LAPTOP_PRESENCE, start, day, present()), (LAPTOP_WINDOWS, start, day, window("Terminal"))]);
    for_each_server(&events.collect::<Vec<_>>(), |settings| {
        let days = |settings| {
            let app = open(settings);
            [29, 30, 31].map(|day| {
                let end = if day == 31 { "2025-11-01".to_owned() } else { format!("2025-10-{}", day + 1) };
                active(&app, &format!("2025-10-{day}"), &end)
            })
        };
        // In Berlin, the last hour and a half of the day is after midnight.
        let after_midnight = HOUR + 30 * MINUTE + 30;
        assert_eq!(days(settings.clone()), [day - after_midnight, day, after_midnight]);
        let journey = Journey {
            from: "2025-10-29".parse().unwrap(),
            to: "2025-10-31".parse().unwrap(),
            zone: "America/New_York".to_owned(),
            device: Some("laptop".to_owned()),
        };
        assert_eq!(days(Settings { journeys: vec![journey], ..settings }), [day, day, 0]);
    });
}
