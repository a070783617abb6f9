//! Tests `timesheet`: a week from its draft to its submission.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use dayledger_fixtures::demo::{CALENDAR, Plan, write};
use dayledger_timesheet::Hours;
use serde_json::Value;
use tempfile::TempDir;

use super::program::{Home, date, demo};
use super::{assert_fails, run, stderr_of, stdout_of};

/// The week of the last day of [`demo`], which is a Thursday.
pub(super) const WEEK: &str = "2026-W47";

/// Projects for two clients of the demo's user. The time of the user's other clients doesn't belong to a project.
pub(super) const PROJECTS: &str = "[timesheet]\nhours_per_day = 8\n\
    [[timesheet.projects]]\ncode = 'NORTHWIND'\nname = 'Northwind Ltd'\ntasks = ['Billing', 'Customer portal']\n\
    [[timesheet.projects]]\ncode = 'HARBOUR'\nname = 'Harbour Foods'\ntasks = ['Stock', 'Forecast']\n";

/// Returns a home folder whose configuration has projects, and the demo's history.
pub(super) fn at_work() -> (Home, TempDir) {
    let (home, data) = (Home::new(), demo());
    home.configure(PROJECTS);
    (home, data)
}

/// Returns the command `timesheet` with these arguments.
pub(super) fn timesheet(home: &Home, data: &Path, arguments: &[&str]) -> std::process::Command {
    home.program_for(data, [&["timesheet"], arguments].concat())
}

pub(super) fn json(command: &mut std::process::Command) -> Value {
    serde_json::from_str(&stdout_of(command)).unwrap()
}

fn hundredths(hours: &Value) -> i64 {
    serde_json::from_value::<Hours>(hours.clone()).unwrap().hundredths()
}

/// Returns the sum of a field over the days of a week, in hundredths of an hour.
pub(super) fn sum(week: &Value, of: &str) -> i64 {
    week["days"].as_array().unwrap().iter().map(|day| hundredths(&day[of])).sum()
}

/// A meeting belongs to the client whose tags cover most of the meeting. This is also true for a meeting away from the
/// computer.
#[test]
fn descriptions_contain_no_meeting_of_another_client_and_no_site() {
    let (home, data) = (Home::new(), tempfile::tempdir().unwrap());
    write(data.path(), &Plan { days: 20, activities_per_day: 150, calendar: true, ..Plan::new(date("2026-11-19")) })
        .unwrap();
    home.configure(&format!("{PROJECTS}[[calendars]]\nfile = '{}'\n", data.path().join(CALENDAR).display()));
    let query = |sql: &str| -> Vec<Value> {
        let rows = json(&mut home.program_for(data.path(), ["sql", "--format", "json", "-c", sql]));
        rows.as_array().unwrap().clone()
    };
    let overlaps = query(
        "SELECT lower(m.meeting) AS meeting, t.path[1] AS client,
            CAST(sum(to_unixtime(least(m.end_utc, t.end_utc)) - to_unixtime(greatest(m.start_utc, t.start_utc)))
                AS BIGINT) AS seconds
        FROM (SELECT * FROM meetings
              WHERE NOT is_all_day AND start_local >= '2026-11-02' AND start_local < '2026-11-20') AS m
        JOIN tags AS t ON t.start_utc < m.end_utc AND m.start_utc < t.end_utc
        GROUP BY 1, 2",
    );
    let mut owners: BTreeMap<String, (i64, String)> = BTreeMap::new();
    for overlap in &overlaps {
        let text = |of: &str| overlap[of].as_str().unwrap().to_owned();
        let owner = owners.entry(text("meeting").chars().take(50).collect()).or_default();
        *owner = (overlap["seconds"].as_i64().unwrap(), text("client")).max(owner.clone());
    }
    assert!(owners.len() > 5, "{owners:?}");
    let sites = query("SELECT DISTINCT site AS name FROM websites WHERE site LIKE '%.%'");

    let mut listed = 0;
    for week in ["2026-W45", "2026-W46", WEEK] {
        let draft = json(&mut timesheet(&home, data.path(), &["draft", week, "--json"]));
        for row in draft["days"].as_array().unwrap().iter().flat_map(|day| day["rows"].as_array().unwrap()) {
            let Some(description) = row["description"].as_str().map(str::to_lowercase) else { continue };
            assert!(sites.iter().all(|site| !description.contains(site["name"].as_str().unwrap())), "{row}");
            let client = match row["projectCode"].as_str() {
                Some("NORTHWIND") => "Northwind Ltd",
                Some("HARBOUR") => "Harbour Foods",
                Some(name) => name,
                None => continue,
            };
            for (meeting, (_, owner)) in owners.iter().filter(|(meeting, _)| description.contains(meeting.as_str())) {
                assert_eq!(owner, client, "`{meeting}`: {row}");
                listed += 1;
            }
        }
    }
    assert!(listed > 5, "only {listed} rows list a meeting");
}

