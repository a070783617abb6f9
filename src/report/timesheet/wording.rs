//! How hours and what they are booked on read.

use dayledger_timesheet::{Day, Hours};

use crate::report::style::Style;
use crate::report::text::neutral;

/// What stands for a project or task that nothing names.
const UNKNOWN: &str = "?";

/// `8.25 h`.
pub(super) fn hours(hours: Hours) -> String {
    format!("{hours} h")
}

/// `INTERNAL / Development`; what nothing names is a question mark, and `unassigned` where that is all.
pub(super) fn target(project: Option<&str>, task: Option<&str>, style: &Style) -> String {
    match (project, task) {
        (None, None) => "unassigned".to_owned(),
        (project, task) => {
            neutral(&format!("{} / {}", project.unwrap_or(UNKNOWN), task.unwrap_or(UNKNOWN)), style).into_owned()
        }
    }
}

/// `Wed 22 Oct`.
pub(super) fn short(day: Day) -> String {
    day.date().format("%a %-d %b").to_string()
}
