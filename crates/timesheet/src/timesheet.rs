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
/// The rules of [`crate::rules`] apply to the ledger and to the API. Each operation is atomic. After a refusal with the
/// code `NETWORK_ERROR` or `INTERNAL_ERROR`, the operation may or may not have been completed. Dropping a pending
/// future doesn't stop the operation.
#[async_trait]
pub trait Timesheet: Send + Sync {
    /// Logs an entry once for each key. If the key has already logged an entry, the request is ignored. The result is
    /// then the current state of the logged entry, or `NOT_FOUND` if it was deleted. A key whose entry was rejected can
    /// be used again. The key is stored before a request is sent to the API.
    ///
    /// Unless overlaps are allowed, a new entry is checked against the existing entries, see
    /// [`crate::rules::overlap::check_overlaps`]. The ledger makes this check after all other rules, in the transaction
    /// that logs the entry.
    ///
    /// The API doesn't check overlaps, so this program checks them before all other rules. It compares the new entry
    /// with the user's own entries on the same days at the API, and with the evidence in the local store. The check can
    /// miss these overlaps:
    /// - with evidence that is stored on another machine
    /// - with an entry that another program logs after the check
    /// - with an entry whose response was lost and that wasn't found yet
    async fn log(&self, key: IdempotencyKey, entry: NewEntry, overlaps: OverlapPolicy) -> Result<TimeEntry, Refusal>;

    /// Returns a page of the entries that match the query.
    async fn query(&self, query: &EntryQuery) -> Result<EntryPage, Refusal>;

    /// Returns the user's own entries that include one of `days`, or that have evidence overlapping `time`. The entries
    /// lack their tags but have all of their evidence. `time` is in seconds since 1970, UTC, and its end is exclusive.
    async fn logged_entries(&self, days: RangeInclusive<Day>, time: Range<i64>) -> Result<LoggedEntries, Refusal>;

    /// Returns the entry with the id, or fails with `NOT_FOUND`.
    async fn find(&self, id: EntryId) -> Result<TimeEntry, Refusal>;

    /// Changes an entry. A declined entry becomes `NOT_REPORTED` again.
    ///
    /// Unless overlaps are allowed, a change is rejected if a day would have more than 24 hours. See
    /// [`crate::rules::overlap::check_change`].
    async fn update(&self, id: EntryId, changes: Changes, overlaps: OverlapPolicy) -> Result<TimeEntry, Refusal>;

    /// Moves an entry to another task. The tags are kept if the project stays the same, and deleted otherwise.
    async fn move_to(&self, id: EntryId, project_code: &str, task: &str) -> Result<TimeEntry, Refusal>;

    /// Deletes an entry with its evidence. The ledger deletes only entries with the status `NOT_REPORTED`. The API also
    /// deletes declined entries.
    async fn delete(&self, id: EntryId) -> Result<(), Refusal>;

    /// Submits an entry for approval. A declined entry keeps its decline comment.
    async fn submit(&self, id: EntryId) -> Result<TimeEntry, Refusal>;

    /// Returns the projects, ordered by code, with all of their tasks and tags, including inactive tasks and tags.
    async fn projects(&self, asked: ProjectFilter) -> Result<Vec<Project>, Refusal>;
}
