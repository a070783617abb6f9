//! Tests `notes`: lists of notes and action items, searches, and filters.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use super::program::Home;
use super::{assert_fails, stderr_of, stdout_of};
use crate::mcp::notes::{RECORD, processed_note, workspace};

/// Creates a workspace with three notes. The note of 11 December is processed, with two action items.
fn home_with_notes() -> (Home, PathBuf) {
    let home = Home::new();
    let folder = workspace(&home);
    let record = RECORD.replace("- [ ] Check access", "- [x] Check access (due 2024-12-20)");
    fs::write(folder.join("2024-12-11-review.md"), processed_note(&record, "# Review\n\nrounding was agreed\n"))
        .unwrap();
    // The copy of the original text shows that the note was processed.
    fs::create_dir(folder.join(".raw")).unwrap();
    fs::write(folder.join(".raw/2024-12-11-review.raw.md"), "# Review\n").unwrap();
    home.configure(&format!("[notes]\nworkspace = '{}'\n", folder.display()));
    (home, folder)
}

fn json(home: &Home, arguments: &[&str]) -> Value {
    let text = stdout_of(home.program(["notes"]).args(arguments).arg("--json"));
    serde_json::from_str(&text).unwrap()
}

/// Returns the paths of the listed notes.
fn paths(answer: &Value) -> Vec<&str> {
    answer["notes"].as_array().unwrap().iter().map(|note| note["path"].as_str().unwrap()).collect()
}

#[test]
fn notes_are_listed_newest_first() {
    let (home, _) = home_with_notes();
    let text = stdout_of(&mut home.program(["notes", "list"]));
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines[0], "3 notes");
    for (line, parts) in lines[2..].iter().zip([
        ["2024-12-11", "✓", "Review", "2024-12-11-review.md"],
        ["2024-12-10", "32", "Project Kickoff", "2024-12-10-project-kickoff.md"],
        ["2024-12-09", "", "Research", "clients/2024-12-09-research.md"],
    ]) {
        assert!(parts.iter().all(|part| line.contains(part)), "{text}");
    }
}

#[test]
fn filters_select_notes_by_day_text_and_state() {
    let (home, _) = home_with_notes();
    let of = |arguments: &[&str]| json(&home, arguments);
    let found = of(&["list", "--from", "2024-12-10"]);
    assert_eq!(paths(&found), ["2024-12-10-project-kickoff.md"], "without `--to`, only this day");
    let found = of(&["list", "--from", "2024-12", "--limit", "1"]);
    assert_eq!((paths(&found), &found["total"]), (vec!["2024-12-11-review.md"], &Value::from(3)));
    assert_eq!(paths(&of(&["list", "--processed"])), ["2024-12-11-review.md"]);
    assert_eq!(paths(&of(&["search", "Rounding", "was"])), ["2024-12-11-review.md"], "case is ignored");
    assert_eq!(paths(&of(&["search", "nothing", "like", "this"])), [""; 0]);
    let note = &of(&["list", "--from", "2024-12-10"])["notes"][0];
    assert_eq!(
        (&note["date"], &note["minutes"], &note["isProcessed"]),
        (&"2024-12-10".into(), &32.into(), &false.into())
    );
    stderr_of(&mut home.program(["notes", "list", "--limit", "0"]), 2);
}

#[test]
fn open_actions_are_listed_below_their_note() {
    let (home, _) = home_with_notes();
    let text = stdout_of(&mut home.program(["notes", "actions"]));
    assert_eq!(
        text,
        "1 action item\n\nReview, 11 Dec 2024 (2024-12-11-review.md)\n  \
         [ ] Set up evidence automation (urgent)\n"
    );
    let all = json(&home, &["actions", "--done"]);
    let states: Vec<_> = all["actions"].as_array().unwrap().iter().map(|action| action["state"].clone()).collect();
    assert_eq!(states, ["open", "done"]);
    assert_eq!(all["actions"][1]["dueDate"], "2024-12-20");
    for (filter, total) in [
        (&["--done", "--owner", "sarah"][..], 1),
        (&["--owner", "me"], 1),
        (&["--owner", "nobody"], 0),
        (&["--done", "--overdue"], 1),
        (&["--done", "--due-before", "2024-12-20"], 0),
        (&["--from", "12", "December", "2024"], 0),
    ] {
        assert_eq!(json(&home, &[&["actions"], filter].concat())["total"], total, "{filter:?}");
    }
}

#[test]
fn a_missing_workspace_is_reported_with_the_setting() {
    let home = Home::new();
    home.configure("[notes]\nworkspace = 'missing'\n");
    assert_fails(&mut home.program(["notes", "list"]), "missing", "`workspace` in `[notes]`");
    home.configure("[notes]\nmodel_url = 'nonsense'\n");
    let stderr = stderr_of(&mut home.program(["notes", "list"]), 1);
    assert!(stderr.contains("model_url"), "{stderr}");
}
