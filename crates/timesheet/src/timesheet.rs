//! The common interface to entries, independent of the storage.

use std::ops::{Range, RangeInclusive};

use async_trait::async_trait;

use crate::day::Day;
use crate::entry::{Changes, NewEntry, TimeEntry};
use crate::id::{EntryId, IdempotencyKey};
use crate::logged::LoggedEntries;
use crate::project::{Project, ProjectFilter};
use crate::query::{EntryPage, EntryQuery};
use crate::refusal::Refusal;
use crate::rules::overlap::OverlapPolicy;

/// A timesheet: the local ledger or the API of a company, used as `Arc<dyn Timesheet>`.
///
/// The rules of [`crate::rules`] apply to both. An operation is atomic; after a refusal with the code `NETWORK_ERROR`
/// or `INTERNAL_ERROR`, it is unknown whether it was done. Dropping a pending future doesn't stop the operation.
#[async_trait]
pub trait Timesheet: Send + Sync {
    /// Logs an entry, once for each key. If the key has already logged an entry, it returns that entry in its current
    /// state, regardless of the request, or `NOT_FOUND` if it was deleted. The key of a rejected entry can be used
    /// again. The key is stored before anything is sent.
    ///
    /// Unless overlaps are allowed, a new entry is checked against the existing ones, see
    /// [`crate::rules::overlap::check_overlaps`]. The ledger does so after all other rules, in the same transaction as
    /// the logging.
    ///
    /// The API doesn't have this rule. Here it is checked before all others: before an entry is sent, it is compared
    /// with the user's own entries on its days at the API, and with the evidence in this store. It can therefore miss
    /// an overlap with evidence on another machine, with an entry that another program logs between the check and the
    /// sending, and with an entry whose response was lost and that isn't found yet.
    async fn log(&self, key: IdempotencyKey, entry: NewEntry, overlaps: OverlapPolicy) -> Result<TimeEntry, Refusal>;

    /// Returns the entries that match the query.
    async fn query(&self, query: &EntryQuery) -> Result<EntryPage, Refusal>;

    /// Returns the user's own entries that have one of the days or evidence in the time, without their tags, with all
    /// of their evidence. The time is in seconds since 1970, UTC, and its end is exclusive.
    async fn logged_entries(&self, days: RangeInclusive<Day>, time: Range<i64>) -> Result<LoggedEntries, Refusal>;

    /// Returns the entry with the id, or `NOT_FOUND`.
    async fn find(&self, id: EntryId) -> Result<TimeEntry, Refusal>;

    /// Changes an entry. A declined entry becomes `NOT_REPORTED` again.
    ///
    /// Unless overlaps are allowed, days on which it would have too many hours are checked as in [`Self::log`]; see
    /// [`crate::rules::overlap::check_change`].
    async fn update(&self, id: EntryId, changes: Changes, overlaps: OverlapPolicy) -> Result<TimeEntry, Refusal>;

    /// Moves an entry to another task. It keeps its tags within the same project, and loses them otherwise.
    async fn move_to(&self, id: EntryId, project_code: &str, task: &str) -> Result<TimeEntry, Refusal>;

    /// Deletes an entry with its evidence. The ledger only deletes entries that are `NOT_REPORTED`; the API also
    /// deletes declined ones.
    async fn delete(&self, id: EntryId) -> Result<(), Refusal>;

    /// Submits an entry for approval. A declined one keeps its comment.
    async fn submit(&self, id: EntryId) -> Result<TimeEntry, Refusal>;

    /// Returns the projects by code, with all of their tasks and tags, including inactive ones.
    async fn projects(&self, asked: ProjectFilter) -> Result<Vec<Project>, Refusal>;
}
