//! Shows one day, or any other range, as blocks or segments.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::io::{self, Write};

use dayledger_activity::{AwayInterval, Detail, Narrative, Segment, TakenNote};
use dayledger_request::{Minutes, minutes};

use super::away::{DayRow, describe};
use super::color::NameColors;
use super::columns::{Cell, Column, Overflow, Row, write_columns};
use super::sections::{
    amount, basis, client_text, is_unmatched, pluralize, range_title, top_lists, write_heading, write_no_match,
    write_nothing, write_prose, write_remarks, write_top_lines, write_top_lists,
};
use super::style::{Style, TextStyle};
use super::text::{clock, document_name, duration, fit, join, parse_day, parse_time, sanitize, span, times};
use super::timeline::write_timeline;

/// The width of a block's line without the subject, in columns.
const WIDTH_WITHOUT_SUBJECT: usize = 43;
/// The minimum width of a subject, in columns.
const MIN_SUBJECT_WIDTH: usize = 8;

/// Writes a narrative: the date and the total, an activity bar over the hours, the top lists, the blocks or segments,
/// the notes that were taken, and remarks about missing data.
///
/// With blocks, the top lists come before the blocks. Each list has only one or two lines, so that a day fits on a
/// terminal. With segments, the top lists come at the end, because the list of segments is long.
///
/// Times are local, as in the response. Applications have the colours of `top_applications`. A colour is changed if it
/// isn't legible on every background. If an application isn't in that list, its colour comes from a palette and depends
/// only on its name. Blocks have the colours of their subjects.
pub fn write_day(out: &mut dyn Write, narrative: &Narrative, style: &Style) -> io::Result<()> {
    let title = range_title(&narrative.start_date, &narrative.end_date, style);
    let segments = narrative.segments.as_deref().unwrap_or_default();
    let applications = narrative.top_applications.as_deref().unwrap_or_default();
    let websites = narrative.top_websites.as_deref().unwrap_or_default();
    let available = [narrative.top_applications_available, narrative.top_websites_available];

    let away = narrative.presence.as_ref().and_then(|presence| presence.away.as_deref()).unwrap_or_default();
    let is_empty = segments.is_empty() && applications.is_empty() && away.is_empty();

    if is_empty && narrative.total_active_minutes <= Minutes::ZERO {
        return write_nothing(out, &title, &narrative.diagnostics, style);
    }

    let facts = join(&facts(narrative, segments, style), style);
    if is_unmatched(&narrative.diagnostics) {
        write_no_match(out, (&title, &facts), &narrative.diagnostics, style)?;
        return write_taken_notes(out, narrative, style);
    }
    writeln!(out, "{}", style.paint(&fit(&title, style.width, style), TextStyle::Strong))?;
    write_prose(out, &facts, TextStyle::Plain, style)?;
    if let Some(clients) = &narrative.clients {
        write_prose(out, &client_text(clients), TextStyle::Plain, style)?;
    }

    let name_colors = match narrative.detail {
        Detail::Full => NameColors::from_totals(applications),
        Detail::Blocks => NameColors::from_names(segments.iter().map(Segment::subject)),
    };
    if !segments.is_empty() {
        write_timeline(out, segments, &name_colors, style)?;
    }
    let documents = narrative.top_documents.as_deref();
    let lists = top_lists(narrative.clients.as_ref(), applications, websites, documents, &name_colors);
    match narrative.detail {
        Detail::Blocks => {
            write_top_lines(out, &lists, style)?;
            if !segments.is_empty() || !away.is_empty() {
                write_heading(out, "Blocks", style)?;
                write_blocks(out, (segments, away), &narrative.start_date, &name_colors, style)?;
            }
        }
        Detail::Full => {
            if !segments.is_empty() {
                write_heading(out, "Segments", style)?;
                write_segments(out, segments, &narrative.start_date, &name_colors, style)?;
            }
            write_top_lists(out, &lists, narrative.reported_minutes(), style)?;
        }
    }
    write_taken_notes(out, narrative, style)?;
    // With blocks, the number of listed entries depends on the width of the line. The number of all entries is
    // therefore not shown.
    let available = if narrative.detail == Detail::Full { available } else { [None; 2] };
    write_remarks(out, narrative.truncation, row_noun(narrative), available, &narrative.diagnostics, style)
}

