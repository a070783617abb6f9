//! Tests `demo` and `--demo`.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use chrono::{Local, Utc};
use serde_json::Value;

use super::program::{Home, demo, folder_hash};
#[cfg(unix)]
use super::pseudo_terminal::{INTERRUPT, Terminal};
use super::{assert_fails, run, stderr_of, stdout_of};

fn database(dir: &Path) -> PathBuf {
    dir.join("ManicTimeReports.db")
}

#[test]
fn the_same_seed_writes_the_same_history_of_the_requested_size() {
    let home = Home::new();
    let write = |dir: &str, more: &[&str]| {
        let mut arguments =
            vec!["demo", dir, "--no-screenshots", "--until", "2026-11-19", "--days", "3", "--activities-per-day", "60"];
        arguments.extend(more);
        let text = stdout_of(&mut home.program(&arguments));
        assert!(
            text.contains(" 0 screenshots and ")
                && text.contains(" notes from 2026-11-17 to 2026-11-19")
                && text.contains(dir),
            "{text}"
        );
        folder_hash(&home.folder(dir))
    };
    let first = write("one", &["--seed", "7"]);
    assert_eq!(write("two", &["--seed", "7"]), first);
    assert_ne!(write("three", &["--seed", "8"]), first);
    let [few, many] = [("few", "40"), ("many", "400")].map(|(dir, activities)| {
        let size = ["--until", "2026-11-19", "--days", "5", "--activities-per-day", activities];
        let text = stdout_of(home.program(["demo", dir, "--no-screenshots"]).args(size));
        text.split(' ').next().unwrap().parse::<i64>().unwrap()
    });
    assert!(many > 4 * few, "{few} and {many}");
    let rows =
        stdout_of(&mut home.program_for(
            &home.folder("many"),
            ["sql", "--format", "csv", "-c", "SELECT count(*) AS n FROM activities"],
        ));
    assert_eq!(rows, format!("n\n{many}\n"));
}

#[test]
fn demo_writes_and_counts_screenshots() {
    let home = Home::new();
    let text = stdout_of(&mut home.program(["demo", "seen", "--until", "2026-11-19", "--days", "1"]));
    let mut pictures = BTreeSet::new();
    for file in fs::read_dir(home.folder("seen").join("Screenshots").join("2026-11-19")).unwrap() {
        let name = file.unwrap().file_name().into_string().unwrap();
        if name.starts_with("2026-11-19_") {
            pictures.insert(name.split('.').next().unwrap().to_owned());
        }
    }
    assert!(pictures.len() > 20 && text.contains(&format!(", {} screenshots and ", pictures.len())), "{text}");
}

