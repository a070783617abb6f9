//! Entries as an iCalendar (RFC 5545).
//!
//! Written by hand, line by line: the one crate that writes calendars folds long lines in time that grows with the square
//! of their length, and lets some have an octet too many.

use std::io::{self, Write};

use chrono::{NaiveDate, NaiveTime, TimeDelta};

use super::layout::{Session, entry_text, sessions};
use crate::entry::TimeEntry;

/// The most octets of a line without its end.
const LINE: usize = 75;

pub(super) fn write(entries: &[TimeEntry], out: &mut dyn Write) -> io::Result<()> {
    let mut line = |text: &str| write_folded(out, text);
    line("BEGIN:VCALENDAR")?;
    line("VERSION:2.0")?;
    line("PRODID:-//dayledger//timesheet//EN")?;
    for Session { entry, day, number, start, end } in sessions(entries) {
        let (project, task) = (&entry.project_code, &entry.task);
        line("BEGIN:VEVENT")?;
        line(&format!("UID:{}-{}-{number}", entry.id, day.format("%Y%m%d")))?;
        line(&format!("DTSTAMP:{}", entry.updated_at.format("%Y%m%dT%H%M%SZ")))?;
        line(&format!("DTSTART:{}", moment(day, start)))?;
        // Without an end an event ends where it starts, as an entry without hours does; none may last no time.
        if end > start {
            line(&format!("DURATION:{}", duration(end - start)))?;
        }
        line(&format!("SUMMARY:{}", escape(&format!("{project}, {task}"))))?;
        let description = entry_text(entry.issue_id.as_deref(), entry.description.as_deref());
        if !description.is_empty() {
            line(&format!("DESCRIPTION:{}", escape(&description)))?;
        }
        line(&format!("CATEGORIES:{},{}", escape(project), escape(task)))?;
        line("TRANSP:TRANSPARENT")?;
        line("END:VEVENT")?;
    }
    line("END:VCALENDAR")
}

fn moment(day: NaiveDate, second: i64) -> impl std::fmt::Display {
    (day.and_time(NaiveTime::MIN) + TimeDelta::seconds(second)).format("%Y%m%dT%H%M%S")
}

/// Such as `PT7H30M`: there is no part that is zero, and none of a day, which may have other than 24 hours.
fn duration(seconds: i64) -> String {
    let part = |number: i64, unit: char| if number > 0 { format!("{number}{unit}") } else { String::new() };
    // Between hours and seconds there are minutes, zero or not.
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    let minutes = if hours > 0 && seconds > 0 { format!("{minutes}M") } else { part(minutes, 'M') };
    format!("PT{}{minutes}{}", part(hours, 'H'), part(seconds, 'S'))
}

/// As a text that does not end its line or value. Ends of lines are kept; other control characters but the tab, which no
/// calendar may have, become spaces.
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

/// Writes a line, and goes on in further ones that begin with a blank where it is too long; no character is cut.
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
