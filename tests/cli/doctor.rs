//! Tests `doctor` with histories that can and can't be read.

use std::fs;

use dayledger_fixtures::SchemaOptions;
use dayledger_fixtures::demo::{Plan, write};
use serde_json::{Value, json};

use super::program::{Home, date, demo};
use super::{assert_fails, run, stdout_of};
use crate::mcp::notes::{damage, workspace};

fn json(home: &Home, data: &std::path::Path) -> (Option<i32>, Value) {
    let output = run(&mut home.program_for(data, ["doctor", "--json"]));
    assert!(output.stderr.is_empty());
    (output.status.code(), serde_json::from_slice(&output.stdout).unwrap())
}

#[test]
fn complete_history_is_reported_by_timeline() {
    let (home, data) = (Home::new(), demo());
    let (code, health) = json(&home, data.path());
    assert_eq!((code, &health["usable"], &health["degraded"]), (Some(0), &Value::Bool(true), &Value::Array(vec![])));
    assert_eq!((&health["status"], &health["schemaVersion"]), (&Value::from("ok"), &Value::from("2.2.0.0")));
    assert_eq!(health["timelines"].as_array().unwrap().len(), 8);
    let count: i64 = health["timelines"].as_array().unwrap().iter().map(|t| t["activities"].as_i64().unwrap()).sum();
    let rows = stdout_of(
        &mut home.program_for(data.path(), ["sql", "--format", "csv", "-c", "SELECT count(*) AS n FROM activities"]),
    );
    assert_eq!(rows, format!("n\n{count}\n"));
    let text = stdout_of(&mut home.program_for(data.path(), ["doctor"]));
    assert!(text.starts_with("The history can be read, and nothing is missing.\n"), "{text}");
    for timeline in health["timelines"].as_array().unwrap() {
        assert!(text.contains(timeline["device"].as_str().unwrap()), "{text}");
    }
    assert!(text.contains("newest data") && text.contains("--data-dir"), "{text}");
}

#[test]
fn missing_data_is_reported_with_a_hint() {
    let (home, data) = (Home::new(), tempfile::tempdir().unwrap());
    let tables = SchemaOptions::core();
    let plan = Plan { days: 2, activities_per_day: 40, tables, ..Plan::new(date("2026-11-19")) };
    write(data.path(), &plan).unwrap();
    let (code, health) = json(&home, data.path());
    assert_eq!(code, Some(0));
    let missing: Vec<_> = health["degraded"]
        .as_array()
        .unwrap()
        .iter()
        .map(|degradation| {
            assert!(!degradation["remedy"].as_str().unwrap().is_empty());
            degradation["missing"].as_str().unwrap()
        })
        .collect();
    assert!(missing.contains(&"hourly_applications") && missing.contains(&"devices"), "{missing:?}");
    let text = stdout_of(&mut home.program_for(data.path(), ["doctor"]));
    assert!(text.contains("Application usage is computed from activities."), "{text}");
}

#[test]
fn doctor_reports_a_device_without_computer_usage() {
    let (home, data) = (Home::new(), demo());
    let connection = rusqlite::Connection::open(data.path().join("ManicTimeReports.db")).unwrap();
    connection.execute("UPDATE Ar_Timeline SET SchemaName = 'Other/Other' WHERE ReportId = 5", []).unwrap();
    drop(connection);
    let (_, health) = json(&home, data.path());
    let degraded = health["degraded"].as_array().unwrap();
    assert_eq!(degraded.len(), 1, "{health}");
    assert_eq!(degraded[0]["missing"], "computer_usage");
    assert!(degraded[0]["effect"].as_str().unwrap().contains("`LAPTOP`"), "{health}");
}