/// Writes a heading and the notes that were taken. Writes nothing if there are no notes.
fn write_taken_notes(out: &mut dyn Write, narrative: &Narrative, style: &Style) -> io::Result<()> {
    match narrative.notes_taken.as_deref() {
        Some(notes) => {
            write_heading(out, "Notes", style)?;
            write_notes(out, notes, style)
        }
        None => Ok(()),
    }
}

/// Writes the notes that were taken: the time, the title and the path of each note.
fn write_notes(out: &mut dyn Write, notes: &[TakenNote], style: &Style) -> io::Result<()> {
    let columns = [Column::left("time"), Column::left("title"), Column::left("note").with_overflow(Overflow::Hide(1))];
    let rows = notes.iter().map(|note| {
        Row::Cells(vec![
            Cell::plain(clock_times(&note.start, &note.end, style)),
            Cell::plain(&note.title),
            Cell::new(&note.path, TextStyle::Faint),
        ])
    });
    write_columns(out, &columns, &rows.collect::<Vec<_>>(), style)
}

/// Returns the noun for the rows of a narrative.
fn row_noun(narrative: &Narrative) -> &'static str {
    match narrative.detail {
        Detail::Full => "segments",
        Detail::Blocks => "blocks",
    }
}

fn facts(narrative: &Narrative, segments: &[Segment], style: &Style) -> Vec<String> {
    let amount = amount(narrative.matching_minutes, narrative.total_active_minutes);
    let mut facts = vec![format!("{amount} {}", basis(narrative.time_basis))];
    let row = row_noun(narrative).trim_end_matches('s');
    let listed: i64 = segments.iter().map(|segment| segment.duration_minutes.seconds()).sum();
    let is_whole = narrative.truncation.truncated || listed >= narrative.reported_minutes().seconds();
    if !segments.is_empty() && !is_whole {
        // Short segments are hidden. The day can begin or end with a hidden segment, so its first and last time aren't
        // shown.
        let number = pluralize(segments.len(), row);
        facts.push(format!("{number} of {}, shorter ones hidden", duration(minutes(listed))));
    }
    let starts = segments.iter().filter_map(|segment| parse_time(&segment.start));
    let ends = segments.iter().filter_map(|segment| parse_time(&segment.end));
    if let (true, Some(first), Some(last)) = (is_whole, starts.min(), ends.max()) {
        let start = clock(first, first.date());
        // If the last segments are missing, the last time isn't known.
        facts.push(if narrative.truncation.truncated {
            format!("from {start}")
        } else {
            span(&start, &clock(last, first.date()), style)
        });
        facts.push(pluralize(narrative.truncation.total_available.max(segments.len()), row));
    }
    if let Some(breaks) = narrative.presence.as_ref().map(|presence| presence.break_minutes)
        && breaks > Minutes::ZERO
    {
        facts.push(format!("{} of breaks", duration(breaks)));
    }
    if let Some(untagged) = narrative.tagged.as_ref().map(|tagged| tagged.untagged_minutes)
        && untagged > Minutes::ZERO
    {
        facts.push(format!("{} untagged", duration(untagged)));
    }
    let devices: BTreeSet<_> = segments.iter().filter_map(|segment| segment.device.as_deref()).collect();
    if devices.len() > 1 {
        facts.push(pluralize(devices.len(), "device"));
    }
    facts
}

fn write_segments(
    out: &mut dyn Write,
    segments: &[Segment],
    range_start: &str,
    name_colors: &NameColors<'_>,
    style: &Style,
) -> io::Result<()> {
    let swatch = style.swatch();
    let application = Column::left("application").with_overflow(Overflow::Shrink);
    let columns = [
        Column::left("time"),
        Column::right("length"),
        Column::left("device").with_overflow(Overflow::Hide(2)),
        Column::left(""),
        if swatch.is_empty() { application } else { application.with_narrow_gap() },
        Column::left("document").with_overflow(Overflow::Hide(1)),
        Column::left("title").with_overflow(Overflow::Hide(4)),
        Column::left("tags").with_overflow(Overflow::Hide(3)),
    ];
    let cells = |segment: &Segment| {
        let tags = join(segment.tags.as_deref().unwrap_or_default(), style);
        Row::Cells(vec![
            Cell::plain(clock_times(&segment.start, &segment.end, style)),
            Cell::plain(duration(segment.duration_minutes)),
            Cell::new(segment.device.as_deref().unwrap_or_default(), TextStyle::Faint),
            Cell::new(swatch, TextStyle::Color(name_colors.color_of(&segment.application))),
            Cell::plain(&segment.application),
            Cell::plain(detail(segment)),
            Cell::plain(segment.title.as_deref().unwrap_or_default()),
            Cell::new(tags, TextStyle::Faint),
        ])
    };
    let rows = segments.iter().map(|segment| (segment.start.as_str(), cells(segment)));
    let rows = rows_with_dates(rows.collect(), range_start);
    write_columns(out, &columns, &rows, style)
}

