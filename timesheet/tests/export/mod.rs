//! Files of entries, read back by readers that know nothing of how they are written.

mod invented;
mod readers;
mod sums;
mod texts;

use dayledger_timesheet::export::{Format, write};
use dayledger_timesheet::{TimeEntry, demo};

fn file(format: Format, entries: &[TimeEntry]) -> String {
    let mut file = Vec::new();
    write(format, entries, &demo::projects(), &mut file).unwrap();
    String::from_utf8(file).unwrap()
}
