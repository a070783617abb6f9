//! Import of entries from other time trackers.
//!
//! [`entries()`] detects the format from the content: JSON of timewarrior and Watson (module `json`), klog (`klog`), or
//! CSV as Toggl Track, Clockify and Harvest export it (`table`). [`resolve()`] finds the project and the task of each
//! entry.
//!
//! Entries are never left out silently. If an entry can't be read, the whole file is rejected, and the error contains
//! the line.

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

/// The maximum number of entries in a file. One person tracks fewer entries in fifty years.
const MAX_ENTRIES: usize = 200_000;
/// The maximum length of an entry. A longer entry comes from a timer that was never stopped.
const MAX_LENGTH: TimeDelta = TimeDelta::days(31);

/// The order of day and month in dates such as `11/02/2026`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DateOrder {
    /// `11/02/2026` is 2 November.
    MonthFirst,
    /// `11/02/2026` is 11 February.
    DayFirst,
}

/// The entries read from a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrackedEntries {
    /// The entries, in the order of the file.
    pub entries: Vec<TrackedEntry>,
    /// Messages to the user about the file. Each is one sentence without a full stop.
    pub notes: Vec<String>,
}

/// An entry of another tracker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrackedEntry {
    /// The position of the entry in the file, such as `line 5`.
    pub place: String,
    /// The client, project and task of the entry. Missing levels are left out.
    pub path: Vec<String>,
    /// The tags of the entry.
    pub tags: Vec<String>,
    /// The description of the work.
    pub description: Option<String>,
    /// The id of a ticket.
    pub issue_id: Option<String>,
    /// The time of the work.
    pub time: TrackedTime,
    /// Together with `number`, identifies the entry in every file that its tracker exports. The identity is the
    /// tracker's id of the entry, the text of the start, or the content of an entry without a start.
    identity: String,
    /// The number of earlier entries in the file with the same identity.
    number: usize,
}

/// The time of an entry's work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TrackedTime {
    /// Work on a day, without times of day.
    Day {
        /// The day.
        day: Day,
        /// The duration in seconds.
        seconds: i64,
    },
    /// Work from a start to an exclusive end.
    Period {
        /// The start.
        start: DateTime<Utc>,
        /// The exclusive end.
        end: DateTime<Utc>,
        /// The duration in seconds. It can be shorter than the period, for example because of a break.
        seconds: i64,
    },
}

impl TrackedEntry {
    /// Returns the key for one part of the entry. An entry has one part for each of its days. The key is always the
    /// same, so that an entry is imported only once, even if it was edited or deleted after the import.
    pub fn key(&self, part: usize) -> IdempotencyKey {
        IdempotencyKey::from_import(&format!("{} {} {part}", self.identity, self.number))
    }
}

/// Reads the entries of a file in UTF-8, UTF-16 with a byte order mark, or Windows-1252. `order` is the order of day
/// and month, which is only needed if the dates of the file are ambiguous. `zone` is the time zone of local times.
///
/// # Errors
///
/// `VALIDATION_ERROR` for `file`, with the line, if an entry can't be read.
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

/// Sets the numbers of entries with the same identity, and checks the times of all entries.
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

/// Returns the trimmed text, or `None` if it is empty.
fn non_empty(text: &str) -> Option<String> {
    Some(text.trim()).filter(|text| !text.is_empty()).map(str::to_owned)
}

/// Returns the identity of an entry that has a day but no start time.
fn identity_of_day(day: Day, seconds: i64, path: &[String], description: Option<&String>) -> String {
    format!("day {day} {seconds} {:?}", (path, description))
}

#[cfg(test)]
mod tests;
