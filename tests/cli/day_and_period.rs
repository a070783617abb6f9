//! Tests `day` and `period`: terminal output, and JSON in the format of the tools.

use dayledger_fixtures::demo::{Plan, write};
use serde_json::{Value, json};

use super::program::{Home, date, demo};
use super::{assert_fails, stderr_of, stdout_of};
use crate::mcp::session::Session;

#[tokio::test(flavor = "multi_thread")]
async fn json_output_equals_the_response_of_the_tool() {
    let (home, data) = (Home::new(), demo());
    let session = Session::start_default(data.path()).await;
    for (arguments, tool, tool_arguments) in [
        (vec!["day", "2026-11-18", "--json"], "get_daily_summary", json!({"date": "2026-11-18", "maxSegments": 2000})),
        (
            "day 2026-11-16 --json --min-duration 5 --max-gap 0 --titles --device LAPTOP".split(' ').collect(),
            "get_daily_summary",
            json!({"date": "2026-11-16", "maxSegments": 2000, "minDurationMinutes": 5, "maxGapMinutes": 0, "includeTitles": true,
                "detail": "full", "device": "LAPTOP"}),
        ),
        (
            vec!["period", "2026-11-09", "2026-11-15", "--json"],
            "get_period_summary",
            json!({"startDate": "2026-11-09", "endDate": "2026-11-16"}),
        ),
        (
            vec!["period", "2026-11-09", "2026-11-15", "--json", "--device", "LAPTOP"],
            "get_period_summary",
            json!({"startDate": "2026-11-09", "endDate": "2026-11-16", "device": "LAPTOP"}),
        ),
    ] {
        let printed = stdout_of(&mut home.program_for(data.path(), &arguments));
        assert_eq!(printed.lines().count(), 1, "one line of JSON");
        let printed: Value = serde_json::from_str(&printed).unwrap();
        assert_eq!(printed, session.answer(tool, tool_arguments).await, "{arguments:?}");
    }
    session.end().await;
}

#[test]
fn dates_with_several_words_work_without_quotes() {
    let (home, data) = (Home::new(), demo());
    for (words, quoted) in [
        (vec!["day", "last", "friday", "--json"], vec!["day", "--json", "last friday"]),
        (vec!["period", "last", "2", "weeks", "--json"], vec!["period", "last 2 weeks", "--json"]),
        (vec!["period", "Last", "Week", "today", "--json"], vec!["period", "last week", "today", "--json"]),
    ] {
        let answers = [words, quoted].map(|arguments| stdout_of(&mut home.program_for(data.path(), arguments)));
        assert_eq!(answers[0], answers[1]);
    }
    let page =
        stdout_of(&mut home.program_for(data.path(), ["report", "--from", "last", "friday", "--out", "friday.html"]));
    assert_eq!(page, "friday.html\n");
    let usage = stderr_of(&mut home.program_for(data.path(), ["report", "--from", "today", "--from", "monday"]), 2);
    assert!(usage.contains("--from"), "{usage}");
}

#[test]
fn short_forms_mean_the_current_day_week_and_month() {
    let (home, data) = (Home::new(), demo());
    let same = |short: &[&str], long: &[&str]| {
        let answers = [short, long].map(|arguments| stdout_of(&mut home.program_for(data.path(), arguments)));
        assert_eq!(answers[0], answers[1], "{short:?}");
    };
    same(&["today"], &["day", "today"]);
    same(&["today", "--segments", "--json"], &["day", "today", "--segments", "--json"]);
    same(&["week", "--device", "LAPTOP"], &["period", "this week", "--device", "LAPTOP"]);
    same(&["month", "--json"], &["period", "this month", "--json"]);
    stderr_of(&mut home.program_for(data.path(), ["week", "2026-W46"]), 2);
}

