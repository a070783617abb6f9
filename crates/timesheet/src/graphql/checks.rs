//! Checks before anything is sent, and the entries of some days.
//!
//! The API doesn't check for overlaps, accepts more hours than an entry's days have, and fails with an internal error for
//! some values (docs/spec/timesheet.md#validation). It checks the rest, so that the first broken rule is reported in its
//! order. The days come from the user's entries at the API, and the evidence from the store. Evidence of an entry that the
//! API doesn't return is ignored: the entry was deleted there, or belongs to another user.

use std::ops::{Range, RangeInclusive};

use super::token::Token;
use super::{Inner, filter, queries};
use crate::day::Day;
use crate::entry::{Changes, NewEntry};
use crate::id::EntryId;
use crate::logged::LoggedEntries;
use crate::query::Limit;
use crate::refusal::Refusal;
use crate::rules::MaxLength;
use crate::rules::entry::{check_distinct, check_evidence, check_resize, check_size};
use crate::rules::overlap::{self, OverlapPolicy};
use crate::tag::Tag;

impl Inner {
    /// Rejects an entry that overlaps another, unless overlaps are allowed. Only other programs can log between this
    /// check and the sending.
    pub(super) async fn check_overlaps(
        &self,
        token: &Token,
        entry: &NewEntry,
        overlaps: OverlapPolicy,
    ) -> Result<(), Refusal> {
        if overlaps == OverlapPolicy::Allowed {
            return Ok(());
        }
        let days = entry.start_date..=entry.completion_date;
        let logged =
            self.logged_entries(token, &days, &overlap::evidence_range(&entry.evidence).unwrap_or_default()).await?;
        overlap::check_overlaps(entry, &logged.entries_with_evidence())
    }

    /// Rejects a change that gives the entry more hours than its days have, or a day more than 24 hours, unless
    /// overlaps are allowed. The API makes its own checks.
    pub(super) async fn check_change(
        &self,
        id: EntryId,
        changes: &Changes,
        overlaps: OverlapPolicy,
    ) -> Result<(), Refusal> {
        if !changes.may_claim_time() {
            return Ok(());
        }
        let token = self.tokens.token().await?;
        let Some(before) = self.find(&token, id).await? else { return Ok(()) };
        let after = changes.clone().apply_to(before.clone());
        check_resize(&before, &after)?;
        if overlaps == OverlapPolicy::Allowed || !overlap::claims_more_time(&before, &after) {
            return Ok(());
        }
        let logged = self.logged_entries(&token, &(after.start_date..=after.completion_date), &(0..0)).await?;
        overlap::check_change(&before, &after, &logged.entries_with_evidence())
    }

    /// Returns the user's entries that have one of the days or evidence in the time.
    pub(super) async fn logged_entries(
        &self,
        token: &Token,
        days: &RangeInclusive<Day>,
        time: &Range<i64>,
    ) -> Result<LoggedEntries, Refusal> {
        let (first, last) = (*days.start(), *days.end());
        let found = self.all_pages(token, |skip| filter::days_variables(first, last, token.owner(), skip)).await?;
        let mut entries = found.ok_or_else(too_many)?;
        for id in self.store.evidence_in(time.start, time.end).await?.keys() {
            if entries.iter().all(|other| other.id != *id) {
                entries.extend(self.find(token, *id).await?);
            }
        }
        let ids: Vec<_> = entries.iter().map(|entry| entry.id).collect();
        Ok(LoggedEntries { evidence: self.store.evidence(&ids).await?, entries })
    }
}

fn too_many() -> Refusal {
    let most = queries::MAX_PAGES * Limit::MAX_VALUE.get();
    let message = format_args!("More than {most} entries are on these days: use fewer days, or allow overlaps");
    Refusal::invalid("startDate", message)
}

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
