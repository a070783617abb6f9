//! The ledger: entries stored on this machine. The ledger needs no setup.
//!
//! The ledger stores entries and projects in the file of the [`crate::local_store`]. The rules for entries are in
//! [`crate::rules`]. The caller chooses the path of the file.
//!
//! Invariants: the invariants of the store also apply here. A change reads the entry, checks the rules and writes the
//! entry in one immediate transaction. If two programs change the same entry, the second program sees the change of the
//! first.

mod entries;
mod import;
mod projects;

use std::ops::{Range, RangeInclusive};
use std::path::Path;

use async_trait::async_trait;
use chrono::{DateTime, SubsecRound, Utc};
use rusqlite::{Connection, Transaction};

use crate::day::{Day, Week};
use crate::demo;
use crate::entry::{Changes, NewEntry, TimeEntry};
use crate::id::{EntryId, IdempotencyKey};
use crate::local_store::{self, Attempt, Failure, LocalStore, StoreError};
use crate::logged::LoggedEntries;
use crate::project::{Project, ProjectFilter};
use crate::query::{EntryPage, EntryQuery};
use crate::refusal::Refusal;
use crate::rules::{Operation, OverlapPolicy, check_projects, entry as rule};
use crate::status::Status;
use crate::timesheet::Timesheet;

pub use import::{ImportMode, ImportRow};

/// The entries of one user in a local file.
#[derive(Debug, Clone)]
pub struct Ledger {
    store: LocalStore,
}

impl Ledger {
    /// Opens the ledger in a file, or creates the file if it doesn't exist. See [`LocalStore::open`].
    ///
    /// # Errors
    ///
    /// See [`LocalStore::open`].
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        Ok(Self { store: LocalStore::open(path)? })
    }

    /// Returns the store that contains the ledger.
    pub fn store(&self) -> &LocalStore {
        &self.store
    }

    /// Reads the projects that accept hours from a file that was opened read-only. Returns `None` if the file isn't a
    /// ledger.
    pub fn read_projects(connection: &mut Connection) -> Option<Vec<Project>> {
        projects::list(&connection.transaction().ok()?, ProjectFilter::Active).ok()
    }

    /// Inserts projects, or replaces the stored projects with the same codes. Other stored projects stay the same. For
    /// a replaced project, stored tasks that are missing from the new version become inactive, and missing tags are
    /// deleted. Entries stay the same.
    ///
    /// # Errors
    ///
    /// `VALIDATION_ERROR` for a project that the API wouldn't accept. `INTERNAL_ERROR` if the file can't be written.
    pub async fn put_projects(&self, projects: Vec<Project>) -> Result<(), Refusal> {
        check_projects(&projects)?;
        self.store
            .write(move |transaction| projects.iter().try_for_each(|project| projects::put(transaction, project)))
            .await
    }

    /// Inserts the sample projects and entries. A sample entry that already exists is not replaced.
    ///
    /// # Errors
    ///
    /// `INTERNAL_ERROR` if the file can't be written.
    pub async fn put_demo(&self) -> Result<(), Refusal> {
        self.put_projects(demo::projects()).await?;
        self.store
            .write(|transaction| {
                demo::entries().iter().try_for_each(|entry| match entries::find(transaction, entry.id)? {
                    Some(_) => Ok(()),
                    None => entries::insert(transaction, entry),
                })
            })
            .await
    }

    /// Returns all entries, read in one transaction, in the order in which they were logged.
    ///
    /// # Errors
    ///
    /// `INTERNAL_ERROR` if the file can't be read.
    pub async fn entries(&self) -> Result<Vec<TimeEntry>, Refusal> {
        self.store.read(entries::all).await
    }

    /// Reopens the submitted entries that start in the week, and returns their ids. Only people may reopen entries, so
    /// this function must not be called from a tool.
    ///
    /// # Errors
    ///
    /// `INTERNAL_ERROR` if the file can't be written.
    pub async fn reopen(&self, week: Week) -> Result<Vec<EntryId>, Refusal> {
        self.store.write(move |transaction| entries::reopen(transaction, week, now())).await
    }

    /// Reads an entry, checks that its status allows the operation, and stores the entry that `change` returns.
    async fn change(
        &self,
        id: EntryId,
        operation: Operation,
        change: impl FnOnce(&Transaction<'_>, TimeEntry) -> Result<TimeEntry, Failure> + Send + 'static,
    ) -> Result<TimeEntry, Refusal> {
        self.store
            .write(move |transaction| {
                let before = entries::find(transaction, id)?.ok_or_else(|| Refusal::not_found(id))?;
                operation.check(before.status)?;
                let status = if operation == Operation::Submit { Status::Submitted } else { Status::NotReported };
                let after = change(transaction, before)?;
                // A declined entry that is submitted again keeps its decline comment. Any other change removes the
                // comment.
                let comment = after.decline_comment.filter(|_| operation == Operation::Submit);
                // The new `updated_at` is never before the old one, even if the clock was set back.
                let updated_at = now().max(after.updated_at);
                let after = TimeEntry { status, decline_comment: comment, updated_at, ..after };
                entries::replace(transaction, &after)?;
                Ok(after)
            })
            .await
    }
}

