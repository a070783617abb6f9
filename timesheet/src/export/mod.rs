//! Entries as a file for another tool.
//!
//! Owns: which formats there are, and how entries are laid out in each. Does not own: which entries, and where the file
//! goes. [`write()`] is all there is to call; each format but JSON is a file here.
//!
//! Invariants: the hours of a file add up to those of the entries, for each project, task and day that the format has.
//! Where entries are given in another order, JSON keeps that order and the others are the same. No text of an
//! entry can end a line, a field or a record of the file, or be taken for an account or a tag that it is not: what a
//! format cannot carry is replaced by something that looks alike.
//!
//! An entry knows its days and its hours only. Where a format has days, the hours of an entry over several days are
//! spread evenly in hundredths, of which the first days get one more where they do not divide: other programs round
//! what they read to the hundredth too, so that finer parts would not add up there. Where a format has times of the
//! day, see `layout`.

mod ics;
mod klog;
mod layout;
mod spread;
mod timeclock;

use std::io::{self, Write};

use serde::Serialize;

use crate::entry::TimeEntry;
use crate::refusal::Refusal;
use crate::rules::entry::check_size;

/// A kind of file that entries are written as, always in UTF-8.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// klog's file format, a record for each day. It counts whole minutes: each day is rounded once, to the nearest, and
    /// its entries add up to that by largest remainder; one that is no whole number of minutes has its exact hours in the
    /// tag `#hours`.
    Klog,
    /// hledger's timeclock format: accounts `PROJECT:Task`, local times without a zone, laid out.
    Timeclock,
    /// An iCalendar of events (RFC 5545) in local times without a zone, laid out, which leave the calendar free.
    Ics,
    /// An object whose `entries` are as the tools give them.
    Json,
}

/// Refuses an entry that has more hours than its days, or more than 366 days, in a format that has lines for each day: one
/// such entry can fill gigabytes. Entries like that come from an API, or from a ledger of an earlier version.
///
/// # Errors
///
/// `VALIDATION_ERROR` that names the entry.
pub fn check(format: Format, entries: &[TimeEntry]) -> Result<(), Refusal> {
    if format == Format::Json {
        return Ok(());
    }
    entries.iter().try_for_each(|entry| {
        check_size((entry.start_date, entry.completion_date), entry.total_hours()).map_err(|refusal| {
            let message = format!("cannot export time entry '{}': {}", entry.id, refusal.message);
            Refusal { message, field: None, ..refusal }
        })
    })
}

/// Writes entries as a file of that format. Entries that [`check`] refuses can make a file of gigabytes.
///
/// That hours are not below zero, and that no entry ends before it starts, is a rule of entries; where it is broken all
/// the same, such hours count as none, and all hours are on the first day, wherever a format has days.
///
/// # Errors
///
/// What `out` returns; nothing of an entry is an error.
pub fn write(format: Format, entries: &[TimeEntry], out: &mut dyn Write) -> io::Result<()> {
    match format {
        Format::Klog => klog::write(entries, out),
        Format::Timeclock => timeclock::write(entries, out),
        Format::Ics => ics::write(entries, out),
        Format::Json => {
            serde_json::to_writer_pretty(&mut *out, &EntriesFile { entries })?;
            writeln!(out)
        }
    }
}

/// Entries as JSON.
#[derive(Serialize)]
struct EntriesFile<'e> {
    entries: &'e [TimeEntry],
}
