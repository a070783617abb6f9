//! Tests that read exported files with independent readers.

mod readers;
pub(crate) mod samples;
mod sums;
mod texts;
mod times;
mod trackers;

use dayledger_timesheet::export::{Format, check, write};
use dayledger_timesheet::{LoggedEntry, TimeEntry};

/// Exports entries without evidence.
fn file(format: Format, entries: &[TimeEntry]) -> String {
    let entries: Vec<_> = entries.iter().map(|entry| LoggedEntry { entry, evidence: &[] }).collect();
    file_of(format, &entries)
}

fn file_of(format: Format, entries: &[LoggedEntry<'_>]) -> String {
    let mut file = Vec::new();
    write(format, entries, &mut file).unwrap();
    String::from_utf8(file).unwrap()
}

/// A ledger of an earlier version or an API can contain such entries. One of them was exported as a timeclock file of
/// 233 MB.
#[test]
fn an_entry_that_would_fill_gigabytes_is_exported_as_json_only() {
    let entry = |hundredths, last| samples::entry(1, "A", "x", hundredths, 0, last);
    for entry in [entry(9_999_999_999, 0), entry(24_01, 0), entry(i64::MAX, 0), entry(1, 366)] {
        for format in [Format::Klog, Format::Timeclock, Format::Ics] {
            let refusal = check(format, &[LoggedEntry { entry: &entry, evidence: &[] }]).unwrap_err();
            assert!(refusal.message.contains(&entry.id.to_string()), "{refusal}");
        }
        check(Format::Json, &[LoggedEntry { entry: &entry, evidence: &[] }]).unwrap();
    }
    for entry in [entry(0, 0), entry(24_00, 0), entry(366 * 24_00, 365)] {
        check(Format::Timeclock, &[LoggedEntry { entry: &entry, evidence: &[] }]).unwrap();
    }
}