/// Returns the status of each line in a week's table, sorted.
fn states(week: &Value) -> Vec<&str> {
    let mut states: Vec<_> =
        week["lines"].as_array().unwrap().iter().map(|line| line["status"].as_str().unwrap_or("draft")).collect();
    states.dedup();
    states
}

#[test]
fn week_can_be_drafted_logged_submitted_and_reopened() {
    let (home, data) = at_work();
    let of = |arguments: &[&str]| timesheet(&home, data.path(), arguments);
    let before = json(&mut of(&[WEEK, "--json"]));
    assert_eq!((sum(&before, "logged"), sum(&before, "target"), states(&before)), (0, 40_00, vec!["draft"]));
    let drafted = sum(&before, "drafted");
    assert!(drafted > 20_00, "{before}");

    let draft = json(&mut of(&["draft", WEEK, "--json"]));
    let rows: Vec<_> =
        draft["days"].as_array().unwrap().iter().flat_map(|day| day["rows"].as_array().unwrap()).collect();
    let is_loggable = |row: &&&Value| row["task"].is_string() && row["notes"].is_null();
    let loggable: i64 = rows.iter().filter(is_loggable).map(|row| hundredths(&row["hours"])).sum();
    let waiting = rows.iter().filter(|row| !is_loggable(row)).count();
    assert!(loggable > 0 && waiting > 0 && loggable < drafted, "{loggable} of {drafted}, {waiting} wait");

    // Rows with an unknown project are rejected, and the command fails.
    let logged = run(&mut of(&["log", "--draft", draft["draft"].as_str().unwrap()]));
    let output = String::from_utf8(logged.stdout).unwrap();
    assert_eq!(logged.status.code(), Some(1), "{output}");
    assert!(
        output.contains(&format!("{} h.", Hours::from_hundredths(loggable))) && output.contains("\nNot logged\n"),
        "{output}"
    );
    assert!(output.contains("does not exist"), "{output}");
    let after = json(&mut of(&[WEEK, "--json"]));
    assert_eq!((sum(&after, "logged"), states(&after)), (loggable, vec!["NOT_REPORTED", "draft"]));
    // The rows of a day are rounded together. After some rows of a day are logged, the rounded hours of its other rows
    // can differ by a quarter of an hour.
    let difference = sum(&after, "logged") + sum(&after, "drafted") - drafted;
    assert!(difference.abs() <= 5 * 25, "logged time is not drafted again: {difference}");
    // Logging the same draft again must log nothing more.
    run(&mut of(&["log", "--draft", "last"]));
    assert_eq!(json(&mut of(&[WEEK, "--json"])), after);

    let output = stdout_of(&mut of(&["submit", WEEK]));
    assert!(
        output.ends_with(&format!("of {WEEK}, {} h.\n", Hours::from_hundredths(loggable)))
            && output.starts_with("Submitted "),
        "{output}"
    );
    assert_eq!(states(&json(&mut of(&[WEEK, "--json"]))), ["SUBMITTED", "draft"]);
    assert_eq!(stdout_of(&mut of(&["submit", WEEK])), format!("{WEEK} has no open entries.\n"));
    let output = stdout_of(&mut of(&["reopen", WEEK]));
    assert!(
        output.ends_with(&format!("of {WEEK}, {} h.\n", Hours::from_hundredths(loggable)))
            && output.starts_with("Reopened "),
        "{output}"
    );
    assert_eq!(json(&mut of(&[WEEK, "--json"])), after);
}

#[test]
fn logging_requires_confirmation() {
    let (home, data) = at_work();
    let of = |arguments: &[&str]| timesheet(&home, data.path(), arguments);
    assert_fails(&mut of(&["log", WEEK]), "input is not a terminal", "`--draft ID` or `--yes`");
    assert_eq!(sum(&json(&mut of(&[WEEK, "--json"])), "logged"), 0);
    assert_fails(&mut of(&["log", "--draft", "last"]), "there is no draft", " timesheet draft`");
    assert!(stderr_of(&mut of(&["log", "--draft", "x"]), 2).contains("pass the ID of a draft, or `last`"));
    stderr_of(&mut of(&["log", WEEK, "--draft", "last"]), 2);
    run(&mut of(&["log", "2026-11-17", "--yes"]));
    let week = json(&mut of(&[WEEK, "--json"]));
    let days: Vec<_> = week["days"].as_array().unwrap().iter().map(|day| hundredths(&day["logged"]) > 0).collect();
    assert_eq!(days, [false, true, false, false, false, false, false]);
}

