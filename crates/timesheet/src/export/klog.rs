//! The file format of klog, version 1.4.

use std::io::{self, Write};
use std::iter;

use super::layout::{DayPart, parts_by_day};
use crate::apportion::{Share, distribute};
use crate::logged::LoggedEntry;
use crate::sanitize::{look_alike, one_line, replace_with_look_alikes};

/// Tags that this program writes with a fixed meaning. Other tags and descriptions must not contain them.
const RESERVED_TAGS: [&str; 4] = ["project", "task", "issue", "hours"];
/// A hundredth of an hour has this many fifths of a minute.
const FIFTHS_OF_A_MINUTE: i64 = 3;

pub(super) fn write(entries: &[LoggedEntry<'_>], out: &mut dyn Write) -> io::Result<()> {
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

/// Rounds the parts of a day to whole minutes. The rounded parts add up to the day's total, which is rounded to the
/// nearest minute. The exact total is never halfway between two minutes.
fn minutes(parts: &[DayPart<'_>]) -> Vec<i64> {
    let fifths = |part: &DayPart<'_>| part.hours.hundredths() * FIFTHS_OF_A_MINUTE;
    let share = |part| Share { whole: fifths(part) / 5, remainder: i128::from(fifths(part) % 5) };
    let total: i64 = parts.iter().map(fifths).sum();
    distribute((total + 2) / 5, &parts.iter().map(share).collect::<Vec<_>>())
}

/// Formats a duration, such as `7h30m`.
fn duration(minutes: i64) -> String {
    match (minutes / 60, minutes % 60) {
        (0, minutes) => format!("{minutes}m"),
        (hours, 0) => format!("{hours}h"),
        (hours, minutes) => format!("{hours}h{minutes}m"),
    }
}

/// Returns the lines of an entry's summary: first the tags and the first line of the description, then the other lines
/// of the description. Blank lines are left out, because they would end the record.
fn summary(part: &DayPart<'_>) -> Vec<String> {
    let entry = part.logged.entry;
    let hours = (part.hours.hundredths() * FIFTHS_OF_A_MINUTE % 5 != 0).then(|| part.hours.to_string());
    let own = [Some(&entry.project_code), Some(&entry.task), entry.issue_id.as_ref(), hours.as_ref()];
    let own = RESERVED_TAGS.iter().zip(own).filter_map(|(name, value)| value.map(|value| tag(name, value)));
    // klog may allow fewer characters in a tag name than this function. In that case, klog finds no tag, so the value
    // must be escaped too.
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

/// Whether the name of a tag may contain the character. klog itself allows fewer non-ASCII characters.
fn is_tag_character(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '-')
}

/// Whether klog could read the text after a `#` as a reserved tag. Only ASCII letters, digits, `_` and `-` certainly
/// belong to the name. The name may end at any other character.
fn is_dayledger_tag(text: &str) -> bool {
    let lower = text.to_lowercase();
    let end =
        lower.find(|character: char| !(character.is_ascii() && is_tag_character(character))).unwrap_or(lower.len());
    RESERVED_TAGS.contains(&&lower[..end])
}

/// Converts a tag's name to a valid name in klog that isn't a reserved tag.
fn name(text: &str) -> String {
    let replaced = |character: char| if is_tag_character(character) { character } else { '_' };
    let name: String = text.trim().to_lowercase().chars().map(replaced).collect();
    if name.is_empty() || is_dayledger_tag(&name) { format!("tag-{name}") } else { name }
}

/// Replaces all control characters except line breaks and tabs. If a text looks like a reserved tag, its `#` is
/// replaced too.
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
