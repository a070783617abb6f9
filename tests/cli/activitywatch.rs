//! Tests commands over a history of ActivityWatch: finding and choosing the history, the demo, and the import of
//! categories as rules.

use std::fs;
use std::path::{Path, PathBuf};

use dayledger_fixtures::demo::{Format, Plan, write};
use dayledger_fixtures::{ActivityWatchWriter, Server};
use serde_json::{Value, json};

use super::program::{Home, date, demo};
use super::{stderr_of, stdout_of};

/// Returns the folder of ActivityWatch in the home folder.
fn activitywatch(home: &Home) -> PathBuf {
    home.folder(if cfg!(target_os = "macos") {
        "Library/Application Support/activitywatch/aw-server"
    } else if cfg!(windows) {
        "cache/activitywatch/activitywatch/aw-server"
    } else {
        "data/activitywatch/aw-server"
    })
}

/// Writes two days of sample data into a folder.
fn write_demo(folder: &Path, format: Format) {
    let plan = Plan { days: 2, activities_per_day: 150, format, ..Plan::new(date("2026-11-20")) };
    write(folder, &plan).unwrap();
}

#[test]
fn new_user_gets_their_day_without_settings() {
    let home = Home::new();
    write_demo(&activitywatch(&home), Format::ActivityWatch);
    let health = stdout_of(&mut home.program(["doctor"]));
    for text in ["peewee-sqlite.v2.db", "the default folder", "UTC"] {
        assert!(health.contains(text), "{text} is missing:\n{health}");
    }
    let day = stdout_of(&mut home.program(["day", "2026-11-20"]));
    assert!(day.contains("Friday, 20 November 2026") && day.contains("code.exe"), "{day}");
}

#[test]
fn doctor_names_the_history_of_the_other_tracker() {
    let home = Home::new();
    write_demo(&activitywatch(&home), Format::ActivityWatch);
    let manictime = home.folder(if cfg!(target_os = "macos") {
        "Library/Application Support/ManicTime"
    } else if cfg!(windows) {
        "cache/Finkit/ManicTime"
    } else {
        "data/manictime"
    });
    write_demo(&manictime, Format::ManicTime);
    for (chosen, other) in [("ManicTime", "activitywatch"), ("ActivityWatch", "manictime")] {
        home.configure(&format!("source = '{}'\n", chosen.to_lowercase()));
        let health: Value = serde_json::from_str(&stdout_of(&mut home.program(["doctor", "--json"]))).unwrap();
        assert_eq!(health["tracker"], chosen);
        let others = health["otherHistories"].as_array().unwrap();
        assert_eq!(others.iter().map(|history| &history["tracker"]).collect::<Vec<_>>(), [other]);
        let text = stdout_of(&mut home.program(["doctor"]));
        assert!(text.contains("Other histories") && text.contains("--source"), "{text}");
        let text = stdout_of(&mut home.program(["doctor", "--source", other]));
        assert!(text.contains(&format!("{chosen}: ")), "{text}");
    }
}

#[test]
fn demo_command_writes_the_format_of_the_chosen_tracker() {
    let home = Home::new();
    let size = ["--until", "2026-11-20", "--days", "1", "--activities-per-day", "60"];
    let text = stdout_of(home.program(["demo", "--source", "activitywatch"]).args(size));
    assert!(text.contains(" 0 screenshots and ") && text.contains("peewee-sqlite.v2.db"), "{text}");
    let files = fs::read_dir(home.folder("activitywatch-demo")).unwrap();
    let mut names: Vec<_> = files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    assert_eq!(names, ["calendar.ics", "notes", "peewee-sqlite.v2.db"]);
}

#[test]
fn demo_of_activitywatch_shows_the_same_person() {
    let home = Home::new();
    let applications = |source: &str| {
        let sql = "SELECT DISTINCT title FROM applications WHERE title LIKE '%billing%' ORDER BY title LIMIT 3";
        stdout_of(&mut home.program(["--demo", "--source", source, "sql", "--format", "csv", "-c", sql]))
    };
    assert_eq!(applications("activitywatch"), applications("manictime"));
}

