//! Explains active minutes: totals first, then sentences in time order.

use std::collections::BTreeSet;
use std::io::{self, Write};

use chrono::NaiveDate;

use dayledger_activity::{Adds, Counts, Step, Why, WhyBlock, WhyStretch, WhyTotal, WhyWork};
use dayledger_request::{Minutes, minutes};

use super::columns::{Cell, Column, Overflow, Row, write_columns};
use super::sections::{last_date, pluralize, range_title, write_heading, write_prose};
use super::style::{Style, TextStyle};
use super::text::{capitalize, clock, duration, fit, pad, parse_time, sanitize, span, wrap};

/// The width of `00:00–24:00` and the spaces after it.
const TIME_WIDTH: usize = 13;

/// Writes the explanation: the totals of each kind, then the intervals, those of a block below its name. Successive
/// intervals with the same explanation become one sentence.
pub fn write_why(out: &mut dyn Write, why: &Why, style: &Style) -> io::Result<()> {
    let title = range_title(&why.start_date, &why.end_date, style);
    if why.stretches.is_empty() {
        let instant = parse_time(&why.start_date).filter(|_| why.start_date == why.end_date);
        let title = instant.map_or(title, |instant| instant.format("%A, %-d %B %Y, %H:%M").to_string());
        return write_prose(out, &format!("Nothing was recorded on {title}."), TextStyle::Plain, style);
    }
    writeln!(out, "{}", style.paint(&fit(&title, style.width, style), TextStyle::Strong))?;
    write_prose(out, &headline(why), TextStyle::Plain, style)?;
    let devices: BTreeSet<_> = why.totals.iter().filter_map(|total| total.device.as_deref()).collect();
    write_totals(out, why, devices.len() > 1, style)?;
    write_heading(out, "Periods", style)?;
    // If the range is one day, the title already contains it.
    let one_day = parse_time(&why.start_date)
        .zip(parse_time(&why.end_date))
        .filter(|(start, end)| last_date(*end) <= start.date());
    let mut place = WriterState {
        date: one_day.map(|(start, _)| start.date()),
        block: None,
        device: None,
        timelines: BTreeSet::new(),
    };
    for sentence in group_sentences(&why.stretches) {
        place.write_change(out, &sentence, &why.blocks, style)?;
        place.write_sentence(out, &sentence, devices.len() > 1, style)?;
    }
    Ok(())
}

fn headline(why: &Why) -> String {
    let whole = duration(why.total_active_minutes);
    let shared = why.shared_minutes;
    let besides = if shared > Minutes::ZERO {
        format!(" Two devices were active at the same time for {}, which counts once.", duration(shared))
    } else {
        String::new()
    };
    let has_calls = why.totals.iter().any(|total| total.counts == Counts::Call);
    let counted = if has_calls {
        "active and in calls: in use with an application in the foreground, or away with a call in the foreground"
    } else {
        "active: in use with an application in the foreground"
    };
    format!("{whole} {counted}. Other time does not count.{besides}")
}

fn write_totals(out: &mut dyn Write, why: &Why, several: bool, style: &Style) -> io::Result<()> {
    writeln!(out)?;
    let row = |total: &WhyTotal| {
        let device = total.device.as_deref().filter(|_| several).unwrap_or_default();
        let (name, meaning) = meaning(total.counts);
        let amount = match total.counts {
            Counts::Ignored => pluralize(total.stretches, "row"),
            _ => duration(total.total_minutes),
        };
        Row::Cells(vec![
            Cell::plain(name),
            Cell::new(device, TextStyle::Faint),
            Cell::plain(amount),
            Cell::new(meaning, TextStyle::Faint),
        ])
    };
    let rows: Vec<_> = why.totals.iter().map(row).collect();
    let columns = [
        Column::left(""),
        Column::left("").with_overflow(Overflow::Hide(1)),
        Column::right(""),
        Column::left("").with_overflow(Overflow::Shrink),
    ];
    write_columns(out, &columns, &rows, style)
}

/// Returns the name of a kind, and its meaning.
fn meaning(counts: Counts) -> (&'static str, &'static str) {
    match counts {
        Counts::Active => ("active", "in use with an application in the foreground"),
        Counts::Call => ("call", "away from the keyboard with a call in the foreground"),
        Counts::Away => ("away", "away from the computer"),
        Counts::Locked => ("locked", "the session was locked"),
        Counts::Off => ("off", "the computer was off"),
        Counts::Unknown => ("unknown", "the state of the computer is unknown"),
        Counts::NoApplication => ("no application", "in use, but no application was recorded"),
        Counts::Tagged => ("tag only", "tagged, but no device recorded anything"),
        Counts::Covered => ("covered", "an application row that a later one covers"),
        Counts::Ignored => ("ignored", "rows that do not count"),
    }
}

/// Adjacent intervals of one device with the same explanation.
struct Sentence<'a> {
    first: &'a WhyStretch,
    last: &'a WhyStretch,
    seconds: i64,
    rows: Vec<i64>,
}

