//! One consistent read in progress: the state of the database at one commit, with redacted names.

use std::sync::{Arc, OnceLock};

use rusqlite::{Connection, Row, ToSql};

use super::privacy::{ActivityRedactor, HiddenTimes, RedactedNames};
use super::shape::Shape;
use super::sqlite::Capacity;
use dayledger_source::ReadHandle;

/// What is known of one commit: read once, and used by every read that belongs to it.
#[derive(Debug)]
pub(crate) struct Commit {
    names: RedactedNames,
    /// Read when it is first asked for.
    hidden: OnceLock<HiddenTimes>,
}

impl Commit {
    /// A commit with those names.
    pub(crate) fn new(names: RedactedNames) -> Self {
        Self { names, hidden: OnceLock::new() }
    }

    /// What names its activities, under the switches of the source.
    pub(crate) fn names(&self) -> &RedactedNames {
        &self.names
    }
}

/// One consistent read in progress: the file's state at one commit.
pub(crate) struct Snapshot<'r> {
    /// The connection, in a read transaction.
    pub(crate) connection: &'r Connection,
    /// The file's tables and columns.
    pub(crate) shape: &'r Shape,
    /// Timelines, groups, lists and devices at this commit, under the switches of the source.
    pub(crate) names: &'r RedactedNames,
    commit: &'r Arc<Commit>,
    /// Counts the rows.
    pub(crate) reading: &'r ReadHandle,
    /// How much a statement may give.
    pub(crate) capacity: Capacity,
}

impl<'r> Snapshot<'r> {
    /// A read of that commit through a connection whose transaction sees it.
    pub(crate) fn new(
        connection: &'r Connection,
        capacity: Capacity,
        shape: &'r Shape,
        commit: &'r Arc<Commit>,
        reading: &'r ReadHandle,
    ) -> Self {
        Self { connection, shape, names: &commit.names, commit, reading, capacity }
    }

    /// What is known of the commit, for as long as its rows are used.
    pub(crate) fn commit(&self) -> Arc<Commit> {
        Arc::clone(self.commit)
    }

    /// Where something hidden was, read when it is first asked for.
    pub(crate) fn hidden_times(&self) -> rusqlite::Result<&'r HiddenTimes> {
        if let Some(hidden) = self.commit.hidden.get() {
            return Ok(hidden);
        }
        let hidden = HiddenTimes::read(self.connection, self.shape, self.capacity, self.names)?;
        Ok(self.commit.hidden.get_or_init(|| hidden))
    }

    /// What decides what activities may tell; nothing where they may tell everything.
    pub(crate) fn activity_redactor(&self) -> rusqlite::Result<Option<ActivityRedactor<'r>>> {
        if self.names.privacy().is_empty() {
            return Ok(None);
        }
        Ok(Some(ActivityRedactor::new(self.connection, self.names, self.hidden_times()?)))
    }

    /// The lines of `SQLite`'s plan for one statement.
    pub(crate) fn query_plan(&self, sql: &str, parameters: &[impl ToSql]) -> rusqlite::Result<Vec<String>> {
        let mut prepared = self.connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}"))?;
        prepared.query_map(rusqlite::params_from_iter(parameters), |row| row.get("detail"))?.collect()
    }

    /// The first instant that `read` finds in the rows of `sql`, which is asked of one timeline. A time that cannot be
    /// read sorts anywhere, and a row without extent counts nowhere, so it need not be in the first row.
    pub(crate) fn first_instant(
        &self,
        sql: &str,
        timeline: i64,
        read: fn(&Row<'_>) -> rusqlite::Result<Option<i64>>,
    ) -> rusqlite::Result<Option<i64>> {
        let mut prepared = self.connection.prepare(sql)?;
        let mut rows = prepared.query([timeline])?;
        let mut ration = self.capacity.row_budget();
        while let Some(row) = rows.next()? {
            ration.take_row(0)?;
            if let Some(instant) = read(row)? {
                return Ok(Some(instant));
            }
        }
        Ok(None)
    }
}
