//! Checks an entry before it is sent. Also contains the query for logged entries that these checks need.
//!
//! The API doesn't check for overlaps, accepts more hours than an entry's days have, and fails with an internal error
//! for some values (docs/spec/timesheet.md#validation). This module checks only these rules. The API checks all other
//! rules and reports the first broken one. Overlaps are checked against the user's entries at the API and against the
//! evidence in the store. Evidence is ignored if the API doesn't return its entry: the entry was deleted there, or
//! belongs to another user.

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
    /// Rejects an entry that overlaps another one, unless overlaps are allowed. Between this check and the sending,
    /// only other programs can log an overlapping entry.
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

    /// Rejects a change that gives the entry more hours than its days have. Unless overlaps are allowed, it also
    /// rejects a change that gives a day more than 24 hours. The API checks the other rules.
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

    /// Returns the user's entries that include one of `days`, or that have evidence overlapping `time`.
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

/// Rejects an entry of more than 366 days or with more hours than its days have. Also rejects text that the API can't
/// store, a duplicate tag, and evidence that doesn't end after it starts.
pub(super) fn check_new(entry: &NewEntry) -> Result<(), Refusal> {
    check_size((entry.start_date, entry.completion_date), entry.standard_hours + entry.overtime_hours)?;
    check(entry.issue_id.as_deref(), entry.description.as_deref(), &entry.tags)?;
    check_evidence(&entry.evidence)
}

/// Checks changed texts and tags. Changed hours and days are checked later, because their check needs the stored entry.
pub(super) fn check_changes(changes: &Changes) -> Result<(), Refusal> {
    let tags = changes.tags.as_deref().unwrap_or_default();
    check(changes.issue_id.as_deref(), changes.description.as_deref(), tags)
}

/// Checks texts and tags. Absent texts are valid.
fn check(issue_id: Option<&str>, description: Option<&str>, tags: &[Tag]) -> Result<(), Refusal> {
    let issue_id = issue_id.unwrap_or_default();
    check_text("issueId", "IssueId", issue_id)?;
    MaxLength::ISSUE_ID.check("issueId", "IssueId", issue_id)?;
    check_text("description", "Description", description.unwrap_or_default())?;
    check_distinct(tags)
}

/// Rejects the character NUL, which `PostgreSQL` can't store.
fn check_text(field: &str, name: &str, text: &str) -> Result<(), Refusal> {
    if text.contains('\0') {
        return Err(Refusal::invalid(field, format_args!("{name} must not contain the character NUL")));
    }
    Ok(())
}