#[test]
fn demo_notes_are_a_git_repository_and_the_calendar_has_the_meetings() {
    let home = Home::new();
    let text = stdout_of(&mut home.program(["demo", "noted", "--no-screenshots", "--until", "2026-11-19"]));
    let folder = home.folder("noted");
    let notes = folder.join("notes");
    let git = |arguments: &[&str]| {
        let output = Command::new("git").arg("-C").arg(&notes).args(arguments).output().unwrap();
        assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let files = fs::read_dir(&notes).unwrap().filter(|file| file.as_ref().unwrap().path().is_file());
    // One of the files is `.gitignore`, which isn't a note.
    assert!(text.contains(&format!(" and {} notes from 2026-10-09 to 2026-11-19", files.count() - 1)), "{text}");
    git(&["fsck", "--strict"]);
    // Chronicle commits the original texts of notes only after they are processed.
    assert_eq!(git(&["status", "--porcelain"]), "?? .raw/\n");
    let log = git(&["log", "--reverse", "--format=%an <%ae> %s"]);
    let mut lines = log.lines();
    assert_eq!(lines.next(), Some("Chronicle <chronicle@localhost> Initial commit: Chronicle workspace"));
    assert!(lines.clone().count() >= 15);
    assert!(lines.all(|line| line.starts_with("Chronicle <chronicle@localhost> session: ") && line.ends_with("m)")));

    home.configure(&format!("[[calendars]]\nfile = '{}'\n", folder.join("calendar.ics").display()));
    let statement = "SELECT count(m.meeting) AS planned, count(t.tag) AS held, count(*) AS pairs
        FROM (SELECT * FROM meetings
              WHERE NOT is_all_day AND start_local >= '2026-10-09' AND start_local < '2026-11-20') AS m
        FULL JOIN (SELECT * FROM tags WHERE tag LIKE '%, Meetings') AS t
            ON t.start_utc < m.end_utc AND m.start_utc < t.end_utc";
    let counts = stdout_of(&mut home.program_for(&folder, ["sql", "--format", "csv", "-c", statement]));
    let counts: Vec<u32> = counts.lines().nth(1).unwrap().split(',').map(|count| count.parse().unwrap()).collect();
    assert!(counts[0] > 40 && counts.iter().all(|count| *count == counts[0]), "{counts:?}");
}

#[test]
fn demo_never_overwrites_a_history() {
    let home = Home::new();
    let dir = home.folder("mine");
    fs::create_dir(&dir).unwrap();
    fs::write(database(&dir), "precious").unwrap();
    let refused = stderr_of(&mut home.program(["demo", "mine", "--days", "1"]), 1);
    assert!(refused.contains("already exists; choose another folder"), "{refused}");
    assert_eq!(fs::read_to_string(database(&dir)).unwrap(), "precious");
    assert_eq!(fs::read_dir(&dir).unwrap().count(), 1, "no other file is left");
}

#[cfg(unix)] // the test presses Ctrl-C in a Unix pseudo-terminal
#[test]
fn interrupted_demo_leaves_no_files() {
    let home = Home::new();
    let mut terminal = Terminal::open(&home.program(["demo", "new/deep", "--days", "3650"]));
    terminal.wait_for("%, ");
    assert!(home.folder("new/deep").exists());
    terminal.press(INTERRUPT);
    terminal.wait_for("error: stopped before the history was complete");
    assert!(!terminal.end(), "the command fails");
    assert!(!home.folder("new").exists(), "folders that the command created are removed");

    fs::create_dir(home.folder("mine")).unwrap();
    fs::write(home.folder("mine").join("letter.txt"), "precious").unwrap();
    let mut terminal = Terminal::open(&home.program(["demo", "mine", "--days", "3650"]));
    terminal.wait_for("%, ");
    terminal.press(INTERRUPT);
    assert!(!terminal.end(), "the command fails");
    let left: Vec<_> = fs::read_dir(home.folder("mine")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["letter.txt"]);
}

#[test]
fn options_out_of_bounds_are_usage_errors() {
    let home = Home::new();
    for (option, value) in
        [("--days", "0"), ("--days", "10001"), ("--days", "x"), ("--activities-per-day", "0"), ("--seed", "-1")]
    {
        let stderr = stderr_of(&mut home.program(["demo", "d", &format!("{option}={value}")]), 2);
        assert!(stderr.contains(option), "{stderr}");
    }
    assert_fails(&mut home.program(["demo", "d", "--until", "2026-02-30"]), "`2026-02-30`", "`2025-01-15`");
    assert!(!home.folder("d").exists());
}

/// Returns the folders of demo histories in the cache.
fn cached_demos(home: &Home) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![home.path().to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.ends_with("ManicTimeReports.db") {
                found.push(path.parent().unwrap().file_name().unwrap().to_string_lossy().into_owned());
            }
        }
    }
    found.sort();
    found
}

