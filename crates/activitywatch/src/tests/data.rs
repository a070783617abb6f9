//! Compares dayledger's totals with the totals of real servers. The tests need a folder with test data, whose path is
//! in `ACTIVITYWATCH_TEST_DATA`. Without this variable, the tests do nothing. Each subfolder contains:
//!
//! - `aw.db`: the database that a server wrote
//! - `truth.json`: the totals that the server returned
//! - `oracle.json`: the seconds that an independent program counted by dayledger's rules

use std::collections::BTreeSet;
use std::path::PathBuf;

use serde_json::Value;

use super::*;

/// The subfolders with test data, one for each server. All of them contain the events of the same person.
const SERVERS: [&str; 3] = ["peewee-0.5.17", "peewee-0.5.18", "rust-0.14.0"];
/// The days on which dayledger's rules lead to other totals than the servers' rules (`docs/activitywatch.md`). These
/// days have overlaps, gaps of exactly 5 seconds, an event of more than 24 hours, URLs without a host, and repeated
/// states of presence.
const DAYS_OF_OTHER_RULES: [&str; 5] = ["2025-10-11", "2025-10-12", "2025-10-19", "2025-11-01", "2025-11-04"];

#[expect(clippy::disallowed_methods, reason = "the files are too large for the repository")]
fn data_folder() -> Option<PathBuf> {
    std::env::var_os("ACTIVITYWATCH_TEST_DATA").map(Into::into)
}

/// Calls `check` for each server, with the name and folder of its test data and with settings for a copy of its
/// database. The time zone is Europe/Berlin.
fn for_each_server(check: impl Fn(&str, &Path, Settings)) {
    let Some(folder) = data_folder() else { return };
    for name in SERVERS {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("aw.db");
        std::fs::copy(folder.join(name).join("aw.db"), &path).unwrap();
        let berlin = Settings { zone: Some("Europe/Berlin".to_owned()), private_titles: true, ..settings(&path) };
        check(name, &folder.join(name), berlin);
    }
}

