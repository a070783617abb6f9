//! Formats hours, projects and tasks, statuses, dates, and hours not backed by activity.

use dayledger_timesheet::{Day, Hours, Status};

use crate::text::duration;
use dayledger_request::{Minutes, minutes};
use dayledger_timesheet_service::BeyondEvidence;

/// The text instead of an unknown project or task.
const UNKNOWN: &str = "?";
/// The maximum number of entries that are listed because their hours aren't backed by activity.
const MAX_LISTED_ENTRIES: usize = 2;

/// The advice to run a command. The command adds the projects and tasks that occur in tags.
pub(super) const IMPORT_TAGS: &str =
    "To add the projects and tasks of your tags, run `dayledger timesheet projects import --from-tags`.";

/// Formats hours, such as `8.25 h`.
pub(super) fn hours(hours: Hours) -> String {
    format!("{hours} h")
}

/// Formats a balance with its sign, such as `+3.25`.
pub(super) fn format_balance(hours: Hours) -> String {
    let sign = if hours.is_negative() { "" } else { "+" };
    format!("{sign}{hours:.2}")
}

/// Formats a project and a task, such as `INTERNAL / Development`. A question mark replaces an unknown project or task.
/// If both are unknown, returns `unassigned`.
pub(super) fn target(project: Option<&str>, task: Option<&str>) -> String {
    match (project, task) {
        (None, None) => "unassigned".to_owned(),
        (project, task) => format!("{} / {}", project.unwrap_or(UNKNOWN), task.unwrap_or(UNKNOWN)),
    }
}

/// Returns the text for a status. Users see this text instead of the status's name in the API.
pub(super) fn status_text(status: Status) -> &'static str {
    match status {
        Status::NotReported => "open",
        Status::Submitted => "submitted",
        Status::Approved => "approved",
        Status::Declined => "declined",
    }
}

/// Formats a date, such as `Wed 22 Oct`.
pub(super) fn short_date(day: Day) -> String {
    day.date().format("%a %-d %b").to_string()
}

/// Describes logged hours not backed by activity, such as `3 h 15 min of logged hours not backed by activity: 2 h NW /
/// Billing on 21 Oct, ...`. Returns `None` if all hours are backed by activity.
pub(super) fn evidence_gap_text(beyond: &[BeyondEvidence]) -> Option<String> {
    let seconds: i64 = beyond.iter().map(|entry| entry.minutes.seconds()).sum();
    let whole = Some(minutes(seconds)).filter(|whole| *whole > Minutes::ZERO)?;
    let parts = beyond.iter().take(MAX_LISTED_ENTRIES).map(|entry| {
        let target = target(Some(&entry.project_code), Some(&entry.task));
        format!("{} {target} on {}", duration(entry.minutes), entry.start_date.date().format("%-d %b"))
    });
    let mut parts: Vec<_> = parts.collect();
    let more = beyond.len() - parts.len();
    if more > 0 {
        parts.push(format!("{more} more"));
    }
    Some(format!("{} of logged hours not backed by activity: {}.", duration(whole), parts.join(", ")))
}
