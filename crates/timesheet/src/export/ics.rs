//! The iCalendar format (RFC 5545).
//!
//! This module doesn't use a library: the available crate needs quadratic time to fold long lines, and writes some
//! lines that are one byte too long.

use std::io::{self, Write};

use chrono::{NaiveDate, NaiveTime, TimeDelta};

use super::layout::{NO_TIMES, Session, entry_text, sessions};
use crate::logged::LoggedEntry;

/// The maximum length of a line in bytes, excluding the line break.
const LINE: usize = 75;

pub(super) fn write(entries: &[LoggedEntry<'_>], out: &mut dyn Write) -> io::Result<()> {
    let mut line = |text: &str| write_folded(out, text);
    line("BEGIN:VCALENDAR")?;
    line("VERSION:2.0")?;
    line("PRODID:-//dayledger//timesheet//EN")?;
    for Session { entry, day, number, start, end, utc_offset } in sessions(entries) {
        let (project, task) = (&entry.project_code, &entry.task);
        line("BEGIN:VEVENT")?;
        line(&format!("UID:{}-{}-{number}", entry.id, day.format("%Y%m%d")))?;
        line(&format!("DTSTAMP:{}", entry.updated_at.format("%Y%m%dT%H%M%SZ")))?;
        line(&format!("DTSTART:{}", moment(day, start, utc_offset)))?;
        // An event without a duration ends when it starts, which is correct for an entry without hours. A duration of
        // zero isn't allowed.
        if end > start {
            line(&format!("DURATION:{}", duration(end - start)))?;
        }
        line(&format!("SUMMARY:{}", escape(&format!("{project}, {task}"))))?;
        let mut description = escape(&entry_text(entry.issue_id.as_deref(), entry.description.as_deref()));
        if utc_offset.is_none() {
            // The text `NO_TIMES` is added after escaping. Otherwise a `\r` at the end of the text and the `\n` before
            // `NO_TIMES` would become one line break.
            let gap = if description.is_empty() { "" } else { "\\n" };
            description = format!("{description}{gap}({NO_TIMES})");
        }
        if !description.is_empty() {
            line(&format!("DESCRIPTION:{description}"))?;
        }
        line(&format!("CATEGORIES:{},{}", escape(project), escape(task)))?;
        line("TRANSP:TRANSPARENT")?;
        line("END:VEVENT")?;
    }
    line("END:VCALENDAR")
}

/// Formats a second of a local day. The time is in UTC if the UTC offset is known, otherwise a local time without a
/// time zone.
fn moment(day: NaiveDate, second: i64, utc_offset: Option<i64>) -> String {
    let local = day.and_time(NaiveTime::MIN) + TimeDelta::seconds(second);
    match utc_offset {
        Some(offset) => (local - TimeDelta::seconds(offset)).format("%Y%m%dT%H%M%SZ").to_string(),
        None => local.format("%Y%m%dT%H%M%S").to_string(),
    }
}

/// Formats a duration, such as `PT7H30M`. Units whose number is zero are left out. Days are never used as a unit,
/// because a day may not have 24 hours.
fn duration(seconds: i64) -> String {
    let part = |number: i64, unit: char| if number > 0 { format!("{number}{unit}") } else { String::new() };
    // If a duration has hours and seconds, the format requires the minutes even if they are zero.
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    let minutes = if hours > 0 && seconds > 0 { format!("{minutes}M") } else { part(minutes, 'M') };
    format!("PT{}{minutes}{}", part(hours, 'H'), part(seconds, 'S'))
}

/// Escapes a text so that it can't end its line or value. Line breaks and tabs are kept. Other control characters
/// become spaces, because calendars don't allow them.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.replace("\r\n", "\n").chars() {
        match character {
            '\n' | '\r' => escaped.push_str("\\n"),
            '\\' | ',' | ';' => escaped.extend(['\\', character]),
            '\t' => escaped.push('\t'),
            control if control.is_control() => escaped.push(' '),
            other => escaped.push(other),
        }
    }
    escaped
}

/// Writes a line. A line that is too long is split between characters into continuation lines, each of which begins
/// with a space.
fn write_folded(out: &mut dyn Write, line: &str) -> io::Result<()> {
    let mut left = line;
    let mut most = LINE;
    while left.len() > most {
        let (piece, rest) = left.split_at(left.floor_char_boundary(most));
        write!(out, "{piece}\r\n ")?;
        (left, most) = (rest, LINE - 1);
    }
    write!(out, "{left}\r\n")
}
