//! Tests of the examples in `docs/activitywatch.md`. Each test runs with the database of each server.

use std::path::Path;

use super::*;
use crate::Journey;

/// The events of a day by bucket. Each text contains the name, type and host of a bucket. Each event has its start in
/// seconds since midnight, its length in seconds, and its JSON.
type Events<'e> = &'e [(&'e str, &'e [(f64, f64, String)])];

const WINDOW: &str = "aw-watcher-window_desk|currentwindow|desk";
const AFK: &str = "aw-watcher-afk_desk|afkstatus|desk";
const FIREFOX: &str = "aw-watcher-web-firefox_desk|web.tab.current|desk";
const STOPWATCH: &str = "aw-stopwatch|general.stopwatch|unknown";

/// Writes the events to a database of each server, in order, and calls `check` with the path of each database.
fn for_each_file(events: Events<'_>, check: impl Fn(&Path)) {
    let dir = tempfile::tempdir().unwrap();
    let (peewee_path, rust_path) = (dir.path().join("peewee-sqlite.v2.db"), dir.path().join("sqlite.db"));
    let (peewee, rust) = (Peewee::create(&peewee_path), Rust::create(&rust_path));
    for (bucket, events) in events {
        let [id, kind, host] = bucket.split('|').collect::<Vec<_>>().try_into().unwrap();
        let (in_peewee, in_rust) = (peewee.bucket(id, kind, host), rust.bucket(id, kind, host));
        for (start, seconds, json) in *events {
            peewee.event(in_peewee, MONDAY as f64 + start, *seconds, json);
            rust.event(in_rust, MONDAY as f64 + start, *seconds, json);
        }
    }
    for path in [peewee_path, rust_path] {
        check(&path);
    }
}

fn at(hour: u32, minute: u32) -> f64 {
    f64::from(hour * 3600 + minute * 60)
}

const MINUTES: f64 = 60.0;

/// Returns the active seconds by application.
fn applications(path: &Path) -> Vec<(String, i64)> {
    let counted = Counted::new(read_all(&source(settings(path))));
    let totals = counted.totals("applications", "desk", false);
    totals.into_iter().map(|((_, key), seconds)| (key, seconds)).collect()
}

#[track_caller]
fn assert_applications(windows: &[(f64, f64, String)], expected: &[(&str, i64)]) {
    let present = [(0.0, at(23, 0), afk("not-afk"))];
    let expected: Vec<_> = expected.iter().map(|(app, seconds)| ((*app).to_owned(), *seconds)).collect();
    for_each_file(&[(WINDOW, windows), (AFK, &present)], |path| assert_eq!(applications(path), expected));
}

#[test]
fn e1_inner_overlap_gives_the_rest_back() {
    let windows = [(at(9, 0), 30.0 * MINUTES, window("A")), (at(9, 10), 5.0 * MINUTES, window("B"))];
    assert_applications(&windows, &[("A", 1500), ("B", 300)]);
}

#[test]
fn e2_partial_overlap_counts_once() {
    let windows = [(at(10, 0), 30.0 * MINUTES, window("A")), (at(10, 20), 20.0 * MINUTES, window("B"))];
    assert_applications(&windows, &[("A", 1200), ("B", 1200)]);
}

#[test]
fn e3_to_e5_repeated_rows_of_one_window_count_once() {
    let a = || window("A");
    let same_data = [(at(11, 0), 20.0 * MINUTES, a()), (at(11, 10), 20.0 * MINUTES, a())];
    assert_applications(&same_data, &[("A", 1800)]);
    let growing = [5.0, 10.0, 15.0].map(|minutes| (at(12, 0), minutes * MINUTES, a()));
    assert_applications(&growing, &[("A", 900)]);
    assert_applications(&[1, 2, 3].map(|_| (at(13, 0), 10.0 * MINUTES, a())), &[("A", 600)]);
}

#[test]
fn e6_greater_id_wins_if_two_rows_start_together() {
    let windows = [(at(14, 0), 10.0 * MINUTES, window("A")), (at(14, 0), 20.0 * MINUTES, window("B"))];
    assert_applications(&windows, &[("B", 1200)]);
}

#[test]
fn e7_windows_of_one_poll_have_a_second_each() {
    let mut windows = vec![(at(15, 0), 60.0, window("A"))];
    windows.extend([1.0, 2.0, 3.0].map(|second| (at(15, 1) + second, 0.0, window(&format!("P{second}")))));
    windows.push((at(15, 1) + 4.0, 56.0, window("Z")));
    assert_applications(&windows, &[("A", 60), ("P1", 1), ("P2", 1), ("P3", 1), ("Z", 57)]);
}

