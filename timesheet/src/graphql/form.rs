//! What is refused before anything is sent: what the API ends in an error of its own at (section 3 of the facts). All
//! else is left to the API, so that the first rule that is broken is told in its order.

use std::collections::BTreeSet;

use crate::entry::{Changes, NewEntry};
use crate::hours::Hours;
use crate::refusal::Refusal;
use crate::rules::Length;
use crate::tag::Tag;

/// Refuses what the API has no room for, evidence without a length, and a tag that is given twice.
pub(super) fn check_new(entry: &NewEntry) -> Result<(), Refusal> {
    check_hours("standardHours", "StandardHours", Some(entry.standard_hours))?;
    check_hours("overtimeHours", "OvertimeHours", Some(entry.overtime_hours))?;
    check_text(Some(Length::ISSUE_ID), "issueId", "IssueId", entry.issue_id.as_deref())?;
    check_text(None, "description", "Description", entry.description.as_deref())?;
    check_distinct(&entry.tags)?;
    if entry.evidence.iter().all(|stretch| stretch.start_utc < stretch.end_utc) {
        return Ok(());
    }
    Err(Refusal::invalid("evidence", "Evidence must end after it starts"))
}

/// The same of what changes.
pub(super) fn check_changes(changes: &Changes) -> Result<(), Refusal> {
    check_hours("standardHours", "StandardHours", changes.standard_hours)?;
    check_hours("overtimeHours", "OvertimeHours", changes.overtime_hours)?;
    check_text(Some(Length::ISSUE_ID), "issueId", "IssueId", changes.issue_id.as_deref())?;
    check_text(None, "description", "Description", changes.description.as_deref())?;
    check_distinct(changes.tags.as_deref().unwrap_or_default())
}

fn check_hours(field: &str, name: &str, hours: Option<Hours>) -> Result<(), Refusal> {
    match hours {
        Some(hours) if hours > Hours::MOST || hours < -Hours::MOST => {
            Err(Refusal::invalid(field, format_args!("{name} must be at most {}", Hours::MOST)))
        }
        _ => Ok(()),
    }
}

/// `PostgreSQL` has no text with a NUL in it.
fn check_text(length: Option<Length>, field: &str, name: &str, text: Option<&str>) -> Result<(), Refusal> {
    let text = text.unwrap_or_default();
    if text.contains('\0') {
        return Err(Refusal::invalid(field, format_args!("{name} must not contain the character NUL")));
    }
    length.map_or(Ok(()), |length| length.check(field, name, text))
}

/// One tag may have two values, but not the same value twice.
fn check_distinct(tags: &[Tag]) -> Result<(), Refusal> {
    let mut seen = BTreeSet::new();
    match tags.iter().find(|tag| !seen.insert(*tag)) {
        None => Ok(()),
        Some(Tag { name, value }) => {
            Err(Refusal::invalid("tags", format_args!("Tag '{name}' is given twice with the value '{value}'")))
        }
    }
}
