//! Limits the result of a statement. The statement fails if it returns more data than the file can contain.
//!
//! Without this limit, a malicious view could return rows endlessly. The same is true for a damaged index whose pages
//! form a loop. A malicious view in a small file could also return a long text for every row. The limit never affects a
//! regular table, because the file contains all rows of such a table.

use std::fs;
use std::path::Path;

use rusqlite::{Connection, Params, Row};

use crate::connection::companion_file;

/// The minimum size of a stored row in bytes: two bytes for its position on a page, and four bytes for the row itself.
const ROW_BYTES: u64 = 6;
/// The number of bytes by which the file may grow during the read.
const GROWTH_BYTES: u64 = 64 << 10;

/// The maximum size of a database during a read, in bytes: its current size, plus 64 KiB for growth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Capacity(u64);

impl Capacity {
    /// Returns the capacity of a database: the sizes of its file and its write-ahead log, plus 64 KiB
    /// for growth.
    pub fn from_database(database: &Path) -> Self {
        let length = |path: &Path| fs::metadata(path).map_or(0, |metadata| metadata.len());
        Self(length(database).saturating_add(length(&companion_file(database, "-wal"))).saturating_add(GROWTH_BYTES))
    }

    /// Returns the capacity in mebibytes, rounded down.
    pub fn mebibytes(self) -> u64 {
        self.0 >> 20
    }

    /// Calls `each` with every row of a statement. `each` must return the size in bytes of the texts that it read from
    /// the row.
    ///
    /// # Errors
    /// Fails if the statement returns more data than the file can contain. Also returns errors of the statement and of
    /// `each`.
    pub fn for_each_row(
        self,
        connection: &Connection,
        sql: &str,
        parameters: impl Params,
        mut each: impl FnMut(&Row<'_>) -> rusqlite::Result<usize>,
    ) -> rusqlite::Result<()> {
        let mut statement = connection.prepare(sql)?;
        let mut rows = statement.query(parameters)?;
        let mut budget = self.row_budget();
        while let Some(row) = rows.next()? {
            budget.take_row(each(row)?)?;
        }
        Ok(())
    }

    /// Runs a statement about one timeline, and returns the first value that `read` finds in its rows. If `read`
    /// returns `None` for a row, for example because a time can't be read, the search continues with the next row.
    ///
    /// # Errors
    /// Fails with the errors of [`Self::for_each_row`].
    pub fn find_first<T>(
        self,
        connection: &Connection,
        sql: &str,
        timeline: i64,
        read: impl Fn(&Row<'_>) -> rusqlite::Result<Option<T>>,
    ) -> rusqlite::Result<Option<T>> {
        let mut statement = connection.prepare(sql)?;
        let mut rows = statement.query([timeline])?;
        let mut budget = self.row_budget();
        while let Some(row) = rows.next()? {
            budget.take_row(0)?;
            if let Some(found) = read(row)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// Returns the number of bytes that one statement may return. This is twice the capacity: a text in a UTF-16
    /// database can become longer when it is converted to UTF-8.
    pub fn row_budget(self) -> RowBudget {
        RowBudget { remaining: self.0.saturating_mul(2) }
    }
}

/// The number of bytes that a statement may still return.
#[derive(Debug)]
pub struct RowBudget {
    remaining: u64,
}

impl RowBudget {
    /// Subtracts a row with `text_bytes` bytes of text from the budget.
    ///
    /// # Errors
    /// Fails if the statement has returned more data than the file can contain.
    pub fn take_row(&mut self, text_bytes: usize) -> rusqlite::Result<()> {
        let taken = ROW_BYTES.saturating_add(u64::try_from(text_bytes).unwrap_or(u64::MAX));
        match self.remaining.checked_sub(taken) {
            Some(left) => self.remaining = left,
            None => return Err(capacity_error()),
        }
        Ok(())
    }
}

#[derive(Debug, thiserror::Error)]
#[error("the file gives more than it can hold")]
struct CapacityExceeded;

fn capacity_error() -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(0, rusqlite::types::Type::Null, Box::new(CapacityExceeded))
}

/// Whether a statement failed because it returned more data than the file can contain.
pub(crate) fn is_capacity_error(error: &rusqlite::Error) -> bool {
    matches!(error, rusqlite::Error::FromSqlConversionFailure(_, _, inner) if inner.is::<CapacityExceeded>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statement_returns_at_most_the_capacity_of_the_file() {
        let mut budget = Capacity(5 * ROW_BYTES + 50).row_budget();
        budget.take_row(100).unwrap();
        for _ in 0..9 {
            budget.take_row(0).unwrap();
        }
        assert!(is_capacity_error(&budget.take_row(0).unwrap_err()));
        assert!(is_capacity_error(&Capacity(1000).row_budget().take_row(usize::MAX).unwrap_err()));
    }

    #[test]
    fn the_log_counts_as_part_of_the_file() {
        let dir = tempfile::tempdir().unwrap();
        let database = dir.path().join("a.db");
        fs::write(&database, [0; 1000]).unwrap();
        fs::write(companion_file(&database, "-wal"), [0; 500]).unwrap();
        assert_eq!(Capacity::from_database(&database), Capacity(1500 + GROWTH_BYTES));
    }
}
