//! Exported files, read back by independent readers.

mod readers;
mod samples;
mod sums;
mod texts;

use dayledger_timesheet::TimeEntry;
use dayledger_timesheet::export::{Format, check, write};

fn file(format: Format, entries: &[TimeEntry]) -> String {
    let mut file = Vec::new();
    write(format, entries, &mut file).unwrap();
    String::from_utf8(file).unwrap()
}

/// A ledger of an earlier version, or an API, can contain such entries: a timeclock export of one had 233 MB.
#[test]
fn an_entry_that_would_fill_gigabytes_is_exported_as_json_only() {
    let entry = |hundredths, last| samples::entry(1, "A", "x", hundredths, 0, last);
    for entry in [entry(9_999_999_999, 0), entry(24_01, 0), entry(i64::MAX, 0), entry(1, 366)] {
        for format in [Format::Klog, Format::Timeclock, Format::Ics] {
            let refusal = check(format, std::slice::from_ref(&entry)).unwrap_err();
            assert!(refusal.message.contains(&entry.id.to_string()), "{refusal}");
        }
        check(Format::Json, &[entry]).unwrap();
    }
    for entry in [entry(0, 0), entry(24_00, 0), entry(366 * 24_00, 365)] {
        check(Format::Timeclock, &[entry]).unwrap();
    }
}
