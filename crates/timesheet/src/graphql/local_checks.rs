//! Checks before anything is sent: values that end in an internal error of the API (docs/spec/timesheet.md#validation),
//! and entries with more hours than their days, which the API accepts. The API checks the rest, so that the first
//! broken rule is reported in its order.

use crate::entry::{Changes, NewEntry};
use crate::refusal::Refusal;
use crate::rules::MaxLength;
use crate::rules::entry::{check_distinct, check_evidence, check_size};
use crate::tag::Tag;

/// Rejects more hours than the days have, text that the API can't store, a duplicate tag, and evidence without a
/// length.
pub(super) fn check_new(entry: &NewEntry) -> Result<(), Refusal> {
    check_size((entry.start_date, entry.completion_date), entry.standard_hours + entry.overtime_hours)?;
    check(entry.issue_id.as_deref(), entry.description.as_deref(), &entry.tags)?;
    check_evidence(&entry.evidence)
}

/// Checks changed texts and tags. Whether changed hours fit depends on the entry, which is checked later.
pub(super) fn check_changes(changes: &Changes) -> Result<(), Refusal> {
    let tags = changes.tags.as_deref().unwrap_or_default();
    check(changes.issue_id.as_deref(), changes.description.as_deref(), tags)
}

/// Checks texts and tags; absent ones are valid.
fn check(issue_id: Option<&str>, description: Option<&str>, tags: &[Tag]) -> Result<(), Refusal> {
    let issue_id = issue_id.unwrap_or_default();
    check_text("issueId", "IssueId", issue_id)?;
    MaxLength::ISSUE_ID.check("issueId", "IssueId", issue_id)?;
    check_text("description", "Description", description.unwrap_or_default())?;
    check_distinct(tags)
}

/// Rejects NUL, which `PostgreSQL` can't store.
fn check_text(field: &str, name: &str, text: &str) -> Result<(), Refusal> {
    if text.contains('\0') {
        return Err(Refusal::invalid(field, format_args!("{name} must not contain the character NUL")));
    }
    Ok(())
}