/// The test starts a copy of this program under ManicTime's name. The copy looks like a running ManicTime, because it
/// waits for input and doesn't end.
#[cfg(unix)] // a link gives the program another name
#[test]
fn doctor_detects_a_running_manictime() {
    let (home, data) = (Home::new(), demo());
    let tracker = data.path().join("ManicTime");
    std::os::unix::fs::symlink(assert_cmd::cargo::cargo_bin!("dayledger"), &tracker).unwrap();
    let mut command = std::process::Command::new(&tracker);
    let mut tracker =
        command.arg("serve").stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::null()).spawn().unwrap();
    let (_, health) = json(&home, data.path());
    let text = stdout_of(&mut home.program_for(data.path(), ["doctor"]));
    drop(tracker.stdin.take());
    tracker.wait().unwrap();
    assert_eq!((&health["tracker"], &health["manicTime"]), (&"ManicTime".into(), &"running".into()));
    assert!(text.contains("ManicTime is running on this computer"), "{text}");
}

#[test]
fn unusable_history_fails_with_a_hint() {
    let (home, data) = (Home::new(), tempfile::tempdir().unwrap());
    let database = data.path().join("ManicTimeReports.db");
    let check = |code: &str, message: &str, hint: &str| {
        assert_fails(&mut home.program_for(data.path(), ["doctor"]), message, hint);
        let (exit, health) = json(&home, data.path());
        assert_eq!(
            (exit, &health["usable"], &health["error"]["code"]),
            (Some(1), &Value::Bool(false), &Value::from(code))
        );
        assert_eq!(health["status"], "unavailable");
        let configuration = json!({ "path": home.configuration(), "isThere": false });
        assert_eq!(health["configuration"], configuration, "the path of the missing file is shown");
        assert!(health["error"]["hint"].as_str().unwrap().contains(hint), "{health}");
    };
    check("DATABASE_NOT_FOUND", "cannot find a ManicTime history", "`ManicTimeReports.db` with `--data-dir`");
    fs::write(data.path().join("ManicTime.sdf"), "old").unwrap();
    check("DATABASE_TOO_OLD", "older than ManicTime 4", "update ManicTime");
    fs::write(&database, "a text file with the name of a database").unwrap();
    check("DATABASE_NOT_READABLE", "not an SQLite file", "password");
    fs::remove_file(&database).unwrap();
    rusqlite::Connection::open(&database)
        .unwrap()
        .execute_batch("CREATE TABLE Ar_Timeline (ReportId, SchemaName)")
        .unwrap();
    check("SCHEMA_INCOMPLETE", "lacks the table `Ar_Activity`", "ManicTime 4");
}

#[test]
fn doctor_shows_the_version_of_the_time_zone_data() {
    let (home, data) = (Home::new(), demo());
    let zones = json(&home, data.path()).1["timeZones"].clone();
    assert!(zones["outdated"].is_boolean(), "{zones}");
    let version = zones["version"].as_str().unwrap();
    let text = stdout_of(&mut home.program_for(data.path(), ["doctor"]));
    assert!(text.contains("\nTime zones\n") && text.contains(&format!("IANA {version}")), "{text}");
}

// The output used to count events in an unknown time zone, but didn't contain the reason why they aren't used. If a
// calendar existed in two files, its events were counted twice.
#[test]
fn doctor_shows_why_events_are_not_used_without_their_titles() {
    let (home, data) = (Home::new(), demo());
    let folder = home.configure("[[calendars]]\nfile = '*.ics'\n").parent().unwrap().to_owned();
    let calendar = "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\nSUMMARY:Secret\r\nDTSTART;TZID=Nowhere:20261117T100000\r\n\
                    DURATION:PT1H\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nUID:2\r\nSUMMARY:Secret\r\nDTSTART:20261117T100000Z\r\n\
                    DURATION:PT1H\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n";
    fs::write(folder.join("a.ics"), calendar).unwrap();
    fs::write(folder.join("b.ics"), calendar).unwrap();
    let text = stdout_of(&mut home.program_for(data.path(), ["doctor"]));
    assert!(text.contains("2 events ignored: copies or older versions of other events"), "{text}");
    assert!(text.contains("2 events: unknown time zone `Nowhere`") && !text.contains("Secret"), "{text}");
    let state = json(&home, data.path()).1["calendars"][0].clone();
    assert_eq!((&state["events"], &state["copies"]), (&1.into(), &2.into()));
    assert_eq!(state["problems"], json!([{ "subject": "event", "reason": "unknown time zone `Nowhere`", "count": 2 }]));
}

