//! Import of many entries in one transaction.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use rusqlite::Transaction;

use super::{Ledger, entries, insert_entry, projects};
use crate::entry::{NewEntry, TimeEntry};
use crate::id::IdempotencyKey;
use crate::local_store::{self, Attempt, Failure};
use crate::project::Project;
use crate::refusal::Refusal;
use crate::rules::{check_projects, entry as rule};

/// Whether an import is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImportMode {
    /// It is checked only.
    Preview,
    /// It is stored.
    Store,
}

/// An entry to import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportRow {
    /// Its place in the file, such as `line 5`, for errors.
    pub place: String,
    /// Its key. An entry with a key that has logged one is skipped, even if that entry was changed or deleted since.
    pub key: IdempotencyKey,
    /// The entry.
    pub entry: NewEntry,
}

impl Ledger {
    /// Inserts or replaces projects as in [`Ledger::put_projects`], and logs entries that weren't imported before.
    /// Returns the new entries.
    ///
    /// # Errors
    ///
    /// `VALIDATION_ERROR` for `file`, with the place, for an entry that breaks a rule or overlaps another one. Nothing is
    /// stored then.
    pub async fn import(
        &self,
        projects: Vec<Project>,
        rows: Vec<ImportRow>,
        mode: ImportMode,
    ) -> Result<Vec<TimeEntry>, Refusal> {
        check_projects(&projects)?;
        let change = move |transaction: &Transaction<'_>| insert(transaction, &projects, &rows);
        match mode {
            ImportMode::Preview => self.store.preview(change).await,
            ImportMode::Store => self.store.write(change).await,
        }
    }
}

fn insert(
    transaction: &Transaction<'_>,
    new_projects: &[Project],
    rows: &[ImportRow],
) -> Result<Vec<TimeEntry>, Failure> {
    new_projects.iter().try_for_each(|project| projects::put(transaction, project))?;
    let mut known: HashMap<&str, Option<Project>> = HashMap::new();
    let mut logged = Vec::new();
    for ImportRow { place, key, entry } in rows {
        if let Attempt::Logged(_) = local_store::attempt(transaction, *key)? {
            continue;
        }
        let project = match known.entry(&entry.project_code) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(unknown) => unknown.insert(projects::find(transaction, &entry.project_code)?),
        };
        let checked = rule::check_new(project.as_ref(), entry).map_err(Failure::from);
        checked
            .and_then(|()| entries::check_overlaps(transaction, entry))
            .map_err(|failure| with_place(failure, place))?;
        logged.push(insert_entry(transaction, *key, entry)?);
    }
    Ok(logged)
}

/// Adds the place of an entry to its refusal.
fn with_place(failure: Failure, place: &str) -> Failure {
    match failure {
        Failure::Refused(refusal) => {
            Refusal::invalid("file", format_args!("cannot import the file: {place}: {}", refusal.message)).into()
        }
        other => other,
    }
}
