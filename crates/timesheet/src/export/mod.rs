//! Export of entries as files for other tools.
//!
//! The caller selects the entries and the destination. Start reading at [`write()`]. Each format except JSON has its
//! own module. The module `trackers` writes files that other trackers import, and `layout` assigns days and times of
//! day to entries.
//!
//! Invariants: if a format contains projects, tasks and days, the hours in the file add up to the hours of the entries
//! for each project, task and day. The order of the entries affects only JSON. The text of an entry can't end a line, a
//! field or a record, and can't be read as an account or a tag. Characters that a format can't represent are replaced
//! by similar characters.
//!
//! An entry has days and hours, but no times of day. In formats with days, the hours of an entry over several days are
//! spread evenly in hundredths, and the first days get the remainder. Smaller fractions wouldn't add up in other
//! programs, because these also round to hundredths. In formats with times of day, an entry gets times from its
//! evidence, see `recorded`. An entry without evidence gets placeholder times that are marked as such, see `layout`.

mod ics;
mod klog;
mod layout;
mod recorded;
mod timeclock;
mod trackers;

use std::io::{self, Write};

use serde::Serialize;

use crate::entry::TimeEntry;
use crate::logged::LoggedEntry;
use crate::refusal::Refusal;
use crate::rules::entry::check_size;

pub(crate) use layout::{parts_by_day, sessions};
pub use recorded::local_times;
pub use trackers::{Billable, Tracker, TrackerFile, TrackerSettings, write_for_tracker};
pub(crate) use trackers::{check_mapping, description as row_text, list};

/// A file format for entries. Every format is written in UTF-8.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// klog's format, with one record per day and durations in whole minutes. The total of each day is rounded once to
    /// the nearest minute, and the rounded entries add up to that total. If the hours of an entry aren't a whole number
    /// of minutes, its tag `#hours` contains the exact hours.
    Klog,
    /// hledger's timeclock format, with accounts `PROJECT:Task` and local times. A comment marks placeholder times.
    Timeclock,
    /// iCalendar (RFC 5545) with events that don't mark the time as busy. Recorded times are in UTC. Placeholder times
    /// are local times without a time zone, and the description of the event marks them as placeholders.
    Ics,
    /// A JSON object. The elements of its list `entries` have the same form as in the results of the tools.
    Json,
}

/// Rejects an entry with more hours than its days have, or with more than 366 days. Such an entry can come from an API
/// or from a ledger of an earlier version. In a format with a line per day, it could fill gigabytes. JSON accepts every
/// entry.
///
/// # Errors
///
/// `VALIDATION_ERROR` with the id of the entry.
pub fn check(format: Format, entries: &[LoggedEntry<'_>]) -> Result<(), Refusal> {
    if format == Format::Json { Ok(()) } else { check_sizes(entries) }
}

/// Rejects an entry that is too large for a format with a line per day, see [`check`].
pub(crate) fn check_sizes(entries: &[LoggedEntry<'_>]) -> Result<(), Refusal> {
    entries.iter().try_for_each(|LoggedEntry { entry, .. }| {
        check_size((entry.start_date, entry.completion_date), entry.total_hours()).map_err(|refusal| {
            let message = format!("cannot export time entry '{}': {}", entry.id, refusal.message);
            Refusal { message, field: None, ..refusal }
        })
    })
}

/// Writes entries in a format. Formats with times of day use the times of the evidence. Evidence without a UTC offset
/// is ignored. An entry that fails [`check`] can produce gigabytes.
///
/// Entries with negative hours, or with a last day before the first, break a rule. Formats with days nevertheless
/// accept them. Negative hours count as zero. If the last day is before the first, all hours are on the first day.
///
/// # Errors
///
/// The write error of `out`. The entries themselves can't cause an error.
pub fn write(format: Format, entries: &[LoggedEntry<'_>], out: &mut dyn Write) -> io::Result<()> {
    match format {
        Format::Klog => klog::write(entries, out),
        Format::Timeclock => timeclock::write(entries, out),
        Format::Ics => ics::write(entries, out),
        Format::Json => {
            let entries = entries.iter().map(|logged| logged.entry).collect();
            serde_json::to_writer_pretty(&mut *out, &EntriesFile { entries })?;
            writeln!(out)
        }
    }
}

/// The content of a JSON file.
#[derive(Serialize)]
struct EntriesFile<'e> {
    entries: Vec<&'e TimeEntry>,
}
