//! Tests `find`: matches of words with their times, newest first.

use std::fs;

use serde_json::{Value, json};

use super::program::Home;
use super::{assert_fails, stderr_of, stdout_of};
use crate::histories::{History, small, span};
use dayledger_fixtures::{Activity, Group};

/// On one day of the history, the user edits a file in a window and reads a page about the file. The same window is
/// also used during one night.
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

/// The window stays in front while the user is away from 09:55.
#[test]
fn time_away_is_not_counted() {
    let (home, data) = (Home::new(), small::folder_without_screenshots());
    let text = stdout_of(&mut home.program_for(data.path(), ["find", "guide", "chrome", "--json"]));
    let found: Value = serde_json::from_str(&text).unwrap();
    // The title contains both words, and the URL only one of them. The times 09:31:30-09:40 and 09:41-09:42 are one
    // match.
    assert_eq!((&found["totalMinutes"], &found["last"]), (&json!(9.5), &json!("2025-01-15T09:42:00")));
    assert_eq!(found["matches"].as_array().unwrap().len(), 1);
}

/// A page stayed open from 10:00 to 10:30, and the title of its window changed at 10:10 and 10:20. The page used to get
/// only the time before the first change.
#[test]
fn a_website_has_all_of_its_time_if_its_windows_match_too() {
    let (home, mut history) = (Home::new(), History::on_workstation());
    history.active(1, "09:00", "12:00");
    let browser = history.group(2, &Group::application("browser.exe;browser", "Browser"));
    for (title, from, to) in [("Harbour plan", "10:10", "10:20"), ("Harbour stock", "10:20", "10:40")] {
        history.activity(2, &Activity::new(title, span(from, to)).group(browser));
    }
    history.website(3, "harbour.example", "10:00", "10:30");
    // If the name of a site has only one letter, ManicTime has misread a path as a site.
    let misread = history.group(3, &Group::web_site("c"));
    history.activity(3, &Activity::new("https://c/harbour.txt", span("11:00", "11:30")).group(misread));
    let history = history.close();
    let text = stdout_of(&mut home.program_for(history.folder(), ["find", "harbour", "--json"]));
    let found: Value = serde_json::from_str(&text).unwrap();
    let fields = ["kind", "start", "end", "totalMinutes", "text"];
    let facts = |row: &Value| json!(fields.map(|field| &row[field]));
    let matches: Value = found["matches"].as_array().unwrap().iter().map(facts).collect();
    let expected = json!([
        ["application", "2025-01-15T10:30:00", "2025-01-15T10:40:00", 10.0, "Harbour stock"],
        ["website", "2025-01-15T10:00:00", "2025-01-15T10:30:00", 30.0, "https://harbour.example/page"],
    ]);
    assert_eq!((&matches, &found["totalMinutes"]), (&expected, &json!(40.0)));
}

#[test]
fn an_all_day_event_is_found_on_each_of_its_days() {
    let (home, history) = (Home::new(), History::with_one_hour().close());
    let configuration = home.configure("[[calendars]]\nfile = 'leave.ics'\n");
    let event = "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\nSUMMARY:Skiing\r\nDTSTART;VALUE=DATE:20241223\r\n\
                 DTEND;VALUE=DATE:20250120\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n";
    fs::write(configuration.with_file_name("leave.ics"), event).unwrap();
    let arguments = ["find", "skiing", "--from", "2025-01-15", "--to", "2025-01-15", "--json"];
    let found: Value = serde_json::from_str(&stdout_of(&mut home.program_for(history.folder(), arguments))).unwrap();
    let whole_day = json!([{"start": "2025-01-15T00:00:00", "end": "2025-01-16T00:00:00", "totalMinutes": 1440.0,
                            "kind": "meeting", "name": "Skiing"}]);
    assert_eq!((&found["matches"], &found["totalMinutes"]), (&whole_day, &json!(0.0)));
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
