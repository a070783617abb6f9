//! Entries as klog's records, by version 1.4 of its file format.

use std::io::{self, Write};
use std::iter;

use super::spread::{DayPart, parts_by_day};
use crate::apportion::{Share, distribute};
use crate::entry::TimeEntry;
use crate::sanitize::{look_alike, one_line, replace_with_look_alikes};

/// The tags that mean something here. No other tag and no description can have one of them.
const RESERVED_TAGS: [&str; 4] = ["project", "task", "issue", "hours"];
/// A hundredth of an hour is three fifths of a minute.
const FIFTHS_OF_A_MINUTE: i64 = 3;

pub(super) fn write(entries: &[TimeEntry], out: &mut dyn Write) -> io::Result<()> {
    for (number, (day, parts)) in parts_by_day(entries).into_iter().enumerate() {
        if number > 0 {
            writeln!(out)?;
        }
        writeln!(out, "{day}")?;
        for (part, minutes) in parts.iter().zip(minutes(&parts)) {
            let mut lines = summary(part).into_iter();
            writeln!(out, "    {} {}", duration(minutes), lines.next().unwrap_or_default())?;
            lines.try_for_each(|line| writeln!(out, "        {line}"))?;
        }
    }
    Ok(())
}

/// Whole minutes of the parts of a day, which add up to the nearest minute of the day; there is no half of one.
fn minutes(parts: &[DayPart<'_>]) -> Vec<i64> {
    let fifths = |part: &DayPart<'_>| part.hours.hundredths() * FIFTHS_OF_A_MINUTE;
    let share = |part| Share { whole: fifths(part) / 5, remainder: i128::from(fifths(part) % 5) };
    let total: i64 = parts.iter().map(fifths).sum();
    distribute((total + 2) / 5, &parts.iter().map(share).collect::<Vec<_>>())
}

/// Such as `7h30m`.
fn duration(minutes: i64) -> String {
    match (minutes / 60, minutes % 60) {
        (0, minutes) => format!("{minutes}m"),
        (hours, 0) => format!("{hours}h"),
        (hours, minutes) => format!("{hours}h{minutes}m"),
    }
}

/// The lines of an entry's summary: tags, with the first line of the description behind them, then its other lines. None
/// of these is blank, which would end the record.
fn summary(part: &DayPart<'_>) -> Vec<String> {
    let entry = part.entry;
    let hours = (part.hours.hundredths() * FIFTHS_OF_A_MINUTE % 5 != 0).then(|| part.hours.to_string());
    let own = [Some(&entry.project_code), Some(&entry.task), entry.issue_id.as_ref(), hours.as_ref()];
    let own = RESERVED_TAGS.iter().zip(own).filter_map(|(name, value)| value.map(|value| tag(name, value)));
    // A reader that knows fewer letters than the name has sees no tag in it, and all the more what its value holds.
    let others = entry.tags.iter().map(|other| tag(&name(&other.name), &escape_tags(&other.value)));
    let tags: Vec<_> = own.chain(others).collect();
    let description = escape_tags(entry.description.as_deref().unwrap_or_default());
    let mut lines = description.lines().filter(|line| !line.trim().is_empty());
    let first = tags.iter().map(String::as_str).chain(lines.next()).collect::<Vec<_>>().join(" ");
    iter::once(first).chain(lines.map(str::to_owned)).collect()
}

fn tag(name: &str, value: &str) -> String {
    let value = one_line(value);
    if !value.is_empty() && value.chars().all(|character| character.is_ascii() && is_tag_character(character)) {
        return format!("#{name}={value}");
    }
    let quote = if value.contains('"') && !value.contains('\'') { '\'' } else { '"' };
    format!("#{name}={quote}{}{quote}", replace_with_look_alikes(&value, &[quote]))
}

/// What klog's names of tags are made of; it has fewer of the characters beyond ASCII.
fn is_tag_character(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '-')
}

/// Whether klog could take what stands behind a `#` for one of our tags, wherever it sees the end of a name.
fn is_dayledger_tag(text: &str) -> bool {
    let lower = text.to_lowercase();
    let end =
        lower.find(|character: char| !(character.is_ascii() && is_tag_character(character))).unwrap_or(lower.len());
    RESERVED_TAGS.contains(&&lower[..end])
}

/// The name of a tag of an entry, as klog has them, which is none of ours.
fn name(text: &str) -> String {
    let replaced = |character: char| if is_tag_character(character) { character } else { '_' };
    let name: String = text.trim().to_lowercase().chars().map(replaced).collect();
    if name.is_empty() || is_dayledger_tag(&name) { format!("tag-{name}") } else { name }
}

/// The text without control characters but ends of lines, and without tags that would be taken for ours.
fn escape_tags(text: &str) -> String {
    let is_unsafe = |character: char| character.is_control() && !matches!(character, '\n' | '\t');
    let text = text.replace("\r\n", "\n").replace(is_unsafe, " ");
    let mut parts = text.split('#');
    let mut kept = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        kept.push(if is_dayledger_tag(part) { look_alike('#') } else { '#' });
        kept.push_str(part);
    }
    kept
}
