//! Entries as hledger's timeclock.
//!
//! An account ends at two blanks and has parts at each `:`; in a description only `;` means something, to newer versions.
//! hledger rounds each session to a hundredth of an hour, which each is a whole number of, and cuts at midnight, which
//! none goes beyond.

use std::io::{self, Write};

use chrono::{Datelike, NaiveDate, NaiveTime, TimeDelta};

use super::layout::{Session, entry_text, sessions};
use crate::entry::TimeEntry;
use crate::sanitize::{look_alike, one_line, replace_with_look_alikes};

/// What the name of a project cannot begin with: postings to such an account mean something else in a journal.
const BRACKETS: [char; 2] = ['(', '['];

pub(super) fn write(entries: &[TimeEntry], out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "; Days and hours are from the timesheet; the times of day are placeholders.")?;
    for Session { entry, day, start, end, .. } in sessions(entries) {
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
        writeln!(out, "i {} {project}:{task}{gap}{description}", moment(day, start))?;
        writeln!(out, "o {}", moment(day, end))?;
    }
    Ok(())
}

/// A part of an account; names that differ in blanks alone become one.
fn name(text: &str) -> String {
    let line = replace_with_look_alikes(&one_line(text), &[':', ';']);
    if line.is_empty() { "-".to_owned() } else { line }
}

/// That second of the day, of which the last is the first of the next day.
fn moment(day: NaiveDate, second: i64) -> String {
    let moment = day.and_time(NaiveTime::MIN) + TimeDelta::seconds(second);
    let date = moment.date();
    // Years have more than four digits after the last second of 9999.
    format!("{:04}-{:02}-{:02} {}", date.year(), date.month(), date.day(), moment.time())
}