#[test]
fn range_other_than_a_week_is_listed_by_day() {
    let (home, data) = at_work();
    let of = |arguments: &[&str]| timesheet(&home, data.path(), arguments);
    assert_fails(&mut of(&["submit", "2026-11-17"]), "`2026-11-17` is not exactly one week", "`2025-W43`");
    assert_fails(&mut of(&["reopen", "last 2 weeks"]), "`last 2 weeks` is not exactly one week", "`last week`");
    assert_fails(&mut of(&["2026-11"]), "more than 7 days", "at most 7 days");
    assert_fails(&mut of(&["draft", "2026"]), "more than 31 days", "at most 31 days");
    stderr_of(&mut of(&["submit"]), 2);
    let misplaced = stderr_of(&mut of(&[WEEK, "draft"]), 2);
    assert!(misplaced.contains("`dayledger timesheet draft 2025-W43`"), "{misplaced}");
    let day = json(&mut of(&["2026-11-17", "--json"]));
    assert_eq!((day["days"].as_array().unwrap().len(), &day["week"]), (1, &Value::Null));
}

#[cfg(unix)] // on Windows, a test can't set the time zone of one process
#[test]
fn running_timer_is_logged_on_stop_and_on_the_next_start() {
    let home = Home::new();
    home.configure(PROJECTS);
    let of = |arguments: &[&str]| home.program([&["timesheet"], arguments].concat());
    assert_fails(&mut of(&["stop"]), "no timer is running", "`dayledger timesheet start PROJECT TASK`");
    assert_fails(&mut of(&["start", "northwind", "Lunch"]), "'Lunch' is not available", "`Billing`, `Customer portal`");
    assert_fails(&mut of(&["start", "northwind"]), "project `NORTHWIND` needs a task", "`Billing`, `Customer portal`");
    assert_fails(&mut of(&["start", "Moonshot", "Lunch"]), "'Moonshot' does not exist", "`HARBOUR`, `NORTHWIND`");
    let started = stdout_of(&mut of(&["start", "northwind ltd", "billing", "--description", "invoices"]));
    assert!(started.contains("NORTHWIND / Billing, invoices"), "{started}");

    // Simulates a timer that was started two and a half hours ago. In the time zone of this test, these hours don't
    // contain a midnight.
    let ledger = rusqlite::Connection::open(ledger(&home)).unwrap();
    let since = chrono::Utc::now() - chrono::TimeDelta::minutes(150);
    let began = |since: chrono::DateTime<chrono::Utc>| {
        ledger.execute("UPDATE running SET since = ?", [since.timestamp_millis()]).unwrap();
    };
    began(since);
    let started = stdout_of(of(&["start", "HARBOUR", "Stock"]).env("TZ", zone_at_noon()));
    assert!(started.starts_with("Logged 2.5 h on ") && started.contains(": NORTHWIND / Billing\n"), "{started}");
    began(since + chrono::TimeDelta::minutes(1));
    let stopped = stdout_of(of(&["stop"]).env("TZ", zone_at_noon()));
    assert!(stopped.starts_with("Logged 2.48 h on ") && stopped.ends_with(": HARBOUR / Stock\n"), "{stopped}");
    assert_fails(&mut of(&["stop"]), "no timer is running", "`dayledger timesheet start PROJECT TASK`");
    stdout_of(&mut of(&["start", "HARBOUR", "Stock"]));
    began(since);
    let discarded = stdout_of(&mut of(&["stop", "--discard"]));
    assert_eq!(discarded, "Stopped after 2.5 h, nothing was logged: HARBOUR / Stock\n");
    let csv = stdout_of(&mut of(&["export", "--format", "csv"]));
    assert!(csv.contains("NORTHWIND,Northwind Ltd,Billing,,2.50,0.00,2.50,invoices,"), "{csv}");
    assert_eq!(csv.lines().count(), 3, "{csv}");
}

#[test]
fn timer_without_projects_suggests_an_import() {
    let home = Home::new();
    let mut start = home.program(["timesheet", "start", "Website", "Design"]);
    assert_fails(&mut start, "'Website' does not exist", "`dayledger timesheet projects import --from-tags`");
}

