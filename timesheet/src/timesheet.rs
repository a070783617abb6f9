//! The one way to entries, wherever they are kept.

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

/// A timesheet: the ledger of this machine or the API of a company, held as `Arc<dyn Timesheet>`.
///
/// The rules of [`crate::rules`] hold in each. An operation either was carried out whole or not at all; a refusal with
/// the code `NETWORK_ERROR` or `INTERNAL_ERROR` leaves open which. Whoever drops an answer that is awaited does not stop
/// the operation.
#[async_trait]
pub trait Timesheet: Send + Sync {
    /// Logs an entry, once for each key: asked again with a key that has logged, it answers with the entry of then as
    /// it is now, whatever else is asked, or `NOT_FOUND` where it was deleted since. A key that was refused can be used
    /// again. The key is kept before anything is sent.
    ///
    /// Where overlaps are refused, an entry under a key that has not logged is held against those that there are, see
    /// [`crate::rules::overlap::check_overlaps`]. In the ledger this is one step with the logging, after all other rules.
    ///
    /// The API has no such rule. There it is one before all others: before an entry is sent, it is held against the user's
    /// own entries of its days, as the API shows them, and against the evidence in this store. So it cannot rule out an overlap with evidence that another machine has, with
    /// what another program logs between the look and the sending, or with an entry whose answer was lost and that is
    /// not found yet.
    async fn log(&self, key: IdempotencyKey, entry: NewEntry, overlaps: OverlapPolicy) -> Result<TimeEntry, Refusal>;

    /// The entries that are asked for.
    async fn query(&self, query: &EntryQuery) -> Result<EntryPage, Refusal>;

    /// The user's own entries that have one of those days or evidence of that time, with all evidence of each; without
    /// their tags. Time is in seconds since 1970, UTC, with its end exclusive.
    async fn logged_entries(&self, days: RangeInclusive<Day>, time: Range<i64>) -> Result<LoggedEntries, Refusal>;

    /// The entry with that id, or `NOT_FOUND`.
    async fn find(&self, id: EntryId) -> Result<TimeEntry, Refusal>;

    /// Changes an entry that is open to changes; one that was declined is `NOT_REPORTED` again by it.
    ///
    /// Where overlaps are refused, days that it would have too many hours on are looked at as [`Self::log`] does; see
    /// [`crate::rules::overlap::check_change`].
    async fn update(&self, id: EntryId, changes: Changes, overlaps: OverlapPolicy) -> Result<TimeEntry, Refusal>;

    /// Moves an entry to another task, of the same project, where it keeps its tags, or of another, where it loses them.
    async fn move_to(&self, id: EntryId, project_code: &str, task: &str) -> Result<TimeEntry, Refusal>;

    /// Removes an entry, with its evidence. The ledger removes `NOT_REPORTED` ones only, the API declined ones too.
    async fn delete(&self, id: EntryId) -> Result<(), Refusal>;

    /// Hands an entry in for approval. One that was declined keeps the comment.
    async fn submit(&self, id: EntryId) -> Result<TimeEntry, Refusal>;

    /// The projects, by code, with their tasks and tags, the inactive ones among them included.
    async fn projects(&self, asked: ProjectFilter) -> Result<Vec<Project>, Refusal>;
}