impl<'a> Sentence<'a> {
    fn new(interval: &'a WhyStretch) -> Self {
        let rows = vec![interval.activity_id];
        Self { first: interval, last: interval, seconds: interval.duration_minutes.seconds(), rows }
    }

    /// Whether the next interval belongs to the same sentence.
    fn continues_with(&self, next: &WhyStretch) -> bool {
        let (first, last) = (self.first, self.last);
        let same_work = match (&first.work, &next.work) {
            (Some(one), Some(other)) => WhyWork { step: other.step, ..one.clone() } == *other,
            (one, other) => one == other,
        };
        let step = |of: &WhyStretch| of.work.as_ref().map(|work| work.step);
        last.end.is_some()
            && last.end == next.start
            && same_work
            && (first.counts, first.adds_to) == (next.counts, next.adds_to)
            // An interval after a gap doesn't need to mention the gap again.
            && (step(first) == step(next) || (step(first), step(next)) == (Some(Step::Gap), Some(Step::Own)))
            && (&first.application, &first.rule, &first.tags) == (&next.application, &next.rule, &next.tags)
            && first.timeline_id == next.timeline_id
    }
}

/// Groups intervals to sentences in time order. Sentences of devices that run simultaneously alternate.
fn group_sentences(intervals: &[WhyStretch]) -> Vec<Sentence<'_>> {
    let mut sentences: Vec<Sentence<'_>> = Vec::new();
    for interval in intervals {
        let before = sentences.iter_mut().rev().take(8).find(|sentence| sentence.first.device == interval.device);
        match before.filter(|sentence| sentence.continues_with(interval)) {
            Some(sentence) => {
                sentence.seconds += interval.duration_minutes.seconds();
                sentence.last = interval;
                if sentence.rows.last() != Some(&interval.activity_id) {
                    sentence.rows.push(interval.activity_id);
                }
            }
            None => sentences.push(Sentence::new(interval)),
        }
    }
    sentences
}

/// The date, block, device and timelines that the text so far has mentioned.
struct WriterState<'a> {
    date: Option<NaiveDate>,
    block: Option<&'a WhyBlock>,
    device: Option<&'a str>,
    timelines: BTreeSet<i64>,
}

impl<'a> WriterState<'a> {
    /// Writes the day and the block of the next sentence, if they change.
    fn write_change(
        &mut self,
        out: &mut dyn Write,
        sentence: &Sentence<'_>,
        blocks: &'a [WhyBlock],
        style: &Style,
    ) -> io::Result<()> {
        let day = sentence.first.start.as_deref().and_then(parse_time).map(|start| start.date());
        if let Some(day) = day.filter(|day| self.date.replace(*day) != Some(*day)) {
            write_heading(out, &day.format("%A, %-d %B").to_string(), style)?;
        }
        let Some(work) = &sentence.first.work else { return Ok(()) };
        let is_new = !self.block.is_some_and(|block| work.is_part_of(block));
        let Some(block) = blocks.iter().find(|block| work.is_part_of(block)).filter(|_| is_new) else { return Ok(()) };
        self.block = Some(block);
        let since = parse_time(&block.start).map(|start| start.format("%H:%M").to_string()).unwrap_or_default();
        let heading =
            format!("{}: {} active, from {since}", sanitize(&block.subject, style), duration(block.active_minutes));
        writeln!(out)?;
        writeln!(out, "  {}", style.strong(&fit(&heading, style.width.saturating_sub(2), style)))
    }

    /// Writes a sentence after its times. It mentions the device if it differs from the one before, and each timeline
    /// only once.
    fn write_sentence(
        &mut self,
        out: &mut dyn Write,
        sentence: &Sentence<'a>,
        several: bool,
        style: &Style,
    ) -> io::Result<()> {
        let first = sentence.first;
        let device = first.device.as_deref().filter(|_| several);
        let device = device.filter(|device| self.device.replace(device) != Some(device));
        let mut rows = rows(&sentence.rows, style);
        if self.timelines.insert(first.timeline_id) {
            rows = format!("{rows} of timeline {}", first.timeline_id);
        }
        let prose = format_sentence(sentence, device, &rows);
        let text_style = if first.work.is_some() { TextStyle::Plain } else { TextStyle::Faint };
        let width = style.width.saturating_sub(2 + TIME_WIDTH);
        for (number, line) in wrap(&sanitize(&prose, style), width, style).iter().enumerate() {
            let label = if number == 0 { times(sentence, style) } else { String::new() };
            writeln!(out, "  {}{}", pad(&label, TIME_WIDTH), style.paint(line, text_style))?;
        }
        Ok(())
    }
}