/// A timer that has run for two days counts as forgotten. It is logged only with hours that the user passes.
#[cfg(unix)] // Windows can't set the zone of one process
#[test]
fn forgotten_timer_is_logged_with_the_given_hours() {
    let home = Home::new();
    home.configure(PROJECTS);
    let of = |arguments: &[&str]| home.program([&["timesheet"], arguments].concat());
    stdout_of(&mut of(&["start", "NORTHWIND", "Billing"]));
    let ledger = rusqlite::Connection::open(ledger(&home)).unwrap();
    let since = (chrono::Utc::now() - chrono::TimeDelta::hours(48)).timestamp_millis();
    ledger.execute("UPDATE running SET since = ?", [since]).unwrap();
    let complaint = "the timer of NORTHWIND / Billing has run for 48 h";
    assert_fails(&mut of(&["stop"]), complaint, "`dayledger timesheet stop --hours HOURS`");
    assert_fails(&mut of(&["start", "HARBOUR", "Stock"]), complaint, "or none with `stop --discard`");
    assert_fails(&mut of(&["stop", "--hours", "49"]), "the timer has only run for 48 h", "");
    let stopped = stdout_of(of(&["stop", "--hours", "7.5"]).env("TZ", zone_at_noon()));
    assert!(stopped.starts_with("Logged 7.5 h on ") && stopped.contains("NORTHWIND / Billing"), "{stopped}");
    assert_eq!(stdout_of(&mut of(&["export", "--format", "csv"])).lines().count(), 2);
}

/// The program can crash after it has logged the hours, but before it has saved that the timer is stopped. The hours
/// must still be logged only once.
#[cfg(unix)] // Windows can't set the zone of one process
#[test]
fn timer_stopped_twice_is_logged_once() {
    let home = Home::new();
    home.configure(PROJECTS);
    let of = |arguments: &[&str]| home.program([&["timesheet"], arguments].concat());
    stdout_of(&mut of(&["start", "NORTHWIND", "Billing"]));
    let ledger = rusqlite::Connection::open(ledger(&home)).unwrap();
    let since = (chrono::Utc::now() - chrono::TimeDelta::minutes(90)).timestamp_millis();
    ledger.execute("UPDATE running SET since = ?", [since]).unwrap();
    ledger.execute("CREATE TABLE crashed AS SELECT * FROM running", []).unwrap();
    let first = stdout_of(of(&["stop"]).env("TZ", zone_at_noon()));
    ledger.execute("INSERT INTO running SELECT * FROM crashed", []).unwrap();
    ledger.execute("DROP TABLE crashed", []).unwrap();
    assert_eq!(stdout_of(of(&["stop"]).env("TZ", zone_at_noon())), first);
    assert_eq!(stdout_of(&mut of(&["export", "--format", "csv"])).lines().count(), 2);
}

/// Returns the path of the ledger.
pub(super) fn ledger(home: &Home) -> std::path::PathBuf {
    fn find(folder: &Path) -> Option<std::path::PathBuf> {
        fs::read_dir(folder).ok()?.flatten().find_map(|entry| {
            let path = entry.path();
            if path.is_dir() { find(&path) } else { path.ends_with("timesheet.db").then_some(path) }
        })
    }
    find(home.path()).unwrap()
}

/// Returns a time zone in which it is about noon now, so that a few hours ago is still today.
#[cfg(unix)]
fn zone_at_noon() -> String {
    use chrono::Timelike;
    // In POSIX time zones, the offset is the number of hours west of Greenwich.
    format!("NOON{}", i64::from(chrono::Utc::now().hour()) - 12)
}

/// An import first shows the entries, and then imports them only once. The time of imported entries isn't drafted
/// again.
#[test]
fn entries_of_another_tracker_are_imported_with_their_activity() {
    let (home, data) = at_work();
    let of = |arguments: &[&str]| timesheet(&home, data.path(), arguments);
    let file = home.folder("toggl.csv");
    let header = "Email,Project,Task,Description,Start date,Start time,End date,End time,Duration";
    let rows = "a@example.com,NORTHWIND,Billing,Letters,2026-11-17,09:00:00,2026-11-17,12:00:00,03:00:00\n\
                a@example.com,Garden,,,2026-11-17,23:00:00,2026-11-18,01:00:00,02:00:00\n";
    fs::write(&file, format!("{header}\n{rows}")).unwrap();
    let path = file.to_str().unwrap();
    let logged = |day: &str| json(&mut of(&["draft", day, "--json"]))["loggedMinutes"].as_f64().unwrap();
    assert!(logged("2026-11-17") < 0.1, "no activity of this day is logged yet");

    let preview = run(&mut of(&["import", path]));
    let (stdout, stderr) = (String::from_utf8(preview.stdout).unwrap(), String::from_utf8(preview.stderr).unwrap());
    assert!(stdout.contains("To import: 3 entries from 2026-11-17 to 2026-11-18, 5 h."), "{stdout}");
    assert!(stdout.contains("GARDEN / General") && stderr.contains("pass `--yes`"), "{stdout}{stderr}");
    assert_eq!(stdout_of(&mut of(&["export", "--format", "csv"])).lines().count(), 1, "nothing was imported");

    let stored = stdout_of(&mut of(&["import", path, "--yes"]));
    assert!(stored.contains("Imported 3 entries from 2026-11-17 to 2026-11-18, 5 h."), "{stored}");
    assert!(logged("2026-11-17") > 30.0, "the activity of these hours is evidence of the entries");
    let again = stdout_of(&mut of(&["import", path, "--yes"]));
    assert!(again.contains("Nothing to import.") && again.contains("left unchanged: 2 entries."), "{again}");

    fs::write(&file, format!("{header}\n{rows}a@example.com,Garden,,,2026-11-31,9:00,,,1:00\n")).unwrap();
    assert_fails(&mut of(&["import", path, "--yes"]), "line 4: `2026-11-31` is not a date", "correct the file");
    assert_eq!(stdout_of(&mut of(&["export", "--format", "csv"])).lines().count(), 4);
}