/// `period` and `report` used to reject more than 31 days, although the engine supports years.
#[test]
fn a_year_is_listed_by_month() {
    let (home, data) = (Home::new(), tempfile::tempdir().unwrap());
    write(data.path(), &Plan { days: 100, activities_per_day: 40, ..Plan::new(date("2026-11-20")) }).unwrap();
    let year = stdout_of(&mut home.program_for(data.path(), ["period", "2026"]));
    let months: Vec<_> = year.lines().filter(|line| line.contains(" 2026 ")).map(|line| &line[2..10]).collect();
    assert_eq!(months[months.len() - 4..], ["Aug 2026", "Sep 2026", "Oct 2026", "Nov 2026"], "{year}");
    assert!(year.lines().count() < 100, "{year}");
    let days: Value =
        serde_json::from_str(&stdout_of(&mut home.program_for(data.path(), ["period", "2026", "--json"]))).unwrap();
    assert!(days["days"].as_array().unwrap().len() > 50);
    stdout_of(&mut home.program_for(data.path(), ["report", "--from", "2026", "--out", "year.html"]));
    let page = std::fs::read_to_string(home.folder("year.html")).unwrap();
    assert!(page.contains(">Months</h2>") && page.contains("November 2026, ") && !page.contains(">Days</h2>"));
}

/// Regression: the JSON output could not contain all segments of a long day.
#[test]
fn json_contains_every_segment_of_a_long_day() {
    let (home, data) = (Home::new(), tempfile::tempdir().unwrap());
    write(data.path(), &Plan { days: 3, activities_per_day: 1200, ..Plan::new(date("2026-11-19")) }).unwrap();
    let day: Value = serde_json::from_str(&stdout_of(
        &mut home.program_for(data.path(), ["day", "2026-11-19", "--segments", "--json"]),
    ))
    .unwrap();
    let listed = day["segments"].as_array().unwrap().len();
    assert!(listed > 200, "{listed} segments");
    assert_eq!(
        (day["truncation"]["truncated"].as_bool(), &day["truncation"]["totalAvailable"]),
        (Some(false), &json!(listed))
    );
}

#[test]
fn a_pipe_gets_plain_text_with_the_totals() {
    let (home, data) = (Home::new(), demo());
    for arguments in [vec!["day", "2026-11-18"], vec!["period", "2026-11-06", "2026-11-20"]] {
        let mut command = home.program_for(data.path(), &arguments);
        // A pipe gets no colours, even if these variables enable them.
        let text = stdout_of(command.env("COLORTERM", "truecolor").env("TERM", "xterm-256color"));
        assert!(!text.contains('\u{1b}'), "{text}");
        assert!(text.contains(" active") && text.contains("Applications"), "{text}");
        let plain = stdout_of(home.program_for(data.path(), &arguments).env("NO_COLOR", "1"));
        assert_eq!(plain, text);
    }
    let day = stdout_of(&mut home.program_for(data.path(), ["day", "2026-11-18"]));
    assert!(day.starts_with("Wednesday, 18 November 2026\n"), "{day}");
    let nothing = stdout_of(&mut home.program_for(data.path(), ["day", "2031-01-01"]));
    assert!(nothing.contains("No data for Wednesday, 1 January 2031"), "{nothing}");
}

/// `period --tag nosuch` used to print that nothing was tracked.
#[test]
fn filter_that_matches_nothing_suggests_similar_names() {
    let (home, data) = (Home::new(), demo());
    let expected = "No tag contains `northwnd` (did you mean `Northwind Ltd`?); change or remove the filter.\n";
    for command in [vec!["day", "2026-11-18"], vec!["period", "2026-W46"]] {
        let text = stdout_of(home.program_for(data.path(), &command).args(["--tag", "northwnd"]));
        assert!(text.ends_with(expected), "{text}");
        assert!(text.contains("0 min of ") && !text.contains("No data for"), "{text}");
    }
    let hint = "no tag contains `northwnd` (did you mean `Northwind Ltd`?); change or remove the filter";
    let output =
        home.program_for(data.path(), ["report", "--from", "2026-11-18", "--tag", "northwnd"]).output().unwrap();
    assert_eq!(String::from_utf8(output.stderr).unwrap().replace('\n', " ").trim(), hint);
    let page = std::fs::read_to_string(home.folder("dayledger-2026-11-18.html")).unwrap();
    assert!(page.contains("No activity matches.") && !page.contains("Northwind"), "the page contains no other names");
}