#[test]
fn export_hides_private_windows_unless_the_configuration_shows_them() {
    let home = Home::new();
    let folder = home.folder("rust");
    fs::create_dir(&folder).unwrap();
    let mut writer = ActivityWatchWriter::in_folder(&folder, Server::Rust).unwrap();
    let start = date("2025-10-06").and_hms_opt(9, 0, 0).unwrap().and_utc().timestamp_micros();
    let tab = json!({"url": "https://shop.example/zqpresent", "title": "zqgift", "audible": false, "incognito": true});
    for (bucket, kind, data) in [
        ("aw-watcher-window_desk", "currentwindow", json!({"app": "firefox.exe", "title": "zqgift - Mozilla Firefox"})),
        ("aw-watcher-afk_desk", "afkstatus", json!({"status": "not-afk"})),
        ("aw-watcher-web-firefox_desk", "web.tab.current", tab),
    ] {
        let bucket = writer.add_bucket(bucket, kind, "desk").unwrap();
        writer.add_event(bucket, start, 600_000_000, &data).unwrap();
    }
    writer.commit().unwrap();
    let export = |name: &str| {
        let range = ["export", "--from", "2025-10-06", "--include-titles", "--tables", "activities,website_usage"];
        let output = ["--format", "ndjson", "--out", name];
        stdout_of(&mut home.program_for(&folder, range.into_iter().chain(output)));
        let texts = files_below(&home.folder(name)).into_iter().map(|file| fs::read_to_string(file).unwrap());
        texts.collect::<Vec<_>>().join("\n")
    };
    let hidden = export("hidden");
    assert!(hidden.contains("firefox.exe") && hidden.contains("(private)"), "{hidden}");
    for secret in ["zqpresent", "zqgift", "shop.example"] {
        assert!(!hidden.contains(secret), "{secret} is in the export:\n{hidden}");
    }
    let own = ["sql", "--format", "csv", "-c", "SELECT title FROM activities WHERE role = 'applications'"];
    assert!(stdout_of(&mut home.program_for(&folder, own)).contains("zqgift"));
    home.configure("[activitywatch]\nprivate_titles = true\n");
    let shown = export("shown");
    for text in ["zqpresent", "zqgift", "shop.example"] {
        assert!(shown.contains(text), "{text} is missing:\n{shown}");
    }
}

/// Returns the files in a folder and its subfolders.
fn files_below(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files_below(&path) } else { vec![path] }).collect()
}

#[test]
fn categories_become_rules_of_the_configuration() {
    let home = Home::new();
    let folder = home.folder("rust");
    fs::create_dir(&folder).unwrap();
    let mut writer = ActivityWatchWriter::in_folder(&folder, Server::Rust).unwrap();
    writer.commit().unwrap();
    let import = || home.program_for(&folder, ["rules", "--from", "activitywatch"]);
    let error = stderr_of(&mut import(), 1);
    assert!(error.contains("hint: "), "{error}");
    let class = |name: &[&str], regex: &str| json!({"name": name, "rule": {"type": "regex", "regex": regex}});
    let classes = json!([class(&["Work"], "Docs"), class(&["Work", "Code"], "vim"), class(&["Media"], "(?=x)y")]);
    writer.add_setting("classes", &classes).unwrap();
    writer.commit().unwrap();
    let output = import().output().unwrap();
    let [rules, skipped] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    assert!(output.status.success() && skipped.contains("skipped the category `Media`"), "{skipped}");
    home.configure(&rules);
    let used: Value =
        serde_json::from_str(&stdout_of(&mut home.program_for(demo().path(), ["rules", "--json"]))).unwrap();
    let names: Vec<_> = used["rules"].as_array().unwrap().iter().map(|rule| rule["rule"].as_str().unwrap()).collect();
    assert_eq!(names, ["Work > Code", "Work > Code", "Work", "Work"]);
}