/// The question used to be `Import 1 entries?`.
#[cfg(unix)] // the test needs a Unix pseudo-terminal
#[test]
fn import_asks_about_the_number_of_entries() {
    let (home, data) = at_work();
    let file = home.folder("toggl.csv");
    let header = "Email,Project,Task,Description,Start date,Start time,End date,End time,Duration";
    let row = "a@example.com,NORTHWIND,Billing,Letters,2026-11-17,09:00:00,2026-11-17,12:00:00,03:00:00";
    fs::write(&file, format!("{header}\n{row}\n")).unwrap();
    let command = timesheet(&home, data.path(), &["import", file.to_str().unwrap()]);
    let mut terminal = super::pseudo_terminal::Terminal::open(&command);
    terminal.wait_for("Import 1 entry? [y/N]");
    terminal
        .wait("the day of the entry", |screen| screen.contents().contains("To import: 1 entry on 2026-11-17, 3 h."));
    terminal.press("n\r");
    terminal.wait_for("cancelled: nothing was imported");
    terminal.end();
}

/// Without projects, no time can be logged. After the user runs the command that `log` suggests, all tagged time can be
/// logged.
#[test]
fn tagged_time_can_be_logged_after_its_projects_are_imported() {
    let (home, data) = (Home::new(), demo());
    let of = |arguments: &[&str]| timesheet(&home, data.path(), arguments);
    let refused = run(&mut of(&["log", WEEK, "--yes"]));
    let stderr = String::from_utf8(refused.stderr).unwrap();
    assert!(refused.status.success() && stderr.starts_with("nothing to log: "), "{stderr}");
    for part in ["do not exist", "Harbour Foods", "without a project", "timesheet projects import --from-tags`"] {
        assert!(stderr.contains(part), "`{part}`: {stderr}");
    }
    let rows = || {
        let draft = json(&mut of(&["draft", WEEK, "--json"]));
        let days = draft["days"].as_array().unwrap().clone();
        days.into_iter().flat_map(|day| day["rows"].as_array().unwrap().clone()).collect::<Vec<_>>()
    };
    let of_client = |row: &Value| row["projectCode"] == "Northwind Ltd";
    assert!(rows().iter().any(|row| of_client(row) && row["task"].as_str().unwrap().starts_with("Billing, ")));

    let imported = run(&mut of(&["projects", "import", "--from-tags"]));
    assert!(String::from_utf8(imported.stdout).unwrap().contains("NORTHWIND \u{b7} Northwind Ltd\n"));
    assert!(String::from_utf8(imported.stderr).unwrap().starts_with("imported "));
    let again = run(&mut of(&["projects", "import", "--from-tags"]));
    assert_eq!(String::from_utf8(again.stderr).unwrap(), "imported 0 projects\n");

    let rows = rows();
    assert!(rows.iter().any(|row| row["projectCode"] == "NORTHWIND"));
    assert!(rows.iter().filter(|row| row["projectCode"].is_string()).all(|row| row["notes"].is_null()), "{rows:?}");
    let logged = run(&mut of(&["log", WEEK, "--yes"]));
    let output = String::from_utf8(logged.stdout).unwrap();
    assert!(logged.status.success() && output.contains("NORTHWIND / Billing, "), "{output}");
    stderr_of(&mut of(&["projects", "import"]), 2);
    stderr_of(&mut of(&["projects", "import", "p.csv", "--from-tags"]), 2);
}