/// `day --tag nosuch` used to print the notes of the whole day.
#[test]
fn filtered_day_shows_only_notes_of_the_matching_time() {
    let home = Home::new();
    stdout_of(&mut home.program(["demo", "noted", "--until", "2026-11-19", "--days", "3", "--no-screenshots"]));
    let workspace = home.folder("noted").join("notes");
    home.configure(&format!("[notes]\nworkspace = '{}'\n", workspace.display()));
    let notes = |filter: &[&str]| -> Vec<Value> {
        let mut command = home.program_for(&home.folder("noted"), ["day", "2026-11-19", "--json"]);
        let day: Value = serde_json::from_str(&stdout_of(command.args(filter))).unwrap();
        day["notesTaken"].as_array().cloned().unwrap_or_default()
    };
    let all = notes(&[]);
    assert!(!all.is_empty());
    assert_eq!(notes(&["--tag", "nosuch"]), [] as [Value; 0]);
    let some = notes(&["--text", "e"]);
    assert!(!some.is_empty() && some.iter().all(|note| all.contains(note)), "{some:?}");
}

/// When a user copied a suggested command, the command used to read another history.
#[test]
fn suggested_command_reads_the_same_history() {
    let (home, data) = (Home::new(), demo());
    let here = |arguments: &[&str]| {
        let mut command = home.program([&["--data-dir", "."], arguments].concat());
        command.current_dir(data.path());
        command
    };
    let empty = stdout_of(&mut here(&["day", "2030-01-01"]));
    assert!(empty.contains("Run `dayledger --data-dir . doctor` to list"), "{empty}");
    let draft = "`dayledger --data-dir . timesheet draft`";
    assert_fails(&mut here(&["timesheet", "log", "--draft", "last"]), "there is no draft", draft);
}

#[test]
fn errors_have_a_hint() {
    let (home, data) = (Home::new(), demo());
    let over = |arguments: &[&str]| home.program_for(data.path(), arguments);
    let written = "`2025-01-15`";
    assert_fails(&mut over(&["day", "2026-02-29"]), "invalid date `2026-02-29`", "docs/commands.md#dates");
    assert_fails(&mut over(&["day", "11/18/2026"]), "`11/18/2026`", written);
    assert_fails(&mut over(&["day", "lst", "friday"]), "did you mean `last friday`?", "`yesterday`");
    assert_fails(&mut over(&["day", "last", "week"]), "`last week` is not one day", "`last friday`");
    assert_fails(&mut over(&["period", "lst", "week", "today"]), "did you mean `last week`?", "docs/commands.md#dates");
    assert_fails(&mut over(&["period", "2026-W46", "tody"]), "invalid date `tody`; did you mean `today`?", written);
    assert_fails(&mut over(&["day", "2026-11-18T10:00"]), "`2026-11-18T10:00`", written);
    assert_fails(&mut over(&["day", "2026-11-18", "--max-gap=-1"]), "invalid `--max-gap`: -1", "from 0");
    assert_fails(&mut over(&["day", "2026-11-18", "--min-duration=NaN"]), "`--min-duration`", "from 0");
    assert_fails(&mut over(&["day", "2026-11-18", "--device", "X"]), "unknown device `X`", "`LAPTOP`");
    let later = "the end `2026-11-06` is not after the start `2026-11-20`";
    assert_fails(&mut over(&["period", "2026-11-20", "2026-11-06"]), later, "includes that day");
    let unreadable = ["sql", "--exports", "nowhere", "-c", "SELECT 1"];
    assert_fails(&mut home.program(unreadable), "cannot read `nowhere`", "`dayledger export --out` wrote");
    let quoted = "SELECT * FROM blocks(\"yesterday\")";
    assert_fails(&mut over(&["sql", "-c", quoted]), "write text in single quotes, such as 'yesterday'", "docs/sql.md");
    let misspelt = "SELECT * FROM blocks('yesterda')";
    assert_fails(&mut over(&["sql", "-c", misspelt]), "did you mean `yesterday`?", "docs/commands.md#dates");
    assert_fails(&mut over(&["timesheet", "2025-W60"]), "invalid date `2025-W60`", "`this week`");
    assert_fails(&mut over(&["why", "2026-11-18", "--device", "LAPTOPP"]), "did you mean `LAPTOP`?", "omit it");
    let usage = stderr_of(&mut over(&["day", "2026-11-18", "--colour"]), 2);
    assert!(usage.contains("--colour"), "{usage}");
    stderr_of(&mut home.program(["--demo", "--data-dir", ".", "day"]), 2);
    stderr_of(&mut home.program(Vec::<&str>::new()), 2);
}
