//! `find`: matches of words with their times, newest first.

use serde_json::{Value, json};

use super::program::Home;
use super::{assert_fails, stderr_of, stdout_of};
use crate::histories::small;

/// A day with a file, its window, a page about it, and a night with the window on the same device.
#[test]
fn matches_are_listed_by_day_with_their_total() {
    let (home, data) = (Home::new(), small::folder_without_screenshots());
    let find = |words: &[&str]| stdout_of(&mut home.program_for(data.path(), [&["find"], words].concat()));
    let text = find(&["ledger"]);
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let facts = "1 h 26 min active · 4 matches · first 15 Jan 2025, 09:00 · last 17 Jan 2025, 00:30 ";
    assert!(words.contains(facts), "{text}");
    let places: Vec<_> = ["Thursday, 16 January 2025", "23:30–00:30", "Wednesday, 15 January 2025", "09:40–09:50"]
        .map(|part| text.find(part).unwrap_or_else(|| panic!("{part}: {text}")))
        .into();
    assert!(places.is_sorted(), "{text}");
    assert!(text.contains("6 min") && text.contains("ledger.rs - Code") && text.contains("github.com"), "{text}");
    let meeting = find(&["may", "Offer for"]);
    assert!(meeting.contains("30 min tagged · 1 match") && meeting.contains("Offer for May"), "{meeting}");
    let nothing = find(&["for offer"]);
    assert!(nothing.contains("\nNothing contains all of these words."), "{nothing}");
}

#[test]
fn json_has_the_totals_of_all_matches_on_each_page() {
    let (home, data) = (Home::new(), small::folder_without_screenshots());
    let find = |more: &[&str]| {
        let words = [&["find", "ledger", "--json", "--from", "2025-01-15"], more].concat();
        serde_json::from_str::<Value>(&stdout_of(&mut home.program_for(data.path(), words))).unwrap()
    };
    let all = find(&[]);
    let matches = |answer: &Value| answer["matches"].as_array().unwrap().clone();
    let row = |start: &str, end: &str, minutes: f64, kind: &str, name: &str, text: &str| {
        let at = |time: &str| format!("2025-01-15T{time}:00");
        json!({"start": at(start), "end": at(end), "totalMinutes": minutes, "kind": kind, "name": name, "text": text,
               "device": "STUDIO"})
    };
    let expected = [
        row("09:40", "09:50", 6.0, "application", "Code", "ledger.rs - Code"),
        row("09:20", "09:30", 10.0, "website", "github.com", "https://github.com/example/ledger/issues/7"),
        row("09:00", "09:10", 10.0, "document", "ledger.rs", r"C:\work\ledger.rs"),
    ];
    assert_eq!(matches(&all), expected);
    assert_eq!((&all["totalMinutes"], &all["timeBasis"]), (&json!(26.0), &json!("active")));
    let first = find(&["--limit", "1"]);
    assert_eq!(matches(&first), expected[..1]);
    assert_eq!((&first["truncation"]["totalAvailable"], &first["totalMinutes"]), (&json!(3), &all["totalMinutes"]));
}

/// A window stayed in front while the user was away from 09:55.
#[test]
fn time_away_is_not_counted() {
    let (home, data) = (Home::new(), small::folder_without_screenshots());
    let text = stdout_of(&mut home.program_for(data.path(), ["find", "guide", "chrome", "--json"]));
    let found: Value = serde_json::from_str(&text).unwrap();
    // The title has both words, and the address has only one. 09:31:30-09:40 and 09:41-09:42 are one match.
    assert_eq!((&found["totalMinutes"], &found["last"]), (&json!(9.5), &json!("2025-01-15T09:42:00")));
    assert_eq!(found["matches"].as_array().unwrap().len(), 1);
}

#[test]
fn invalid_searches_fail_with_a_hint() {
    let (home, data) = (Home::new(), small::folder_without_screenshots());
    let find = |words: &[&str]| home.program_for(data.path(), [&["find"], words].concat());
    assert_fails(&mut find(&["\"\""]), "there are no words", "a part of a name");
    assert_fails(&mut find(&["x", "--limit", "0"]), "`--limit`", "1000");
    assert_fails(&mut find(&["x", "--from", "lst week"]), "did you mean `last week`?", "`2025-01-15`");
    stderr_of(&mut find(&[]), 2);
    stderr_of(&mut find(&["x", "--to", "today"]), 2);
}