/// At each start, the projects of the configuration are stored again. Therefore their tasks can only be added in the
/// configuration.
#[test]
fn import_from_tags_leaves_the_projects_of_the_configuration_unchanged() {
    let (home, data) = (Home::new(), demo());
    home.configure("[[timesheet.projects]]\ncode = 'NW'\nname = 'Northwind Ltd'\ntasks = ['Advice']\n");
    let imported = run(&mut timesheet(&home, data.path(), &["projects", "import", "--from-tags"]));
    let (stdout, stderr) = (String::from_utf8(imported.stdout).unwrap(), String::from_utf8(imported.stderr).unwrap());
    assert!(stderr.starts_with("note: `NW` is in the configuration file; add its tasks there: Billing, "), "{stderr}");
    assert!(stdout.contains("HARBOUR") && !stdout.contains("Northwind"), "{stdout}");
}

#[test]
fn projects_can_be_imported_and_exported() {
    let home = Home::new();
    let of = |arguments: &[&str]| home.program([&["timesheet"], arguments].concat());
    let none = stdout_of(&mut of(&["projects", "list"]));
    assert!(none.starts_with("There are no projects yet.") && none.contains("--from-tags`"), "{none}");
    fs::write(home.folder("p.csv"), "code,name,task,tag,value\nACME,Acme Ltd,Website,Billable,Yes\nACME,,Support,,\n")
        .unwrap();
    let imported = run(&mut of(&["projects", "import", "p.csv"]));
    assert_eq!(String::from_utf8(imported.stderr).unwrap(), "imported 1 project\n");
    let listed = stdout_of(&mut of(&["projects", "list"]));
    assert_eq!(listed, "ACME \u{b7} Acme Ltd\n  Website, Support\n  tag Billable: Yes\n");
    assert_eq!(String::from_utf8(imported.stdout).unwrap(), listed);
    let as_json = stdout_of(&mut of(&["projects", "list", "--json"]));
    fs::write(home.folder("p.json"), as_json.replace("Support", "Care")).unwrap();
    assert!(run(&mut of(&["projects", "import", "p.json"])).status.success());
    assert!(stdout_of(&mut of(&["projects", "list"])).contains("  Website, Care\n"));
    fs::write(home.folder("p.csv"), "code,name,task\nACME,Acme, Ltd,Website\n").unwrap();
    assert_fails(&mut of(&["projects", "import", "p.csv"]), "line 2: it has 4 fields", "");
    // Excel writes such a file in locales that separate values with semicolons.
    fs::write(home.folder("p.csv"), b"Code;Name;Task;Rate\r\nACME;Gr\xf6\xdfe AG;Website;95\r\n").unwrap();
    let imported = run(&mut of(&["projects", "import", "p.csv"]));
    assert_eq!(
        String::from_utf8(imported.stderr).unwrap(),
        "note: ignored the column `rate`\nnote: the file is not UTF-8; it was read as Windows-1252\nimported 1 project\n"
    );
    assert_eq!(stdout_of(&mut of(&["projects", "list"])), "ACME \u{b7} Größe AG\n  Website\n");
    let missing = stderr_of(&mut of(&["projects", "import", "none.csv"]), 1);
    assert!(missing.contains("cannot read `none.csv`"), "{missing}");
}

/// Logs an hour, and opens the ledger that contains it.
#[cfg(unix)]
fn ledger_with_an_entry(home: &Home) -> rusqlite::Connection {
    stdout_of(&mut home.program(["timesheet", "start", "NORTHWIND", "Billing"]));
    let ledger = rusqlite::Connection::open(ledger(home)).unwrap();
    let since = (chrono::Utc::now() - chrono::TimeDelta::hours(2)).timestamp_millis();
    ledger.execute("UPDATE running SET since = ?", [since]).unwrap();
    stdout_of(home.program(["timesheet", "stop", "--hours", "1"]).env("TZ", zone_at_noon()));
    ledger
}

