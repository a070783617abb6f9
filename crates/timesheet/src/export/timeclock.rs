//! hledger's timeclock format.
//!
//! In an account, two spaces end the name and `:` separates parts. In a description, newer versions treat only `;`
//! specially. hledger rounds each session to hundredths of an hour, and all sessions are whole hundredths. It splits
//! sessions at midnight. None crosses it, unless days start at another time: then the hours of its two parts can differ
//! by a hundredth from those of the entry.

use std::io::{self, Write};

use chrono::{Datelike, NaiveDate, NaiveTime, TimeDelta};

use super::layout::{NO_TIMES, Session, entry_text, sessions};
use crate::logged::LoggedEntry;
use crate::sanitize::{look_alike, one_line, replace_with_look_alikes};

/// A project's name must not begin with these, because a journal treats such accounts specially.
const BRACKETS: [char; 2] = ['(', '['];

pub(super) fn write(entries: &[LoggedEntry<'_>], out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "; Hours are from the timesheet. Entries marked `{NO_TIMES}` have placeholder times.")?;
    for Session { entry, day, start, end, utc_offset, .. } in sessions(entries) {
        let project = name(&entry.project_code);
        let project = match project.strip_prefix(BRACKETS) {
            Some(rest) => project.chars().take(1).map(look_alike).chain(rest.chars()).collect(),
            None => project,
        };
        let task = name(&entry.task);
        let description = one_line(&entry_text(entry.issue_id.as_deref(), entry.description.as_deref()));
        let gap = if description.is_empty() { "" } else { "  " };
        let description = replace_with_look_alikes(&description, &[';']);
        writeln!(out)?;
        if utc_offset.is_none() {
            writeln!(out, "; {NO_TIMES}")?;
        }
        writeln!(out, "i {} {project}:{task}{gap}{description}", moment(day, start))?;
        writeln!(out, "o {}", moment(day, end))?;
    }
    Ok(())
}

/// Returns a part of an account. Names that differ only in white space become equal.
fn name(text: &str) -> String {
    let line = replace_with_look_alikes(&one_line(text), &[':', ';']);
    if line.is_empty() { "-".to_owned() } else { line }
}

/// Formats a second of the day. The last one is the first of the next day.
fn moment(day: NaiveDate, second: i64) -> String {
    let moment = day.and_time(NaiveTime::MIN) + TimeDelta::seconds(second);
    let date = moment.date();
    // The day after 9999-12-31 has a year with five digits.
    format!("{:04}-{:02}-{:02} {}", date.year(), date.month(), date.day(), moment.time())
}