/// Inserts an entry that passed the rules, with its evidence, and records that the key logged this entry.
fn insert_entry(transaction: &Transaction<'_>, key: IdempotencyKey, new: &NewEntry) -> Result<TimeEntry, Failure> {
    let entry = TimeEntry::from_new(EntryId::new(), new.clone(), now());
    entries::insert(transaction, &entry)?;
    local_store::insert_evidence(transaction, entry.id, new)?;
    local_store::settle(transaction, key, entry.id)?;
    Ok(entry)
}

#[async_trait]
impl Timesheet for Ledger {
    async fn log(&self, key: IdempotencyKey, entry: NewEntry, overlaps: OverlapPolicy) -> Result<TimeEntry, Refusal> {
        self.store
            .write(move |transaction| {
                if let Attempt::Logged(id) = local_store::attempt(transaction, key)? {
                    return Ok(entries::find(transaction, id)?.ok_or_else(|| Refusal::not_found(id))?);
                }
                let project = projects::find(transaction, &entry.project_code)?;
                rule::check_new(project.as_ref(), &entry)
                    .map_err(|refusal| projects::with_allowed_codes(transaction, refusal))?;
                if overlaps == OverlapPolicy::Refused {
                    entries::check_overlaps(transaction, &entry)?;
                }
                insert_entry(transaction, key, &entry)
            })
            .await
    }

    async fn query(&self, query: &EntryQuery) -> Result<EntryPage, Refusal> {
        let query = query.clone();
        self.store.read(move |transaction| entries::query(transaction, &query)).await
    }

    async fn logged_entries(&self, days: RangeInclusive<Day>, time: Range<i64>) -> Result<LoggedEntries, Refusal> {
        self.store.read(move |transaction| entries::logged_entries(transaction, &days, &time)).await
    }

    async fn find(&self, id: EntryId) -> Result<TimeEntry, Refusal> {
        let found = self.store.read(move |transaction| entries::find(transaction, id)).await?;
        found.ok_or_else(|| Refusal::not_found(id))
    }

    async fn update(&self, id: EntryId, changes: Changes, overlaps: OverlapPolicy) -> Result<TimeEntry, Refusal> {
        self.change(id, Operation::Update, move |transaction, before| {
            // A foreign key guarantees that the project exists.
            if let Some(project) = projects::find(transaction, &before.project_code)? {
                rule::check_changes(&project, &before, &changes)?;
            }
            let after = changes.apply_to(before.clone());
            rule::check_resize(&before, &after)?;
            if overlaps == OverlapPolicy::Refused {
                entries::check_change(transaction, &before, &after)?;
            }
            Ok(after)
        })
        .await
    }

    async fn move_to(&self, id: EntryId, project_code: &str, task: &str) -> Result<TimeEntry, Refusal> {
        let (project_code, task) = (project_code.to_owned(), task.to_owned());
        self.change(id, Operation::Move, move |transaction, entry| {
            let target = projects::find(transaction, &project_code)?;
            rule::check_move(target.as_ref(), &project_code, &task)
                .map_err(|refusal| projects::with_allowed_codes(transaction, refusal))?;
            Ok(entry.with_task(project_code, task))
        })
        .await
    }

    async fn delete(&self, id: EntryId) -> Result<(), Refusal> {
        self.store
            .write(move |transaction| {
                let entry = entries::find(transaction, id)?.ok_or_else(|| Refusal::not_found(id))?;
                Operation::Delete.check(entry.status)?;
                local_store::delete_evidence(transaction, id)?;
                entries::delete(transaction, id)
            })
            .await
    }

    async fn submit(&self, id: EntryId) -> Result<TimeEntry, Refusal> {
        self.change(id, Operation::Submit, |_, entry| Ok(entry)).await
    }

    async fn projects(&self, asked: ProjectFilter) -> Result<Vec<Project>, Refusal> {
        self.store.read(move |transaction| projects::list(transaction, asked)).await
    }
}

/// Returns the current time, truncated to milliseconds, because the store keeps milliseconds.
fn now() -> DateTime<Utc> {
    Utc::now().trunc_subsecs(3)
}