fn write_blocks(
    out: &mut dyn Write,
    (blocks, away): (&[Segment], &[AwayInterval]),
    range_start: &str,
    name_colors: &NameColors<'_>,
    style: &Style,
) -> io::Result<()> {
    let swatch = style.swatch();
    let subject = Column::left("about");
    // The subject is the most important text of a block, so it gets up to half of the line if the line is short.
    let room = style
        .width
        .saturating_sub(WIDTH_WITHOUT_SUBJECT)
        .clamp(MIN_SUBJECT_WIDTH, style.width.max(2 * MIN_SUBJECT_WIDTH) / 2);
    let columns = [
        Column::left("time"),
        Column::right("length"),
        Column::left(""),
        if swatch.is_empty() { subject } else { subject.with_narrow_gap() },
        Column::left("with").with_overflow(Overflow::Hide(1)),
    ];
    let block_cells = |block: &Segment| {
        let application = Some(block.application.as_str()).filter(|application| *application != block.subject());
        // Meetings come first, because the name of a meeting is more useful than the application.
        let with: Vec<_> = meetings(block)
            .chain(application.map(Cow::Borrowed))
            .chain([detail(block)])
            .filter(|name| !name.is_empty())
            .collect();
        Row::Cells(vec![
            Cell::plain(clock_times(&block.start, &block.end, style)),
            Cell::plain(duration(block.duration_minutes)),
            Cell::new(swatch, TextStyle::Color(name_colors.color_of(block.subject()))),
            Cell::plain(fit(&sanitize(block.subject(), style), room, style)),
            Cell::new(with.join(", "), TextStyle::Faint),
        ])
    };
    let away_cells = |interval: &AwayInterval| {
        let texts = [clock_times(&interval.start, &interval.end, style), duration(interval.duration_minutes)];
        let texts = texts.into_iter().chain([join(&describe(interval), style)]);
        Row::Wide(texts.map(|text| Cell::new(text, TextStyle::Faint)).collect())
    };
    let rows = DayRow::merge(blocks, away).into_iter().map(|row| match row {
        DayRow::Block(block) => (row.start(), block_cells(block)),
        DayRow::Away(interval) => (row.start(), away_cells(interval)),
    });
    let rows = rows_with_dates(rows.collect(), range_start);
    write_columns(out, &columns, &rows, style)
}

/// Returns the rows, with a caption before the first row of each day except the first day. `rows` contains the start of
/// each row.
fn rows_with_dates(rows: Vec<(&str, Row)>, range_start: &str) -> Vec<Row> {
    let mut dated = Vec::with_capacity(rows.len());
    let mut date = parse_day(range_start);
    for (start, row) in rows {
        if let Some(day) = parse_day(start)
            && date.replace(day) != Some(day)
        {
            dated.push(Row::Caption(String::new()));
            dated.push(Row::Caption(day.format("%A, %-d %B").to_string()));
        }
        dated.push(row);
    }
    dated
}

fn clock_times(start: &str, end: &str, style: &Style) -> String {
    times(start, end, style).unwrap_or_else(|| span(start, end, style))
}

/// Returns the names of the meetings during a block.
fn meetings(block: &Segment) -> impl Iterator<Item = Cow<'_, str>> {
    let meetings = block.block.as_ref().and_then(|block| block.meetings.as_deref()).unwrap_or_default();
    meetings.iter().map(|meeting| Cow::Borrowed(meeting.as_str()))
}

/// Returns the name of the segment's file. Without a file, returns the site of the segment. Without a file and a site,
/// returns the document as recorded.
fn detail(segment: &Segment) -> Cow<'_, str> {
    match (segment.document.as_deref(), segment.website.as_deref()) {
        (Some(document), _) if document.starts_with("file://") => document_name(document),
        (_, Some(website)) => Cow::Borrowed(website),
        (Some(document), None) => Cow::Borrowed(document),
        (None, None) => Cow::Borrowed(""),
    }
}
