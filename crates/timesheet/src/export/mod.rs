//! Export of entries as files for other tools.
//!
//! The caller selects the entries and the destination. Start reading at [`write()`]. Files that other trackers import are
//! in `trackers`. Each format except JSON has its
//! own file, and `layout` places entries in days and times of day.
//!
//! Invariants: for each project, task and day that a format contains, the hours of the file add up to those of the
//! entries. The order of the entries affects only JSON. The text of an entry can't end a line, a field or a record,
//! and can't pass for an account or a tag. Anything a format can't represent is replaced by similar characters.
//!
//! An entry only has days and hours. For formats with days, the hours of a longer entry are spread evenly in
//! hundredths, and the first days get the remainder: other programs also round to hundredths, so that finer parts
//! wouldn't add up there. Formats with times of day use the evidence of an entry, see `recorded`. An entry without
//! evidence gets marked placeholder times, see `layout`.

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

/// A file format for entries, always in UTF-8.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// klog's format, with one record per day, in whole minutes. Each day is rounded once to the nearest minute, and
    /// its entries add up to that by largest remainder. An entry that isn't a whole number of minutes has its exact
    /// hours in the tag `#hours`.
    Klog,
    /// hledger's timeclock format, with accounts `PROJECT:Task` and times in local time. A comment marks placeholder
    /// times.
    Timeclock,
    /// An iCalendar (RFC 5545) with events that don't block the calendar. Recorded times are in UTC. Placeholder times
    /// are local times without a time zone, and the description of such an event says so.
    Ics,
    /// A JSON object whose `entries` have the form of the tools' results.
    Json,
}

/// Rejects an entry with more hours than its days have, or with more than 366 days, for formats with a line per day,
/// because one such entry could fill gigabytes. Such entries come from an API or from a ledger of an earlier version.
///
/// # Errors
///
/// `VALIDATION_ERROR` with the entry.
pub fn check(format: Format, entries: &[LoggedEntry<'_>]) -> Result<(), Refusal> {
    if format == Format::Json { Ok(()) } else { check_sizes(entries) }
}

/// Rejects an entry that can't have a line per day, see [`check`].
pub(crate) fn check_sizes(entries: &[LoggedEntry<'_>]) -> Result<(), Refusal> {
    entries.iter().try_for_each(|LoggedEntry { entry, .. }| {
        check_size((entry.start_date, entry.completion_date), entry.total_hours()).map_err(|refusal| {
            let message = format!("cannot export time entry '{}': {}", entry.id, refusal.message);
            Refusal { message, field: None, ..refusal }
        })
    })
}

/// Writes entries in a format, at the times of their evidence. Evidence without a time zone is ignored. Entries that
/// fail [`check`] can produce gigabytes.
///
/// Entries with negative hours or with an end before their start break a rule. Formats with days nevertheless accept
/// them: negative hours count as zero, and all hours are on the first day.
///
/// # Errors
///
/// The error of `out`; no entry causes an error.
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

/// The JSON file.
#[derive(Serialize)]
struct EntriesFile<'e> {
    entries: Vec<&'e TimeEntry>,
}
