//! Entries of other time trackers.
//!
//! [`entries()`] recognises the format by its content: JSON of timewarrior and Watson (`json`), klog (`klog`), or CSV,
//! as Toggl Track, Clockify and Harvest export it (`table`). [`resolve()`] finds the project and the task of each entry.
//!
//! Nothing is left out silently: an entry that can't be read refuses the whole file, with its line.

mod json;
mod klog;
mod resolve;
mod table;
mod times;

use std::collections::HashMap;

use chrono::{DateTime, TimeDelta, TimeZone, Utc};

use super::{decode, refusal};
use crate::day::Day;
use crate::id::IdempotencyKey;
use crate::refusal::Refusal;

pub use resolve::{ResolvedEntries, ResolvedEntry, resolve};

/// The most entries of a file: more than a person tracks in fifty years.
const MAX_ENTRIES: usize = 200_000;
/// The longest time of an entry. Longer entries are timers that were never stopped.
const MAX_LENGTH: TimeDelta = TimeDelta::days(31);

/// The order of day and month in dates such as `11/02/2026`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DateOrder {
    /// `11/02/2026` is 2 November.
    MonthFirst,
    /// `11/02/2026` is 11 February.
    DayFirst,
}

/// The entries of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrackedEntries {
    /// The entries, in the order of the file.
    pub entries: Vec<TrackedEntry>,
    /// Notes for the user about the file, one sentence each, without a full stop.
    pub notes: Vec<String>,
}

/// An entry of another tracker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrackedEntry {
    /// Its place in the file, such as `line 5`.
    pub place: String,
    /// Client, project and task, or those of them that it has.
    pub path: Vec<String>,
    /// Its tags.
    pub tags: Vec<String>,
    /// The description of the work.
    pub description: Option<String>,
    /// A ticket.
    pub issue_id: Option<String>,
    /// The time of the work.
    pub time: TrackedTime,
    /// Identifies it in every file of its tracker, together with `number`: its ID, the text of its start in the
    /// file, or its content if it has no start.
    identity: String,
    /// Its number among the entries of the file with the same identity.
    number: usize,
}

/// The time of the work of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TrackedTime {
    /// On a day, at an unknown time.
    Day {
        /// The day.
        day: Day,
        /// Its length.
        seconds: i64,
    },
    /// From a start to an exclusive end.
    Period {
        /// The start.
        start: DateTime<Utc>,
        /// The end.
        end: DateTime<Utc>,
        /// Its length, which is less than the time from the start to the end if there was a break.
        seconds: i64,
    },
}

impl TrackedEntry {
    /// Returns the key of one of its parts, one for each day. It is always the same, so that an entry is imported once,
    /// even if it was edited or deleted since.
    pub fn key(&self, part: usize) -> IdempotencyKey {
        IdempotencyKey::from_import(&format!("{} {} {part}", self.identity, self.number))
    }
}

/// Reads the entries of a file in UTF-8, UTF-16 with a byte order mark, or Windows-1252. `order` is the order of day and
/// month, and is only needed if the dates of the file don't show it. `zone` is the time zone of local times.
///
/// # Errors
///
/// `VALIDATION_ERROR` for `file`, with the line, if any entry can't be read.
pub fn entries<Z: TimeZone>(file: &[u8], order: Option<DateOrder>, zone: &Z) -> Result<TrackedEntries, Refusal> {
    let (text, note) = decode(file)?;
    let (entries, mut notes) = if text.trim_start().starts_with('[') {
        json::read(&text)?
    } else if klog::is_klog(&text) {
        (klog::read(&text, zone)?, Vec::new())
    } else {
        (table::read(&text, order, zone)?, Vec::new())
    };
    if entries.is_empty() {
        return Err(refusal("it contains no entries"));
    }
    if entries.len() > MAX_ENTRIES {
        return Err(refusal(format_args!("it contains more than {MAX_ENTRIES} entries")));
    }
    notes.extend(note);
    Ok(TrackedEntries { entries: number(entries)?, notes })
}

/// Numbers the entries with the same identity, and checks their times.
fn number(mut entries: Vec<TrackedEntry>) -> Result<Vec<TrackedEntry>, Refusal> {
    let mut seen: HashMap<String, usize> = HashMap::new();
    for entry in &mut entries {
        let wrong = |why: &str| Err(refusal(format_args!("{}: {why}", entry.place)));
        match entry.time {
            TrackedTime::Day { seconds, .. } | TrackedTime::Period { seconds, .. } if seconds < 0 => {
                return wrong("its duration is negative");
            }
            TrackedTime::Period { start, end, .. } if end < start => return wrong("it ends before it starts"),
            TrackedTime::Period { start, end, .. }
                if [start, end].iter().any(|time| Day::try_from(time.date_naive()).is_err()) =>
            {
                return wrong("its year is not between 0 and 9999");
            }
            TrackedTime::Period { start, end, .. } if end - start > MAX_LENGTH => {
                return wrong("it is longer than 31 days");
            }
            _ => {}
        }
        let number = seen.entry(entry.identity.clone()).or_default();
        entry.number = *number;
        *number += 1;
    }
    Ok(entries)
}

/// Returns the text without surrounding white space, unless it is empty.
fn non_empty(text: &str) -> Option<String> {
    Some(text.trim()).filter(|text| !text.is_empty()).map(str::to_owned)
}

/// Returns the identity of an entry without a start.
fn identity_of_day(day: Day, seconds: i64, path: &[String], description: Option<&String>) -> String {
    format!("day {day} {seconds} {:?}", (path, description))
}

#[cfg(test)]
mod tests;