#[test]
fn every_command_works_with_demo_and_the_cache_is_refreshed_on_a_new_day() {
    let home = Home::new();
    let health: Value = serde_json::from_str(&stdout_of(&mut home.program(["--demo", "doctor", "--json"]))).unwrap();
    assert_eq!((&health["usable"], health["foundBy"].as_str()), (&Value::Bool(true), Some("--demo")));
    let kept = cached_demos(&home);
    // The program's clock shows UTC here. The day may have changed during the test.
    let near = [Utc::now().date_naive(), Local::now().date_naive()].map(|day| day.to_string());
    assert!(kept.len() == 1 && near.iter().any(|day| kept[0].starts_with(day)), "{kept:?}");

    let database = PathBuf::from(health["database"].as_str().unwrap());
    assert!(database.with_file_name("Screenshots").is_dir(), "the demo has screenshots");
    assert_eq!(fs::read_dir(database.ancestors().nth(2).unwrap()).unwrap().count(), 1, "no incomplete history is left");
    let written = fs::metadata(&database).unwrap().modified().unwrap();
    for arguments in [vec!["day"], vec!["day", "yesterday", "--json"], vec!["sql", "-c", "SELECT 1"], vec!["serve"]] {
        let mut arguments = arguments.clone();
        arguments.push("--demo");
        stdout_of(&mut home.program(&arguments));
    }
    assert_eq!(fs::metadata(&database).unwrap().modified().unwrap(), written, "the history is generated once");

    // Simulates the next day: the cached data gets the name of another day.
    let folder = database.parent().unwrap();
    fs::rename(folder, folder.with_file_name("2001-02-03")).unwrap();
    assert_eq!(cached_demos(&home), ["2001-02-03"]);
    // Simulates a run that was killed while it generated data. A run that is killed leaves a folder like this one.
    fs::create_dir(folder.with_extension("x1Y2z3")).unwrap();
    let start = |_| home.program(["--demo", "doctor"]).stdout(Stdio::null()).spawn().unwrap();
    let runs: Vec<_> = (0..2).map(start).collect();
    assert!(
        runs.into_iter().all(|mut run| run.wait().unwrap().success()),
        "simultaneous runs do not remove each other's files"
    );
    assert_eq!(cached_demos(&home).len(), 1);
    assert_ne!(cached_demos(&home), ["2001-02-03"]);
    assert_eq!(fs::read_dir(folder.parent().unwrap()).unwrap().count(), 1, "the incomplete history was removed");
}

#[test]
fn demo_is_never_written_into_manictimes_folder() {
    let (home, data) = (Home::new(), demo());
    let before = folder_hash(data.path());
    let inside = data.path().join("demo");
    let mut named = home.program(["demo", "--days", "1", "--no-screenshots"]);
    named.arg(&inside).arg("--data-dir").arg(data.path());
    let mut configured = home.program(["demo", "--days", "1", "--no-screenshots"]);
    configured.arg(&inside).env("MANICTIME_DATA_DIR", data.path());
    for command in [&mut named, &mut configured] {
        let refused = stderr_of(command, 1);
        assert!(refused.contains("is inside a folder that dayledger only reads"), "{refused}");
        assert!(!inside.exists());
    }
    assert_eq!(folder_hash(data.path()), before);
}

/// `--demo rules --add` used to write to the user's configuration.
#[test]
fn commands_with_demo_do_not_change_the_users_configuration_or_ledger() {
    let home = Home::with_demo();
    home.configure(super::timesheet::PROJECTS);
    stdout_of(&mut home.program(["timesheet", "start", "NORTHWIND", "Billing"]));
    let ledger = super::timesheet::ledger(&home);
    let configuration = home.configuration();
    let users_own = || [&configuration, &ledger].map(|file| folder_hash(file.parent().unwrap()));
    let before = users_own();
    fs::write(home.folder("p.csv"), "code,name,task\nTRIED,Tried,Out\n").unwrap();
    for command in [
        &["rules", "--add", "Spotify", "--category", "Music"][..],
        &["timesheet", "start", "INTERNAL", "Testing"],
        &["timesheet", "stop", "--discard"],
        &["timesheet", "projects", "import", "p.csv"],
        &["timesheet", "log", "last week", "--yes"],
        &["timesheet", "submit", "last week"],
        &["timesheet", "reopen", "last week"],
        &["timesheet", "export", "--format", "csv", "--out", "entries.csv"],
    ] {
        let output = run(home.program(["--demo"]).args(command));
        assert!(users_own() == before, "{command:?}: {output:?}");
    }
    let mut rules = home.program(["--demo", "rules", "--json"]);
    let rules: Value = serde_json::from_str(&stdout_of(&mut rules)).unwrap();
    assert_eq!(rules["rules"].as_array().unwrap().len(), 1, "the rule applies to the demo");
    let data = demo();
    let own: Value = serde_json::from_str(&stdout_of(&mut home.program_for(data.path(), ["rules", "--json"]))).unwrap();
    assert_eq!(own["rules"], serde_json::json!([]), "the rule applies only to the demo");
}