/// An entry spans two months. The second month's export used to omit the entry, and the first month's export contained
/// all its hours.
#[cfg(unix)] // Windows can't set the zone of one process
#[test]
fn exports_of_two_months_share_an_entry_that_spans_them() {
    let home = Home::new();
    home.configure(PROJECTS);
    let of = |arguments: &[&str]| home.program([&["timesheet"], arguments].concat());
    let ledger = ledger_with_an_entry(&home);
    let spanning =
        "UPDATE entries SET start_date = '2025-10-30', completion_date = '2025-11-01', standard_hundredths = 2000";
    ledger.execute(spanning, []).unwrap();
    let hours = |month: &str| {
        let entries: Value =
            serde_json::from_str(&stdout_of(&mut of(&["export", "--from", month, "--format", "json"]))).unwrap();
        let entries = entries["entries"].as_array().unwrap().clone();
        let of = |entry: &Value| {
            (entry["startDate"].clone(), entry["completionDate"].clone(), entry["standardHours"].clone())
        };
        entries.iter().map(of).collect::<Vec<_>>()
    };
    assert_eq!(
        hours("2025-10"),
        [(serde_json::json!("2025-10-30"), serde_json::json!("2025-10-31"), serde_json::json!(13.34))]
    );
    assert_eq!(
        hours("2025-11"),
        [(serde_json::json!("2025-11-01"), serde_json::json!("2025-11-01"), serde_json::json!(6.66))]
    );
    assert!(hours("2025-12").is_empty());
}

/// A ledger of an earlier version can contain an entry with impossible hours. The timeclock file of such an entry used
/// to have 233 MB, and its calendar took 1.1 GB of memory.
#[cfg(unix)] // Windows can't set the zone of one process
#[test]
fn entry_with_impossible_hours_is_exported_as_a_row_only() {
    let home = Home::new();
    home.configure(PROJECTS);
    let of = |arguments: &[&str]| home.program([&["timesheet"], arguments].concat());
    let ledger = ledger_with_an_entry(&home);
    ledger.execute("UPDATE entries SET standard_hundredths = 9999999999", []).unwrap();
    for format in ["timeclock", "ics", "klog"] {
        assert_fails(&mut of(&["export", "--format", format]), "at most 24 hours", "`--format csv`");
    }
    let csv = stdout_of(&mut of(&["export", "--format", "csv"]));
    assert!(csv.contains(",99999999.99,") && csv.lines().count() == 2, "{csv}");
}

/// The ledger used to be created in ManicTime's folder, directly or through a link.
#[test]
fn ledger_in_manictimes_folder_is_rejected() {
    let (home, data) = at_work();
    let mut files = vec![data.path().join("ledger.db"), data.path().join("new/folder/ledger.db")];
    #[cfg(unix)]
    {
        let (folder, file) = (home.folder("linked"), home.folder("linked.db"));
        std::os::unix::fs::symlink(data.path(), &folder).unwrap();
        std::os::unix::fs::symlink(data.path().join("ManicTimeReports.db"), &file).unwrap();
        files.extend([folder.join("ledger.db"), file]);
    }
    for file in files {
        home.configure(&PROJECTS.replace("[timesheet]\n", &format!("[timesheet]\nfile = '{}'\n", file.display())));
        for command in [&["timesheet", WEEK][..], &["serve", "--toolsets", "timesheet"], &["sql", "-c", "SELECT 1"]] {
            let refused = stderr_of(&mut home.program_for(data.path(), command), 1);
            assert!(refused.contains("inside a folder"), "{command:?}: {refused}");
        }
    }
    assert!(!data.path().join("ledger.db").exists() && !data.path().join("new").exists());
}

/// If the ledger was a pipe, each command used to wait for the other end of the pipe.
#[cfg(unix)] // Windows doesn't have named pipes and devices in folders
#[test]
fn ledger_must_not_be_a_pipe() {
    let (home, data) = at_work();
    stdout_of(&mut timesheet(&home, data.path(), &[WEEK]));
    let file = ledger(&home);
    fs::remove_file(&file).unwrap();
    super::make_pipe(&file);
    let refused = stderr_of(&mut timesheet(&home, data.path(), &[WEEK]), 1);
    assert!(refused.contains("is not a regular file"), "{refused}");
}

#[test]
fn drafted_entries_are_exported_at_the_times_of_their_activity() {
    let (home, data) = at_work();
    let of = |arguments: &[&str]| timesheet(&home, data.path(), arguments);
    run(&mut of(&["log", "2026-11-17", "--yes"]));
    let export = |format: &str| stdout_of(&mut of(&["export", "--format", format]));
    let has_times = |csv: &str| {
        assert!(csv.lines().next().unwrap().ends_with(",updated_at,start_local,end_local,times"), "{csv}");
        csv.lines().count() > 1 && csv.lines().skip(1).all(|line| line.matches(",2026-11-17T").count() == 2)
    };
    let csv = export("csv");
    assert!(has_times(&csv), "{csv}");
    let calendar = export("ics");
    assert!(calendar.matches("DTSTART:20261117T").count() >= csv.lines().count() - 1, "{calendar}");
    let clock = export("timeclock");
    assert!(!calendar.contains("not recorded") && !clock.contains("\n; time of day not recorded"), "{clock}");
    // An earlier version stored no time zone. Without a stored time zone, times are converted with the time zone of
    // this computer, and stay on the same day.
    let ledger = rusqlite::Connection::open(ledger(&home)).unwrap();
    ledger.execute("UPDATE evidence SET utc_offset = NULL", []).unwrap();
    assert!(has_times(&export("csv")));
    ledger.execute("DELETE FROM evidence", []).unwrap();
    assert!(export("csv").lines().skip(1).all(|line| line.ends_with(",,,")));
    assert_eq!(export("timeclock").matches("\n; time of day not recorded\n").count(), csv.lines().count() - 1);
}

