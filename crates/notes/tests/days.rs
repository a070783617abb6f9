//! Tests the JSON resources: the notes of today and of the last seven days, and the configuration.

use dayledger_notes::days::{recent, today};
use dayledger_notes::history::Sessions;
use dayledger_notes::markers::config;
use dayledger_notes::survey::Survey;
use serde_json::json;

use crate::folder::{Folder, at_hour};

#[test]
fn today_is_the_local_day() {
    let folder = Folder::with_files(&[
        ("2024-12-10-kickoff.md", "# Kickoff\n## TL;DR\nIt is on."),
        (".meta/2024-12-10-kickoff.json", r#"{"session": {"duration_minutes": 32}, "processing": {}}"#),
        ("2024-12-10-hostile.md", "# \u{1b}[2J Hostile"),
        ("2024-12-11-tomorrow.md", ""),
        ("now.md", ""),
    ]);
    // 1733786100 is 23:15 UTC on 9 December.
    folder.set_modified("now.md", 1_733_786_100);
    folder.set_modified("2024-12-10-hostile.md", 1_733_785_000);
    let workspace = folder.open();
    let expected = json!({
        "date": "2024-12-10",
        "notes": [
            {"filename": "now.md", "title": "now", "duration_minutes": null, "processed": false, "summary": null},
            {"filename": "2024-12-10-kickoff.md", "title": "Kickoff", "duration_minutes": 32, "processed": true, "summary": "It is on."},
            {"filename": "2024-12-10-hostile.md", "title": "[2J Hostile", "duration_minutes": null, "processed": false, "summary": null},
        ],
    });
    folder.set_modified("2024-12-10-kickoff.md", 1_733_786_000);
    // 00:30 local time is still 9 December in UTC. 23:30 is half an hour before the next midnight.
    for now in [at_hour(0, 30), at_hour(23, 30)] {
        let today = today(&Survey::new(&workspace), &Sessions::default(), &now);
        assert_eq!(serde_json::to_value(today).unwrap(), expected, "{now}");
    }
}

#[test]
fn recent_days_are_seven_and_skip_days_without_notes() {
    let folder = Folder::with_files(&[
        ("2024-12-11.md", ""),
        ("2024-12-10.md", ""),
        ("2024-12-04-a.md", ""),
        ("2024-12-04-b.md", ""),
        ("2024-12-03.md", ""),
    ]);
    let workspace = folder.open();
    let recent = recent(&Survey::new(&workspace), &Sessions::default(), &at_hour(12, 0));
    let days: Vec<(String, usize)> = recent.days.iter().map(|day| (day.date.to_string(), day.notes.len())).collect();
    assert_eq!(days, [("2024-12-10".to_owned(), 1), ("2024-12-04".to_owned(), 2)]);
    assert!(serde_json::to_value(&recent).unwrap()["days"].is_array());
}

#[test]
fn markers_match_the_contract() {
    let config = config();
    assert_eq!(config["markers"]["action"], "[]");
    assert_eq!(config["processing"], json!({"default_style": "standard"}));
}
