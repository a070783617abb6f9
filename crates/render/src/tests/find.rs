//! Tests of the output of `find`.

use super::{PLAIN, assert_fits, render, styles};
use crate::write_found;
use dayledger_activity::{Diagnostics, FoundMatch, FoundMatches, MatchKind, TimeBasis};
use dayledger_request::{Truncation, minutes};

fn found_match(kind: MatchKind, (start, end): (&str, &str), name: &str, text: Option<&str>) -> FoundMatch {
    FoundMatch {
        start: format!("2025-01-{start}:00"),
        end: format!("2025-01-{end}:00"),
        total_minutes: minutes(360),
        kind,
        name: name.to_owned(),
        text: text.map(str::to_owned),
        device: None,
    }
}

fn matches(matches: Vec<FoundMatch>, available: usize) -> FoundMatches {
    FoundMatches {
        start_date: "2025-01-01".to_owned(),
        end_date: "2025-02-01".to_owned(),
        time_basis: TimeBasis::Active,
        total_minutes: minutes(5160),
        tagged_minutes: Some(minutes(1800)),
        first: Some("2025-01-15T09:00:00".to_owned()),
        last: Some("2025-01-17T00:30:00".to_owned()),
        truncation: Truncation::new(matches.len(), available),
        matches,
        diagnostics: Diagnostics::healthy(),
    }
}

#[test]
fn matches_are_grouped_by_their_first_day() {
    let long = "https://github.com/example/ledger/issues/7?a=a-very-long-question-about-the-ledger";
    let answer = matches(
        vec![
            found_match(MatchKind::Application, ("16T23:30", "17T00:30"), "Code \u{1b}[2J", Some("ledger.rs - Code")),
            found_match(MatchKind::Website, ("15T09:20", "15T09:30"), "github.com", Some(long)),
            found_match(MatchKind::Tag, ("15T09:00", "15T09:30"), "Ledger", None),
        ],
        4,
    );
    let text = render(|out| write_found(out, &answer, &PLAIN));
    for line in [
        "1 h 26 min active · 30 min tagged · 4 matches · first 15 Jan 2025, 09:00 · last 17 Jan 2025, 00:30\n",
        "\n  Thursday, 16 January 2025\n  23:30–00:30  6 min  application  Code ",
        "\n\n  Wednesday, 15 January 2025\n  09:20–09:30  6 min  website      github.com ",
        "Only the first 3 of 4 matches are shown; the totals count all of them.",
    ] {
        assert!(text.contains(line), "{line:?} is not in\n{text}");
    }
    for style in styles(80) {
        assert_fits(&render(|out| write_found(out, &answer, &style)), &style);
    }
}

#[test]
fn a_search_without_a_match_says_so() {
    let nothing = FoundMatches { tagged_minutes: None, first: None, last: None, ..matches(Vec::new(), 0) };
    let text = render(|out| write_found(out, &nothing, &PLAIN));
    assert!(text.ends_with("\nNothing contains all of these words. Try fewer words, or a part of a word.\n"), "{text}");
}