fn times(sentence: &Sentence<'_>, style: &Style) -> String {
    let start = sentence.first.start.as_deref().and_then(parse_time);
    let end = sentence.last.end.as_deref().and_then(parse_time);
    match (start, end) {
        (Some(start), Some(end)) => span(&clock(start, start.date()), &clock(end, start.date()), style),
        (Some(at), None) | (None, Some(at)) => at.format("%H:%M").to_string(),
        (None, None) => String::new(),
    }
}

/// Returns the sentence: the counted time and its rows, the segment and block, the tags or the rule, and why it was
/// clipped.
fn format_sentence(sentence: &Sentence<'_>, device: Option<&str>, rows: &str) -> String {
    let first = sentence.first;
    let on = device.map(|device| format!(" on {device}")).unwrap_or_default();
    let application = first.application.as_deref();
    let length = duration(minutes(sentence.seconds));
    let kind = match first.counts {
        Counts::Active => format!("{}{on}, {length}: {rows}", application.unwrap_or("Unknown")),
        Counts::Call => format!("{}{on}, {length} in a call: {rows}", application.unwrap_or("Unknown")),
        Counts::Ignored => format!("Ignored{on}: {rows}, because {}", first.reason.as_deref().unwrap_or_default()),
        Counts::Covered => format!("Covered{on}, {length}: {rows}, {}", application.unwrap_or("Unknown")),
        counts => {
            let front = application.map(|front| format!(", {front} in the foreground")).unwrap_or_default();
            format!("{}{on}, {length}{front}: {rows}", capitalize(meaning(counts).0))
        }
    };
    let mut parts = vec![kind];
    parts.extend(last_day(sentence).map(|day| day.format("until %A, %-d %B").to_string()));
    if let Some(work) = &first.work {
        parts.extend(place_of(first, work));
    }
    parts.extend(names(first));
    format!("{}. {}", parts.join(", "), clip_text(sentence)).trim_end().to_owned()
}

/// Returns the day on which an interval ends, if it began on another day.
fn last_day(sentence: &Sentence<'_>) -> Option<NaiveDate> {
    let start = sentence.first.start.as_deref().and_then(parse_time)?.date();
    Some(last_date(sentence.last.end.as_deref().and_then(parse_time)?)).filter(|last| *last > start)
}

/// Formats row numbers: `row 3`, or the first and the last of several.
fn rows(rows: &[i64], style: &Style) -> String {
    let (first, last) = (rows.iter().min(), rows.iter().max());
    match (first, last) {
        (Some(first), Some(last)) if first != last => {
            format!("rows {}", span(&first.to_string(), &last.to_string(), style))
        }
        (Some(row), _) => format!("row {row}"),
        (None, _) => String::new(),
    }
}

/// Explains how an interval came to its segment and block, and whether another device counts it.
fn place_of(interval: &WhyStretch, work: &WhyWork) -> Vec<String> {
    let since = parse_time(&work.segment_start).map(|start| start.format("%H:%M").to_string()).unwrap_or_default();
    let begins = interval.start.as_deref() == Some(work.segment_start.as_str());
    let mut parts = Vec::new();
    match work.step {
        Step::Absorbed => parts.push(format!("a short interruption of the segment from {since}")),
        Step::Gap => parts.push(format!("merged into the segment from {since} across a gap")),
        Step::Own if !begins => parts.push(format!("in the segment from {since}")),
        Step::Own => {}
    }
    if !work.is_on_subject {
        parts.push("off the block's subject".to_owned());
    }
    match interval.adds_to {
        Adds::Both => {}
        Adds::Application => {
            parts.push("counted only for its application, because another device counts it".to_owned());
        }
        Adds::Neither => parts.push("not counted, because another device counts it".to_owned()),
    }
    parts
}

/// Returns the tags and rules of an interval, unless its block already mentions them.
fn names(interval: &WhyStretch) -> Vec<String> {
    let subject = interval.work.as_ref().map(|work| work.block.as_str());
    let tags = interval.tags.iter().filter(|tag| Some(tag.as_str()) != subject).map(|tag| format!("tagged {tag}"));
    tags.chain(interval.rule.iter().map(|rule| format!("by the rule {rule}"))).collect()
}

/// Explains why an interval ends before its row does, unless the next sentence does.
fn clip_text(sentence: &Sentence<'_>) -> String {
    let (start, end) = (sentence.first.cut_start.as_deref(), sentence.last.cut_end.as_deref());
    let word = |cut: &str| match cut {
        "range" => Some("the range"),
        "later row" => Some("a later row"),
        "away" => Some("being away"),
        "locked" => Some("the lock"),
        "off" => Some("switching off"),
        "unknown" => Some("the end of the known computer state"),
        _ => None,
    };
    match (start.and_then(word), end.and_then(word)) {
        (Some(start), Some(end)) if start == end => format!("Clipped at both ends by {start}."),
        (Some(start), Some(end)) => format!("Clipped by {start} and by {end}."),
        (Some(start), None) => format!("Its start is clipped by {start}."),
        (None, Some(end)) => format!("Its end is clipped by {end}."),
        (None, None) => String::new(),
    }
}
