//! The state of the database at one commit, with redacted names. All queries of a read use one snapshot.

use std::sync::{Arc, OnceLock};

use rusqlite::{Connection, ToSql};

use super::privacy::{HiddenRows, RedactedNames, RowRedactor};
use super::shape::Shape;
use dayledger_source::ReadHandle;
use dayledger_sqlite::Capacity;

/// The data of one commit that all reads at this commit share. It is read from the file only once.
#[derive(Debug)]
pub(crate) struct Commit {
    names: RedactedNames,
    /// The hidden rows, which are read from the file at first use.
    hidden: OnceLock<HiddenRows>,
}

impl Commit {
    /// Creates the data of a commit from its redacted names.
    pub(crate) fn new(names: RedactedNames) -> Self {
        Self { names, hidden: OnceLock::new() }
    }

    /// Returns the redacted names of this commit.
    pub(crate) fn names(&self) -> &RedactedNames {
        &self.names
    }
}

/// The state of the database at one commit, in an open read transaction.
pub(crate) struct Snapshot<'r> {
    /// The connection, in a read transaction.
    pub(crate) connection: &'r Connection,
    /// The tables and columns of the database.
    pub(crate) shape: &'r Shape,
    /// The redacted timelines, groups, lists and devices at this commit.
    pub(crate) names: &'r RedactedNames,
    commit: &'r Arc<Commit>,
    /// Counts the rows that are read. It also stops the read if the caller no longer waits.
    pub(crate) reading: &'r ReadHandle,
    /// The limit for the rows of each statement.
    pub(crate) capacity: Capacity,
}

impl<'r> Snapshot<'r> {
    /// Creates a snapshot of the database at `commit`. `connection` must be in a transaction at this commit.
    pub(crate) fn new(
        connection: &'r Connection,
        capacity: Capacity,
        shape: &'r Shape,
        commit: &'r Arc<Commit>,
        reading: &'r ReadHandle,
    ) -> Self {
        Self { connection, shape, names: &commit.names, commit, reading, capacity }
    }

    /// Returns the shared data of the commit.
    pub(crate) fn commit(&self) -> Arc<Commit> {
        Arc::clone(self.commit)
    }

    /// Returns the hidden activities. The first call for a commit reads them from the database.
    pub(crate) fn hidden_rows(&self) -> rusqlite::Result<&'r HiddenRows> {
        if let Some(hidden) = self.commit.hidden.get() {
            return Ok(hidden);
        }
        let hidden = HiddenRows::read(self.connection, self.shape, self.capacity, self.names)?;
        Ok(self.commit.hidden.get_or_init(|| hidden))
    }

    /// Returns the redactor of activities, or `None` if there are no privacy settings.
    pub(crate) fn row_redactor(&self) -> rusqlite::Result<Option<RowRedactor<'r>>> {
        if self.names.privacy().is_empty() {
            return Ok(None);
        }
        Ok(Some(RowRedactor::new(self.connection, self.names, &self.hidden_rows()?.times)))
    }

    /// Returns the lines of `SQLite`'s query plan for a statement.
    pub(crate) fn query_plan(&self, sql: &str, parameters: &[impl ToSql]) -> rusqlite::Result<Vec<String>> {
        let mut prepared = self.connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}"))?;
        prepared.query_map(rusqlite::params_from_iter(parameters), |row| row.get("detail"))?.collect()
    }
}