#[test]
fn hours_are_exported_for_another_tracker_once_all_tasks_have_names() {
    let (home, data) = at_work();
    let of = |arguments: &[&str]| timesheet(&home, data.path(), arguments);
    // The exit code is 1, because rows without a project aren't logged.
    let logged = String::from_utf8(run(&mut of(&["log", "2026-11-17", "--yes"])).stdout).unwrap();
    assert!(logged.contains("NORTHWIND"), "{logged}");
    let export = |format: &str| of(&["export", "--from", "2026-11-17", "--format", format]);
    assert_fails(&mut export("toggl"), "no project and task are set for `HARBOUR / ", "`[timesheet.export]`");
    home.configure(&format!("{PROJECTS}{}", include_str!("trackers.toml")));
    let seconds = |text: &str| -> i64 {
        let parts = text.split(':').map(|part| part.parse::<i64>().unwrap());
        parts.fold(0, |sum, part| sum * 60 + part)
    };
    let toggl = stdout_of(&mut export("toggl"));
    let lengths = toggl.lines().skip(1).map(|line| seconds(line.rsplit(',').next().unwrap()));
    let hours = sum(&json(&mut of(&["2026-11-17", "--json"])), "logged");
    assert_eq!(lengths.sum::<i64>(), hours * 36, "{toggl}");
    assert!(toggl.contains("Northwind Ltd,NW,") && !toggl.contains("NORTHWIND"), "{toggl}");
    for (format, header) in [("clockify", "Project,Client,"), ("harvest", "Date,Client,"), ("kimai", "Date,From,To,")] {
        let file = run(&mut export(format));
        assert!(file.status.success() && file.stderr.is_empty());
        assert!(String::from_utf8(file.stdout).unwrap().starts_with(header), "{format}");
    }
}

#[test]
fn export_asks_before_it_replaces_a_file() {
    let home = Home::with_demo();
    let of = |arguments: &[&str]| home.program([&["--demo", "timesheet", "export"], arguments].concat());
    let week = ["--from", "2025-W43", "--format"];
    let in_format = |format: &str| stdout_of(&mut of(&[&week[..], &[format]].concat()));
    assert_eq!(in_format("csv").lines().count(), 6);
    let for_excel = stdout_of(&mut of(&[&week[..], &["csv-excel", "--separator", ";"]].concat()));
    assert!(for_excel.starts_with("\u{feff}id;start_date;") && for_excel.contains(";6,00;1,50;7,50;"), "{for_excel}");
    assert!(in_format("timeclock").contains("INTERNAL:Code Review"));
    assert!(in_format("ics").starts_with("BEGIN:VCALENDAR"));
    assert!(in_format("klog").contains("2025-10-22"));
    let entries: Value = serde_json::from_str(&in_format("json")).unwrap();
    assert_eq!(entries["entries"].as_array().unwrap().len(), 5);
    let one_day = stdout_of(&mut of(&["--from", "2025-10-21", "--to", "2025-10-21", "--format", "csv"]));
    assert_eq!(one_day.lines().count(), 3);

    let file = home.folder("week.csv");
    let to_file = [&week[..], &["csv", "--out", "week.csv"]].concat();
    let written = run(&mut of(&to_file));
    assert_eq!(String::from_utf8(written.stderr).unwrap(), "exported 5 entries (24 hours) to `week.csv`\n");
    assert_eq!(fs::read_to_string(&file).unwrap(), in_format("csv"));
    fs::write(&file, "mine").unwrap();
    assert_fails(&mut of(&to_file), "`week.csv`: it exists", "--force");
    assert_eq!(fs::read_to_string(&file).unwrap(), "mine");
    assert!(run(&mut of(&[&to_file[..], &["--force"]].concat())).status.success());
    assert_eq!(fs::read_to_string(&file).unwrap(), in_format("csv"));
    stderr_of(&mut of(&["--format", "xlsx"]), 2);
    stderr_of(&mut of(&["--format", "ics", "--separator", ";"]), 2);
}
