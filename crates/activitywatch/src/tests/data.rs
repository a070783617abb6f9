//! Comparison with files that real servers wrote, if `ACTIVITYWATCH_TEST_DATA` is the path of their folder. Each subfolder
//! has a database `aw.db`, and `oracle.json` with the seconds that an independent program counted.

use serde_json::Value;

use super::*;

#[expect(clippy::disallowed_methods, reason = "the files are too large for the repository")]
fn data_folder() -> Option<std::path::PathBuf> {
    std::env::var_os("ACTIVITYWATCH_TEST_DATA").map(Into::into)
}

/// Seconds by day and name, of a device and a table of the oracle.
fn read_expected(device: &Value, table: &str) -> BTreeMap<(String, String), f64> {
    let mut totals = BTreeMap::new();
    for (day, names) in device[table].as_object().into_iter().flatten() {
        match names.as_object() {
            Some(names) => {
                for (name, seconds) in names {
                    // The oracle has a name of its own for a missing application.
                    let name = if table == "apps" && matches!(name.as_str(), "(none)" | "") { "Unknown" } else { name };
                    *totals.entry((day.clone(), name.to_owned())).or_insert(0.0) += seconds.as_f64().unwrap();
                }
            }
            None => {
                totals.insert((day.clone(), String::new()), names.as_f64().unwrap());
            }
        }
    }
    totals
}

#[test]
fn totals_are_those_of_the_oracle() {
    let Some(folder) = data_folder() else { return };
    for name in ["peewee-0.5.17", "peewee-0.5.18", "rust-0.14.0"] {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("aw.db");
        std::fs::copy(folder.join(name).join("aw.db"), &path).unwrap();
        let oracle: Value =
            serde_json::from_str(&std::fs::read_to_string(folder.join(name).join("oracle.json")).unwrap()).unwrap();
        let berlin = Settings { zone: Some("Europe/Berlin".to_owned()), private_titles: true, ..settings(&path) };
        let rows = read_all(&source(berlin));
        let counted = Counted::new(rows);
        let mut wrong = Vec::new();
        for (device, expected_of) in oracle["hosts"].as_object().unwrap() {
            let tables = [
                ("apps", "applications", false, 3.0),
                // Each of their many short parts is cut to whole seconds.
                ("sites", "websites", false, 4.0),
                ("sites_with_afk", "websites", true, 4.0),
                ("files", "documents", true, 4.0),
                ("recorded", "applications", true, 3.0),
            ];
            for (table, role, recorded, limit) in tables {
                if expected_of.get(table).is_none() {
                    continue;
                }
                let (mine, theirs) = (counted.totals(role, device, recorded), read_expected(expected_of, table));
                let keys: std::collections::BTreeSet<_> = mine.keys().chain(theirs.keys()).collect();
                for key in keys {
                    let (a, b) = (mine.get(key).copied().unwrap_or(0) as f64, theirs.get(key).copied().unwrap_or(0.0));
                    if (a - b).abs() > limit {
                        wrong.push(format!("{name} {device} {table} {key:?}: {a} instead of {b}"));
                    }
                }
                if table == "apps" {
                    for ((day, _), seconds) in read_expected(expected_of, "window") {
                        let total = day_total(&mine, &day) as f64;
                        if (total - seconds).abs() > 2.0 {
                            wrong.push(format!("{name} {device} {day}: {total} instead of {seconds}"));
                        }
                    }
                }
            }
        }
        for (day, names) in oracle["tags"].as_object().unwrap() {
            for (label, seconds) in names.as_object().unwrap() {
                // Two stopwatches can run at once, so the seconds of a label are those of its rows.
                let rows = counted.rows.iter().filter(|row| row.role == "tags" && row.name == *label);
                let of_day =
                    rows.filter(|row| row.local.is_some_and(|(start, _)| format_day(start.div_euclid(86_400)) == *day));
                let found: i64 = of_day.filter_map(|row| row.span).map(|(start, end)| end - start).sum();
                // The night shift lasts beyond midnight, and the oracle splits it.
                if (found as f64 - seconds.as_f64().unwrap()).abs() > 1.0 && label != "Night shift" {
                    wrong.push(format!("{name} tag {label} on {day}: {found} instead of {seconds}"));
                }
            }
        }
        let devices: Vec<&str> =
            oracle["hosts"].as_object().unwrap().keys().map(String::as_str).filter(|name| *name != "pixel-8").collect();
        // 8 October in Berlin.
        let day = MONDAY + 2 * 86_400 - 2 * HOUR..MONDAY + 3 * 86_400 - 2 * HOUR;
        let both = counted.union(&devices, day);
        assert!((25_676..=25_678).contains(&both), "{name}: two devices: {both}");
        assert!(wrong.is_empty(), "{name}: {} differences\n{}", wrong.len(), wrong.join("\n"));
    }
}

#[test]
fn copy_of_a_running_server_is_read_with_its_log() {
    let Some(folder) = data_folder() else { return };
    let dir = tempfile::tempdir().unwrap();
    let live = folder.join("rust-0.14.0-live");
    std::fs::copy(live.join("aw.db"), dir.path().join("aw.db")).unwrap();
    assert!(source(settings(&dir.path().join("aw.db"))).health().is_err(), "without its log the file has no tables");
    let log = live.join("aw.db-wal");
    if log.exists() {
        std::fs::copy(log, dir.path().join("aw.db-wal")).unwrap();
        assert_eq!(read_all(&source(settings(&dir.path().join("aw.db")))).len(), 130);
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