#[test]
fn e8_window_that_passes_three_others_keeps_the_rest() {
    let inner = ["B", "C", "D"].into_iter().zip([5, 20, 35]);
    let mut windows = vec![(at(16, 0), 50.0 * MINUTES, window("A"))];
    windows.extend(inner.map(|(app, minute)| (at(16, minute), 5.0 * MINUTES, window(app))));
    assert_applications(&windows, &[("A", 2100), ("B", 300), ("C", 300), ("D", 300)]);
}

#[test]
fn g1_gap_of_five_seconds_is_shared_and_a_longer_one_is_not() {
    let windows =
        [(at(9, 0), 60.0, window("A")), (at(9, 1) + 4.0, 56.0, window("B")), (at(9, 2) + 5.001, 54.999, window("C"))];
    assert_applications(&windows, &[("A", 62), ("B", 58), ("C", 55)]);
}

#[test]
fn g4_away_within_presence_stays_active() {
    let windows = [(at(11, 0), 30.0 * MINUTES, window("A"))];
    let presence = [(at(11, 0), 30.0 * MINUTES, afk("not-afk")), (at(11, 10), 10.0 * MINUTES, afk("afk"))];
    for_each_file(&[(WINDOW, &windows), (AFK, &presence)], |path| {
        assert_eq!(applications(path), [("A".to_owned(), 1800)]);
    });
}