fn read_json(path: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// The expected seconds by day and name.
type Expected = BTreeMap<(String, String), f64>;

/// Adds the expected seconds of a day. `seconds` is one number, or an object with a number for each name. For an item
/// without a name, `seconds` has the name `(none)` or an empty name. `unnamed` replaces such a name.
fn add_expected(expected: &mut Expected, day: &str, seconds: &Value, unnamed: &str) {
    match seconds.as_object() {
        Some(names) => {
            for (name, seconds) in names {
                let name = if matches!(name.as_str(), "(none)" | "") { unnamed } else { name };
                *expected.entry((day.to_owned(), name.to_owned())).or_default() += seconds.as_f64().unwrap();
            }
        }
        None => *expected.entry((day.to_owned(), String::new())).or_default() += seconds.as_f64().unwrap_or(0.0),
    }
}

/// Descriptions of the totals that differ from the expected totals.
#[derive(Default)]
struct Differences(Vec<String>);

impl Differences {
    fn compare(&mut self, kind: &str, what: &str, found: &Totals, expected: &Expected, limit: f64) {
        let keys: BTreeSet<_> = found.keys().chain(expected.keys()).collect();
        for key in keys {
            let found = found.get(key).copied().unwrap_or(0) as f64;
            let expected = expected.get(key).copied().unwrap_or(0.0);
            if (found - expected).abs() > limit {
                self.0.push(format!("{what} {kind} {key:?}: {found} instead of {expected}"));
            }
        }
    }

    #[track_caller]
    fn assert_none(&self, name: &str) {
        assert!(self.0.is_empty(), "{name}: {} differences\n{}", self.0.len(), self.0.join("\n"));
    }
}

/// Adds up the totals of all names of a day.
fn by_day(totals: &Totals) -> Totals {
    let mut days = Totals::new();
    for ((day, _), seconds) in totals {
        *days.entry((day.clone(), String::new())).or_default() += seconds;
    }
    days
}

#[test]
fn totals_are_those_of_the_servers() {
    for_each_server(|name, folder, berlin| {
        let truth = read_json(&folder.join("truth.json"));
        // Before aw-core 0.5.18, the longer event next to a gap got the whole gap, so allow larger differences.
        let shares_gaps = name != "peewee-0.5.17";
        let limit = |seconds: f64| if shares_gaps { seconds } else { 15.0 };
        let mut differences = Differences::default();
        for (variant, audible) in [("default", true), ("no_audible", false)] {
            let counted = Counted::new(read_all(&source(Settings { audible, ..berlin.clone() })));
            for (device, variants) in truth["hosts"].as_object().unwrap() {
                let days = variants[variant].as_object().into_iter().flatten();
                let days: Vec<_> = days.filter(|(day, _)| !DAYS_OF_OTHER_RULES.contains(&day.as_str())).collect();
                let of_days = |totals: Totals| -> Totals {
                    let is_compared = |day: &str| days.iter().any(|(compared, _)| *compared == day);
                    totals.into_iter().filter(|((day, _), _)| is_compared(day)).collect()
                };
                let applications = of_days(counted.totals("applications", device, false));
                let tables = [
                    ("window_seconds", by_day(&applications), 1.0),
                    ("not_afk_seconds", of_days(counted.presence(device)), 1.0),
                    ("apps", applications, limit(3.0)),
                    ("active_sites", of_days(counted.totals("websites", device, false)), limit(4.0)),
                    ("sites", of_days(counted.totals("websites", device, true)), limit(4.0)),
                ];
                for (table, found, limit) in tables {
                    let mut expected = Expected::new();
                    for (day, totals) in &days {
                        if let Some(seconds) = totals.get(table) {
                            add_expected(&mut expected, day, seconds, "Unknown");
                        }
                    }
                    if !expected.is_empty() {
                        differences.compare(table, &format!("{variant} {device}"), &found, &expected, limit);
                    }
                }
            }
            let mut files = Totals::new();
            for device in truth["hosts"].as_object().unwrap().keys() {
                files.extend(counted.totals("documents", device, true));
            }
            let mut expected = Expected::new();
            for (day, totals) in truth["editor"].as_object().unwrap() {
                add_expected(&mut expected, day, &totals["files"], "Unknown");
            }
            differences.compare("files", variant, &files, &expected, limit(4.0));
        }
        differences.assert_none(name);
    });
}

#[test]
fn totals_are_those_of_the_oracle() {
    for_each_server(|name, folder, berlin| {
        let oracle = read_json(&folder.join("oracle.json"));
        let counted = Counted::new(read_all(&source(berlin)));
        let mut differences = Differences::default();
        for (device, expected_of) in oracle["hosts"].as_object().unwrap() {
            let applications = counted.totals("applications", device, false);
            let tables = [
                ("window", by_day(&applications), 2.0),
                ("active", counted.presence(device), 2.0),
                ("apps", applications, 3.0),
                // Sites have many short parts, and each part is rounded to whole seconds. So allow larger differences.
                ("sites", counted.totals("websites", device, false), 4.0),
                ("sites_with_afk", counted.totals("websites", device, true), 4.0),
                ("files", counted.totals("documents", device, true), 4.0),
                ("recorded", counted.totals("applications", device, true), 3.0),
            ];
            for (table, found, limit) in tables {
                let Some(days) = expected_of.get(table) else { continue };
                let mut expected = Expected::new();
                let unnamed = if table.starts_with("sites") { "(none)" } else { "Unknown" };
                for (day, seconds) in days.as_object().unwrap() {
                    add_expected(&mut expected, day, seconds, unnamed);
                }
                differences.compare(table, device, &found, &expected, limit);
            }
        }
        for (day, names) in oracle["tags"].as_object().unwrap() {
            for (label, seconds) in names.as_object().unwrap() {
                // Two stopwatches can run simultaneously, so add up the rows of each label.
                let rows = counted.rows.iter().filter(|row| row.role == "tags" && row.name == *label);
                let of_day =
                    rows.filter(|row| row.local.is_some_and(|(start, _)| format_day(start.div_euclid(86_400)) == *day));
                let found: i64 = of_day.filter_map(|row| row.span).map(|(start, end)| end - start).sum();
                // Skip the night shift: it lasts beyond midnight, and `oracle.json` splits it at midnight.
                if (found as f64 - seconds.as_f64().unwrap()).abs() > 1.0 && label != "Night shift" {
                    differences.0.push(format!("tag {label} on {day}: {found} instead of {seconds}"));
                }
            }
        }
        let devices: Vec<&str> =
            oracle["hosts"].as_object().unwrap().keys().map(String::as_str).filter(|name| *name != "pixel-8").collect();
        // 8 October 2025 in Berlin.
        let day = MONDAY + 2 * 86_400 - 2 * HOUR..MONDAY + 3 * 86_400 - 2 * HOUR;
        let both = counted.union(&devices, day);
        assert!((25_676..=25_678).contains(&both), "{name}: two devices: {both}");
        differences.assert_none(name);
    });
}

/// All servers received the same events. On 3 November, the servers store different fractions of a second, so small
/// differences are allowed.
#[test]
fn two_servers_have_the_same_totals() {
    let histories = std::cell::RefCell::new(Vec::new());
    for_each_server(|_, _, berlin| histories.borrow_mut().push(Counted::new(read_all(&source(berlin)))));
    let histories = histories.into_inner();
    let Some((rust, others)) = histories.split_last() else { return };
    for other in others {
        let mut differences = Differences::default();
        for device in ["anna-desktop", "anna-laptop", "anna-laptop.local", "pixel-8"] {
            for (role, recorded) in [("applications", false), ("websites", false), ("documents", true)] {
                let expected = rust.totals(role, device, recorded);
                let expected = expected.into_iter().map(|(key, seconds)| (key, seconds as f64)).collect();
                differences.compare(role, device, &other.totals(role, device, recorded), &expected, 2.0);
            }
        }
        differences.assert_none("another server");
    }
}

#[test]
fn odd_files_are_read_without_a_panic() {
    let Some(folder) = data_folder() else { return };
    for entry in std::fs::read_dir(folder.join("shapes")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "db") {
            continue;
        }
        let dir = tempfile::tempdir().unwrap();
        let copy = dir.path().join("aw.db");
        std::fs::copy(&path, &copy).unwrap();
        let source = source(settings(&copy));
        let day = read(&source, &examples::scan_of(MONDAY..MONDAY + 24 * HOUR));
        let hours = (MONDAY + 9 * HOUR, MONDAY + 9 * HOUR + 20 * MINUTE);
        let in_hours = |row: &Found| row.span.is_some_and(|(start, end)| start >= hours.0 - 1 && end <= hours.1 + 1);
        let counted = Counted::new(day.into_iter().filter(in_hours).collect());
        let totals = counted.totals("applications", "h", false);
        assert_eq!(day_total(&totals, "2025-10-06"), 1200, "{}", path.display());
        read_all(&source);
        source.remarks().unwrap();
        source.health().unwrap();
    }
}
