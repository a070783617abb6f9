//! Tests lists of notes.

use std::fs;

use chrono::{FixedOffset, NaiveDate};
use dayledger_notes::history::Sessions;
use dayledger_notes::listing::{Filter, Listing, limit};
use dayledger_notes::survey::Survey;
use dayledger_notes::{Code, Refusal};

use crate::folder::{Folder, utf_16};

fn list(folder: &Folder, filter: &Filter, limit: usize) -> Result<Listing, Refusal> {
    let workspace = folder.open();
    let zone = FixedOffset::east_opt(3600).unwrap();
    Listing::collect(&Survey::new(&workspace), filter, limit, &Sessions::default(), &zone)
}

fn paths(folder: &Folder, filter: &Filter) -> Vec<String> {
    list(folder, filter, 100).unwrap().notes.iter().map(|note| note.path.to_string()).collect()
}

fn day(day: &str) -> NaiveDate {
    day.parse().unwrap()
}

fn search(text: &str) -> Filter {
    Filter { search: Some(text.to_owned()), ..Filter::default() }
}

/// Creates a folder with three notes on three different days. The day of the newest note is its modification time. One
/// of the notes is processed.
fn sample_folder() -> Folder {
    let folder = Folder::with_files(&[
        ("2024-12-09-research.md", "# Research Notes\nÜBER straße"),
        ("2024-12-10-kickoff.md", "# Project Kickoff\n> on [the] timeline"),
        (".meta/2024-12-10-kickoff.json", r#"{"session": {"duration_minutes": 32}, "processing": {}}"#),
        ("sub/late.md", "no title"),
    ]);
    // 1733873400 is 23:30 UTC on 10 December, which is already 11 December in the zone of these tests.
    folder.set_modified("sub/late.md", 1_733_873_400);
    folder
}

#[test]
fn notes_are_listed_newest_first_in_the_words_of_the_contract() {
    let text = list(&sample_folder(), &Filter::default(), 20).unwrap().to_text();
    let expected = "Found 3 notes:\n\n1. sub/late.md - late\n2. 2024-12-10-kickoff.md - Project Kickoff (32m) ✓\n\
                    3. 2024-12-09-research.md - Research Notes";
    assert_eq!(text, expected);
    let one = list(&sample_folder(), &Filter::default(), 1).unwrap().to_text();
    assert!(one.starts_with("Found 3 notes:\n\n1. sub/late.md - late\n\nThese are the newest 1;"), "{one}");
    assert_eq!(list(&Folder::empty(), &Filter::default(), 20).unwrap().to_text(), "Found 0 notes.");
}

#[test]
fn both_ends_of_a_range_of_days_are_in_it() {
    let between = |from, to| paths(&sample_folder(), &Filter { from, to, ..Filter::default() });
    assert_eq!(between(Some(day("2024-12-10")), Some(day("2024-12-10"))), ["2024-12-10-kickoff.md"]);
    assert_eq!(between(Some(day("2024-12-11")), None), ["sub/late.md"]);
    assert_eq!(between(None, Some(day("2024-12-09"))), ["2024-12-09-research.md"]);
    let swapped = Filter { from: Some(day("2024-12-11")), to: Some(day("2024-12-10")), ..Filter::default() };
    assert_eq!(list(&sample_folder(), &swapped, 20).unwrap_err().code, Code::InvalidArgument);
}

#[test]
fn a_search_finds_parts_of_titles_and_texts_in_any_case() {
    for (text, path) in [
        ("KICKOFF", "2024-12-10-kickoff.md"),
        ("[THE] time", "2024-12-10-kickoff.md"),
        ("über STRASSE", ""),
        ("über STRAßE", "2024-12-09-research.md"),
        ("LATE", "sub/late.md"),
        (" title ", "sub/late.md"),
        (".*", ""),
    ] {
        let expected: &[&str] = if path.is_empty() { &[] } else { &[path] };
        assert_eq!(paths(&sample_folder(), &search(text)), expected, "{text}");
    }
    assert_eq!(paths(&sample_folder(), &search("  ")).len(), 3);
    let wide = sample_folder();
    wide.write("wide.md", utf_16("# Breit\n> Straße"));
    assert_eq!(paths(&wide, &search("straße")), ["wide.md", "2024-12-09-research.md"]);
    let long = search(&"x".repeat(1001));
    assert_eq!(list(&sample_folder(), &long, 20).unwrap_err().code, Code::InvalidArgument);
    // The text has 999 bytes, just below the maximum. Each letter has several case variants, so the pattern is large.
    assert_eq!(paths(&sample_folder(), &search(&"\u{1e9e}".repeat(333))), [""; 0]);
}

#[test]
fn note_is_processed_if_any_of_three_files_indicates_it() {
    let folder = Folder::with_files(&[
        ("meta.md", ""),
        (".meta/meta.json", r#"{"processing": {}}"#),
        ("raw.md", ""),
        (".raw/raw.raw.md", ""),
        ("made.md", ""),
        (".chronicle/processed/made.md.json", "{}"),
        ("stem.md", ""),
        (".chronicle/processed/stem.json", "{}"),
        ("not.md", ""),
        (".meta/not.json", r#"{"id": "x"}"#),
    ]);
    let mut processed = paths(&folder, &Filter { processed_only: true, ..Filter::default() });
    processed.sort();
    assert_eq!(processed, ["made.md", "meta.md", "raw.md", "stem.md"]);
}

#[test]
fn broken_metadata_affects_only_its_note() {
    let deep = "[".repeat(100_000);
    for broken in [r#"{"processing": {},}"#, "", "[]", &deep] {
        let folder = sample_folder();
        folder.write(".meta/2024-12-10-kickoff.json", broken);
        let listing = list(&folder, &Filter::default(), 20).unwrap();
        assert_eq!(listing.notes.len(), 3);
        let problems: Vec<bool> = listing.notes.iter().map(|note| note.problem.is_some()).collect();
        assert_eq!(problems, [false, true, false]);
        let text = listing.to_text();
        assert!(text.contains("\n\nPARSE_ERROR: `.meta/2024-12-10-kickoff.json`"), "{text}");
    }
}

#[test]
fn files_of_older_programs_at_the_top_count_for_a_unique_name() {
    let folder = Folder::with_files(&[
        ("one/a.md", ""),
        (".meta/a.json", r#"{"processing": {}}"#),
        ("one/b.md", ""),
        (".raw/b.raw.md", ""),
        ("one/c.md", ""),
        (".meta/c.json", r#"{"id": "c-1", "file": {"name": "c.md"}, "processing": {}}"#),
    ]);
    let processed = || {
        let mut processed = paths(&folder, &Filter { processed_only: true, ..Filter::default() });
        processed.sort();
        processed
    };
    assert_eq!(processed(), ["one/a.md", "one/b.md"], "`c.json` belongs to another note");
    folder.write("two/a.md", "");
    folder.write("b.md", "");
    assert_eq!(processed(), ["b.md"]);
}

#[test]
fn notes_removed_during_listing_are_skipped() {
    let folder = sample_folder();
    let workspace = folder.open();
    let survey = Survey::new(&workspace);
    fs::remove_file(folder.path("2024-12-10-kickoff.md")).unwrap();
    let zone = FixedOffset::east_opt(3600).unwrap();
    let listing = Listing::collect(&survey, &Filter::default(), 20, &Sessions::default(), &zone).unwrap();
    assert_eq!((listing.found, listing.notes.len()), (2, 2));
}

/// The unreadable note may contain the search text, so the response must mention it.
#[test]
fn unreadable_notes_are_reported_separately() {
    let folder = sample_folder();
    folder.create_too_large("2024-12-11-large.md");
    for (filter, found) in [(Filter::default(), 3), (search("timeline"), 1), (search("nowhere"), 0)] {
        let listing = list(&folder, &filter, 20).unwrap();
        assert_eq!((listing.found, listing.notes.len(), listing.unread.len()), (found, found, 1));
        let text = listing.to_text();
        let end =
            "\n\n1 note cannot be read and is not included:\n\nPARSE_ERROR: `2024-12-11-large.md` has more than 50 MB";
        assert!(text.contains(end), "{text}");
    }
    let before = Filter { to: Some(day("2024-12-10")), ..Filter::default() };
    assert!(list(&folder, &before, 20).unwrap().unread.is_empty(), "the filter excludes the unreadable note");
    for number in 0..30 {
        folder.create_too_large(&format!("2024-12-12-{number}.md"));
    }
    let text = list(&folder, &Filter::default(), 20).unwrap().to_text();
    assert!(text.contains("\n\n31 notes cannot be read and are not included:\n"), "{text}");
    assert_eq!(text.matches("PARSE_ERROR: ").count(), 10, "{text}");
    assert!(text.ends_with("\n\n21 more like these."), "{text}");
}

/// The name of a note must not send commands to a terminal or look like another line of the list.
#[test]
fn titles_and_names_of_notes_stay_in_their_line() {
    let long = format!("# \u{1b}[2J{}", "ä".repeat(500));
    let folder = Folder::with_files(&[("2024-12-10-long.md", &long)]);
    folder.write(".meta/2024-12-10-long.json", "no");
    if cfg!(unix) {
        folder.write("2024-12-09 a\u{1b}]0;x\u{7}\n2.  b.md", "# A\u{9b}31m\u{2028}B");
    }
    let text = list(&folder, &Filter::default(), 20).unwrap().to_text();
    assert!(!text.contains(|letter: char| letter.is_control() && letter != '\n'), "{text:?}");
    assert!(text.contains(&format!("1. 2024-12-10-long.md - [2J{}…\n", "ä".repeat(197))), "{text}");
    if cfg!(unix) {
        assert!(text.contains("\n2. 2024-12-09 a\u{fffd}]0;x\u{fffd}\u{fffd}2.  b.md - A 31m B\n"), "{text}");
        folder.write(".meta/2024-12-09 a\u{1b}]0;x\u{7}\n2.  b.json", "no");
        let text = list(&folder, &Filter::default(), 20).unwrap().to_text();
        assert!(text.contains("PARSE_ERROR: `.meta/2024-12-09 a\u{fffd}]0;x\u{fffd}\u{fffd}2.  b.json`"), "{text}");
    }
}

#[test]
fn a_list_has_1_to_100_notes() {
    for (requested, limited) in
        [(None, 20), (Some(0), 20), (Some(-3), 1), (Some(7), 7), (Some(500), 100), (Some(i64::MAX), 100)]
    {
        assert_eq!(limit(requested), limited);
    }
}
