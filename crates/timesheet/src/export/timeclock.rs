//! hledger's timeclock format.
//!
//! In the name of an account, two spaces end the name and `:` separates its parts. In a description, only `;` has a
//! special meaning in newer versions of hledger. hledger rounds each session to hundredths of an hour, so this module
//! writes sessions of whole hundredths. hledger also splits sessions at midnight. A session crosses midnight only if
//! days start at another time. The hours of its two parts can then differ by a hundredth from the hours of the entry.

use std::io::{self, Write};

use chrono::{Datelike, NaiveDate, NaiveTime, TimeDelta};

use super::layout::{NO_TIMES, Session, entry_text, sessions};
use crate::logged::LoggedEntry;
use crate::sanitize::{look_alike, one_line, replace_with_look_alikes};

/// Characters with which the name of a project must not begin, because hledger treats such accounts specially.
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

/// Converts a text to a part of an account name. Two texts that differ only in white space give the same name.
fn name(text: &str) -> String {
    let line = replace_with_look_alikes(&one_line(text), &[':', ';']);
    if line.is_empty() { "-".to_owned() } else { line }
}

/// Formats a time as date and time. `second` is the number of seconds since the midnight of `day`, so the time can be
/// on another date.
fn moment(day: NaiveDate, second: i64) -> String {
    let moment = day.and_time(NaiveTime::MIN) + TimeDelta::seconds(second);
    let date = moment.date();
    // The day after 9999-12-31 has a year with five digits.
    format!("{:04}-{:02}-{:02} {}", date.year(), date.month(), date.day(), moment.time())
}
