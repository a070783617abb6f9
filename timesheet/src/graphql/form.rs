//! What is refused before anything is sent: what the API ends in an error of its own at (section 3 of the facts). All
//! else is left to the API, so that the first rule that is broken is told in its order.

use crate::entry::{Changes, NewEntry};
use crate::hours::Hours;
use crate::refusal::Refusal;
use crate::rules::Length;
use crate::rules::entry::{check_distinct, check_evidence};
use crate::tag::Tag;

/// Refuses what the API has no room for, evidence without a length, and a tag that is given twice.
pub(super) fn check_new(entry: &NewEntry) -> Result<(), Refusal> {
    let hours = [entry.standard_hours, entry.overtime_hours];
    check(hours, entry.issue_id.as_deref(), entry.description.as_deref(), &entry.tags)?;
    check_evidence(&entry.evidence)
}

/// The same of what changes.
pub(super) fn check_changes(changes: &Changes) -> Result<(), Refusal> {
    let hours = [changes.standard_hours, changes.overtime_hours].map(Option::unwrap_or_default);
    let tags = changes.tags.as_deref().unwrap_or_default();
    check(hours, changes.issue_id.as_deref(), changes.description.as_deref(), tags)
}

/// What is absent breaks nothing.
fn check(
    [standard, overtime]: [Hours; 2],
    issue_id: Option<&str>,
    description: Option<&str>,
    tags: &[Tag],
) -> Result<(), Refusal> {
    check_hours("standardHours", "StandardHours", standard)?;
    check_hours("overtimeHours", "OvertimeHours", overtime)?;
    let issue_id = issue_id.unwrap_or_default();
    check_text("issueId", "IssueId", issue_id)?;
    Length::ISSUE_ID.check("issueId", "IssueId", issue_id)?;
    check_text("description", "Description", description.unwrap_or_default())?;
    check_distinct(tags)
}

fn check_hours(field: &str, name: &str, hours: Hours) -> Result<(), Refusal> {
    if (-Hours::MOST..=Hours::MOST).contains(&hours) {
        return Ok(());
    }
    Err(Refusal::invalid(field, format_args!("{name} must be at most {}", Hours::MOST)))
}

/// `PostgreSQL` has no text with a NUL in it.
fn check_text(field: &str, name: &str, text: &str) -> Result<(), Refusal> {
    if text.contains('\0') {
        return Err(Refusal::invalid(field, format_args!("{name} must not contain the character NUL")));
    }
    Ok(())
}
