//! Shows the matches of a search by day, newest first.

use std::io::{self, Write};

use dayledger_activity::{FoundMatch, FoundMatches, MatchKind};
use dayledger_request::Minutes;

use super::columns::{Cell, Column, Overflow, Row, write_columns};
use super::sections::{basis, range_title, write_prose, write_remarks};
use super::style::{Style, TextStyle};
use super::text::{duration, fit, join, parse_day, parse_time, times};

/// The text that is shown if a search has no match.
const NOTHING: &str = "Nothing contains all of these words. Try fewer words, or a part of a word.";

/// Writes the matches of a search: their total time, the first and the last time, and each match with its text.
pub fn write_found(out: &mut dyn Write, found: &FoundMatches, style: &Style) -> io::Result<()> {
    let title = range_title(&found.start_date, &found.end_date, style);
    writeln!(out, "{}", style.paint(&fit(&title, style.width, style), TextStyle::Strong))?;
    if found.matches.is_empty() {
        write_prose(out, NOTHING, TextStyle::Plain, style)?;
        return write_remarks(out, found.truncation, "matches", [None; 2], &found.diagnostics, style);
    }
    write_prose(out, &join(&facts(found), style), TextStyle::Plain, style)?;
    writeln!(out)?;
    write_matches(out, &found.matches, style)?;
    write_remarks(out, found.truncation, "matches", [None; 2], &found.diagnostics, style)
}

fn facts(found: &FoundMatches) -> Vec<String> {
    let mut facts = Vec::new();
    if found.total_minutes > Minutes::ZERO {
        facts.push(format!("{} {}", duration(found.total_minutes), basis(found.time_basis)));
    }
    if let Some(tagged) = found.tagged_minutes {
        facts.push(format!("{} tagged", duration(tagged)));
    }
    let matches = found.truncation.total_available;
    facts.push(if matches == 1 { "1 match".to_owned() } else { format!("{matches} matches") });
    let time = |time: &Option<String>| Some(parse_time(time.as_deref()?)?.format("%-d %b %Y, %H:%M").to_string());
    facts.extend(time(&found.first).map(|first| format!("first {first}")));
    facts.extend(time(&found.last).map(|last| format!("last {last}")));
    facts
}

fn write_matches(out: &mut dyn Write, matches: &[FoundMatch], style: &Style) -> io::Result<()> {
    let columns = [
        Column::left(""),
        Column::right(""),
        Column::left("").with_overflow(Overflow::Hide(1)),
        Column::left("").with_overflow(Overflow::Shrink),
        Column::left("").with_overflow(Overflow::Shrink),
    ];
    let mut rows = Vec::new();
    let mut last_day = None;
    for found in matches {
        let day = parse_day(&found.start);
        if day != last_day {
            if last_day.is_some() {
                rows.push(Row::Caption(String::new()));
            }
            rows.extend(day.map(|day| Row::Caption(day.format("%A, %-d %B %Y").to_string())));
            last_day = day;
        }
        rows.push(Row::Cells(vec![
            Cell::plain(times(&found.start, &found.end, style).unwrap_or_default()),
            Cell::plain(duration(found.total_minutes)),
            Cell::new(kind(found.kind), TextStyle::Faint),
            Cell::plain(&found.name),
            Cell::plain(found.text.clone().unwrap_or_default()),
        ]));
    }
    write_columns(out, &columns, &rows, style)
}

fn kind(kind: MatchKind) -> &'static str {
    match kind {
        MatchKind::Application => "application",
        MatchKind::Website => "website",
        MatchKind::Document => "document",
        MatchKind::Tag => "tag",
        MatchKind::Note => "note",
        MatchKind::Meeting => "meeting",
    }
}
