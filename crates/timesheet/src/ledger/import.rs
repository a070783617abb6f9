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

/// Whether an import is stored or only checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImportMode {
    /// The import is checked but not stored.
    Preview,
    /// The import is checked and stored.
    Store,
}

/// An entry to import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportRow {
    /// The position of the entry in the file, such as `line 5`, for error messages.
    pub place: String,
    /// The key of the entry. The row is skipped if this key has already logged an entry, even if that entry was changed
    /// or deleted later.
    pub key: IdempotencyKey,
    /// The entry to log.
    pub entry: NewEntry,
}

impl Ledger {
    /// Inserts or replaces projects as [`Ledger::put_projects`] does, and logs the entries that weren't imported
    /// before. Returns the new entries.
    ///
    /// # Errors
    ///
    /// `VALIDATION_ERROR` for an invalid project. `VALIDATION_ERROR` for `file`, with the position in the file, if an
    /// entry breaks a rule or overlaps another one. After an error, neither projects nor entries are stored.
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

/// Adds the entry's position in the file to the refusal of the entry.
fn with_place(failure: Failure, place: &str) -> Failure {
    match failure {
        Failure::Refused(refusal) => {
            Refusal::invalid("file", format_args!("cannot import the file: {place}: {}", refusal.message)).into()
        }
        other => other,
    }
}