#[test]
fn doctor_reports_whether_calls_count() {
    let (home, data) = (Home::new(), demo());
    let calls = || {
        let text = stdout_of(&mut home.program_for(data.path(), ["doctor"]));
        (json(&home, data.path()).1["time"]["calls"].clone(), text.contains("also away from the keyboard"))
    };
    assert_eq!(calls(), (Value::Bool(false), false));
    home.configure("[time]\ncalls = true\n");
    assert_eq!(calls(), (Value::Bool(true), true));
}

#[test]
fn doctor_reports_unreadable_notes() {
    let (home, data) = (Home::new(), demo());
    let output = |home: &Home| stdout_of(&mut home.program_for(data.path(), ["doctor"]));
    assert!(!output(&home).contains("\nNotes\n"), "a configuration without notes has no section for notes");

    let folder = workspace(&home);
    home.configure(&format!("[notes]\nworkspace = '{}'\n", folder.display()));
    let doctor = output(&home);
    assert!(doctor.contains("dayledger.toml  read\n"), "{doctor}");
    assert!(doctor.ends_with("    2 notes, the newest from 2024-12-10\n"), "{doctor}");
    let without_history = run(&mut home.program(["doctor"]));
    let stdout = String::from_utf8(without_history.stdout).unwrap();
    assert!(
        !without_history.status.success() && stdout.ends_with("    2 notes, the newest from 2024-12-10\n"),
        "{stdout}"
    );
    fs::write(folder.join("2024-12-11-cut.md"), vec![b'a'; 51 * 1024 * 1024]).unwrap();
    fs::create_dir_all(folder.join(".chronicle")).unwrap();
    fs::write(folder.join(".chronicle/actions.json"), "{,}").unwrap();
    fs::create_dir_all(folder.join(".meta")).unwrap();
    fs::write(folder.join(".meta/2024-12-10-project-kickoff.json"), "[1,]").unwrap();
    damage(&folder);
    let (_, health) = json(&home, data.path());
    assert_eq!((&health["notes"]["notes"], &health["notes"]["newest"]), (&3.into(), &"2024-12-11".into()));
    let problems = health["notes"]["problems"].as_array().unwrap();
    let says = |problem: &Value, what: &str| problem.as_str().unwrap().contains(what);
    assert_eq!(problems.len(), 4, "{problems:?}");
    assert!(
        says(&problems[0], "history of the workspace is damaged") && says(&problems[0], "`git fsck`"),
        "{problems:?}"
    );
    assert!(says(&problems[1], ".chronicle/actions.json"), "{problems:?}");
    assert!(says(&problems[2], "2024-12-11-cut.md") && says(&problems[2], "50 MB"), "{problems:?}");
    assert!(says(&problems[3], ".meta/2024-12-10-project-kickoff.json"), "{problems:?}");

    fs::rename(&folder, folder.with_file_name("moved")).unwrap();
    assert!(output(&home).contains("\nNotes\n"));
    let (_, health) = json(&home, data.path());
    assert!(says(&health["notes"]["problems"][0], "is not a folder; correct `workspace`"), "{health}");
}

/// A wrong `screenshots_dir` used to be reported as a history without a screenshots folder.
#[test]
fn missing_screenshots_folder_is_reported_with_its_setting() {
    let (home, data) = (Home::new(), demo());
    home.configure("screenshots_dir = '/nope/shots'");
    let (_, health) = json(&home, data.path());
    let hint = "the screenshots folder `/nope/shots` does not exist; correct `screenshots_dir` in dayledger.toml";
    assert_eq!(health["screenshots"]["remediationHint"], hint);
    let text = stdout_of(&mut home.program_for(data.path(), ["doctor"]));
    assert!(text.contains("none: the screenshots folder `/nope/shots` does not exist"), "{text}");
    let flag = stdout_of(&mut home.program_for(data.path(), ["--screenshots-dir", "/nope/flag", "doctor", "--json"]));
    let hint = "the screenshots folder `/nope/flag` does not exist; correct `--screenshots-dir`";
    assert_eq!(serde_json::from_str::<Value>(&flag).unwrap()["screenshots"]["remediationHint"], hint);
}