fn tab(url: &str, is_audible: bool) -> String {
    format!(r#"{{"url": "{url}", "title": "t", "audible": {is_audible}, "incognito": false, "tabCount": 3}}"#)
}

#[test]
fn g6_audible_tab_in_front_is_active_unless_it_is_switched_off() {
    let windows = [(at(13, 0), 40.0 * MINUTES, window("firefox.exe"))];
    let presence = [(at(13, 0), 5.0 * MINUTES, afk("not-afk")), (at(13, 5), 35.0 * MINUTES, afk("afk"))];
    let tabs = [(at(13, 5), 25.0 * MINUTES, tab("https://radio.example/", true))];
    for_each_file(&[(WINDOW, &windows), (AFK, &presence), (FIREFOX, &tabs)], |path| {
        assert_eq!(applications(path), [("firefox.exe".to_owned(), 1800)]);
        let quiet = read_all(&source(Settings { audible: false, ..settings(path) }));
        let totals = Counted::new(quiet).totals("applications", "desk", false);
        assert_eq!(day_total(&totals, "2025-10-06"), 300);
        let rows = read_all(&source(settings(path)));
        let audible: Vec<_> = rows.iter().filter(|row| row.key == "ActivityWatch/audible").collect();
        assert_eq!(audible.len(), 1, "the period with sound has a name of its own");
    });
}

#[test]
fn g7_audible_tab_behind_another_window_is_not_active() {
    let windows = [(at(14, 0), 30.0 * MINUTES, window("Code.exe"))];
    let presence = [(at(14, 0), 30.0 * MINUTES, afk("afk"))];
    let tabs = [(at(14, 0), 30.0 * MINUTES, tab("https://radio.example/", true))];
    for_each_file(&[(WINDOW, &windows), (AFK, &presence), (FIREFOX, &tabs)], |path| {
        assert!(applications(path).is_empty());
        assert!(read_all(&source(settings(path))).iter().all(|row| row.role != "websites"));
    });
}

#[test]
fn l1_window_of_three_days_counts_while_the_user_is_present() {
    let windows = [(at(18, 30), 61.0 * 3600.0, window("A")), (at(23, 0) + 86_400.0 * 9.0, 60.0, window("B"))];
    let presence = [(at(10, 0) + 86_400.0 * 2.0, 20.0 * MINUTES, afk("not-afk"))];
    for_each_file(&[(WINDOW, &windows), (AFK, &presence)], |path| {
        assert_eq!(applications(path), [("A".to_owned(), 1200)]);
        // A request for only the third day must also find the window, which starts on the first day.
        let day = MONDAY + 2 * 86_400..MONDAY + 3 * 86_400;
        let rows = read(&source(settings(path)), &scan_of(day));
        assert_eq!(day_total(&Counted::new(rows).totals("applications", "desk", false), "2025-10-08"), 1200);
    });
}

/// Returns a scan of the activities that overlap a range. The range is in seconds of local time.
pub(super) fn scan_of(range: std::ops::Range<i64>) -> ScanRequest {
    use dayledger_source::selection::{Comparison, Predicate, Test};
    let mut scan = scan(Table::Activities);
    let predicate =
        |column: &str, comparison, at| Predicate { column: column.to_owned(), test: Test::Instant(comparison, at) };
    scan.selection.predicates = vec![
        predicate("start_local", Comparison::Before, range.end),
        predicate("end_local", Comparison::After, range.start),
    ];
    scan
}

#[test]
fn stopwatches_are_tags_that_do_not_change_active_time() {
    let windows = [(at(9, 0), 60.0 * MINUTES, window("A"))];
    let presence = [(at(9, 0), 60.0 * MINUTES, afk("not-afk"))];
    let label = |label: &str, running: bool| format!(r#"{{"label": "{label}", "running": {running}}}"#);
    let tags = [
        (at(9, 30), 90.0 * MINUTES, label("Client A", false)),
        (at(10, 0), 60.0 * MINUTES, label("Call", false)),
        (at(11, 0), 0.0, label("Client A", true)),
    ];
    for_each_file(&[(WINDOW, &windows), (AFK, &presence), (STOPWATCH, &tags)], |path| {
        assert_eq!(applications(path), [("A".to_owned(), 3600)]);
        let rows = read_all(&source(settings(path)));
        let tags: Vec<_> = rows.iter().filter(|row| row.role == "tags").collect();
        let seconds: Vec<_> =
            tags.iter().map(|row| (row.name.as_str(), row.span.map(|(from, to)| to - from))).collect();
        assert_eq!(seconds, [("Client A", Some(5400)), ("Call", Some(3600)), ("Client A", Some(0))]);
        assert!(tags.iter().all(|row| row.device == "desk"), "a bucket without a host belongs to this device");
    });
}

#[test]
fn minute_of_two_devices_counts_once() {
    let windows = [(at(9, 0), 60.0 * MINUTES, window("A"))];
    let laptop = [(at(9, 30), 60.0 * MINUTES, window("B"))];
    let present = |start: f64| [(start, 60.0 * MINUTES, afk("not-afk"))];
    let buckets: Events<'_> = &[
        (WINDOW, &windows),
        (AFK, &present(at(9, 0))),
        ("aw-watcher-window_laptop-synced-from-laptop|currentwindow|laptop", &laptop),
        ("aw-watcher-afk_laptop-synced-from-laptop|afkstatus|laptop", &present(at(9, 30))),
    ];
    for_each_file(buckets, |path| {
        let counted = Counted::new(read_all(&source(settings(path))));
        assert_eq!(counted.union(&["desk", "laptop"], MONDAY..MONDAY + 24 * HOUR), 5400);
    });
}

#[test]
fn tabs_count_while_their_browser_is_in_front() {
    let windows = [
        (at(9, 0), 10.0 * MINUTES, window("firefox.exe")),
        (at(9, 10), 10.0 * MINUTES, window("Code.exe")),
        (at(9, 20), 10.0 * MINUTES, window("Firefox")),
    ];
    let presence = [(at(9, 0), 25.0 * MINUTES, afk("not-afk"))];
    let tabs = [
        (at(9, 5), 25.0 * MINUTES, tab("https://www.docs.example/a?b", false)),
        (at(9, 22), 1.0 * MINUTES, tab("about:blank", false)),
    ];
    for_each_file(&[(WINDOW, &windows), (AFK, &presence), (FIREFOX, &tabs)], |path| {
        let rows = read_all(&source(settings(path)));
        let windows: Vec<_> = rows.iter().filter(|row| row.role == "applications").map(|row| row.id).collect();
        let tabs: Vec<_> = rows.iter().filter(|row| row.role == "websites").collect();
        assert!(tabs.iter().all(|row| row.id < 0 && windows.contains(&row.related.unwrap())));
        let counted = Counted::new(rows.clone());
        let totals =
            |recorded| counted.totals("websites", "desk", recorded).into_iter().map(|((_, key), value)| (key, value));
        let (about, docs) = ("about".to_owned(), "docs.example".to_owned());
        assert_eq!(totals(true).collect::<Vec<_>>(), [(about.clone(), 60), (docs.clone(), 840)]);
        assert_eq!(totals(false).collect::<Vec<_>>(), [(about, 60), (docs, 540)]);
    });
}

#[test]
fn later_tab_of_two_profiles_of_a_browser_has_the_time() {
    let windows = [(at(9, 0), 30.0 * MINUTES, window("firefox.exe"))];
    let presence = [(at(9, 0), 30.0 * MINUTES, afk("not-afk"))];
    // Both tabs start before the window, so their visible parts start with the window.
    let early = [(at(8, 50), 30.0 * MINUTES, tab("https://early.example/", false))];
    let late = [(at(8, 55), 20.0 * MINUTES, tab("https://late.example/", false))];
    let other = "aw-watcher-web-firefox-work|web.tab.current|desk";
    for [first, second] in [[FIREFOX, other], [other, FIREFOX]] {
        for_each_file(&[(WINDOW, &windows), (AFK, &presence), (first, &early), (second, &late)], |path| {
            let totals = Counted::new(read_all(&source(settings(path)))).totals("websites", "desk", true);
            let found: Vec<_> = totals.into_iter().map(|((_, key), seconds)| (key, seconds)).collect();
            assert_eq!(found, [("early.example".to_owned(), 300), ("late.example".to_owned(), 900)]);
        });
    }
}

#[test]
fn work_across_the_end_of_summer_time_is_counted_by_its_clocks() {
    // On 26 October 2025, clocks in Berlin change at 01:00 UTC. Window B is open from 02:30 CEST to 02:30 CET.
    let day = 20.0 * 86_400.0;
    let windows = [(day - at(2, 30), 3.0 * 3600.0, window("A")), (day + at(0, 30), 3600.0, window("B"))];
    let presence = [(day - at(2, 30), 5.0 * 3600.0, afk("not-afk"))];
    for_each_file(&[(WINDOW, &windows), (AFK, &presence)], |path| {
        let berlin = Settings { zone: Some("Europe/Berlin".to_owned()), ..settings(path) };
        let rows = read_all(&source(berlin));
        let of_b: Vec<_> = rows.iter().filter(|row| row.name == "B").collect();
        let hours: Vec<_> = of_b.iter().map(|row| row.local.map(|(from, to)| (from % 86_400, to % 86_400))).collect();
        let (half_past_two, three, two) = (2 * HOUR + 30 * MINUTE, 3 * HOUR, 2 * HOUR);
        assert_eq!(hours, [Some((half_past_two, three)), Some((two, half_past_two))]);
        let totals = Counted::new(rows).totals("applications", "desk", false);
        assert_eq!(day_total(&totals, "2025-10-25"), 1800);
        assert_eq!(day_total(&totals, "2025-10-26"), 3 * HOUR + 30 * MINUTE);
    });
}

#[test]
fn journey_counts_by_the_clock_of_its_zone() {
    // 14:00 UTC is 16:00 in Berlin and 10:00 in New York. The work ends at 00:30 in Berlin, on the next day.
    let windows = [(at(14, 0), 8.5 * 3600.0, window("A"))];
    let presence = [(at(14, 0), 8.5 * 3600.0, afk("not-afk"))];
    for_each_file(&[(WINDOW, &windows), (AFK, &presence)], |path| {
        let berlin = || Settings { zone: Some("Europe/Berlin".to_owned()), ..settings(path) };
        let totals = |settings| Counted::new(read_all(&source(settings))).totals("applications", "desk", false);
        assert_eq!(day_total(&totals(berlin()), "2025-10-07"), 1800);
        let day = jiff::civil::date(2025, 10, 6);
        let journey =
            Journey { from: day, to: day, zone: "America/New_York".to_owned(), device: Some("desk".to_owned()) };
        let there = totals(Settings { journeys: vec![journey], ..berlin() });
        assert_eq!(day_total(&there, "2025-10-06"), 8 * HOUR + 30 * MINUTE);
    });
}

#[test]
fn device_without_presence_counts_whole() {
    let windows = [(at(9, 0), 60.0 * MINUTES, r#"{"app": "Messenger", "package": "org.example"}"#.to_owned())];
    let events: Events<'_> =
        &[("aw-watcher-android|currentwindow|phone", &windows), ("aw-watcher-afk|afkstatus|phone", &[])];
    for_each_file(events, |path| {
        let rows = read_all(&source(settings(path)));
        assert_eq!((rows.len(), rows[0].is_tracked, rows[0].title.clone()), (1, false, None));
    });
}
