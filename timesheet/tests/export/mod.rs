//! Files of entries, read back by readers that know nothing of how they are written.

mod invented;
mod readers;
mod sums;
mod texts;

use dayledger_timesheet::TimeEntry;
use dayledger_timesheet::export::{Format, write};

fn file(format: Format, entries: &[TimeEntry]) -> String {
    let mut file = Vec::new();
    write(format, entries, &mut file).unwrap();
    String::from_utf8(file).unwrap()
}
