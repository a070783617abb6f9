//! How much one statement may give: no more than the file can hold.
//!
//! A view that a stranger wrote, or a damaged index whose pages lead back to each other, can give rows without end, and
//! a small file one long text for every row. What comes out of a table as it is lay in the file before.

use std::fs;
use std::path::Path;

use rusqlite::{Connection, Params, Row};

use crate::locate::companion_file;

/// The least that a row takes: two bytes for its place on a page, and four for itself.
const ROW_BYTES: u64 = 6;
/// What a file may have grown by meanwhile.
const GROWTH_BYTES: u64 = 64 << 10;

/// How many bytes the file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Capacity(u64);

impl Capacity {
    /// That of a database with its log.
    pub(crate) fn from_database(database: &Path) -> Self {
        let length = |path: &Path| fs::metadata(path).map_or(0, |metadata| metadata.len());
        Self(length(database).saturating_add(length(&companion_file(database, "-wal"))).saturating_add(GROWTH_BYTES))
    }

    /// Whole mebibytes.
    pub(crate) fn mebibytes(self) -> u64 {
        self.0 >> 20
    }

    /// Calls `each` with every row of a statement; it returns how many bytes of text it read.
    ///
    /// # Errors
    /// If the statement gives more than the file can hold, and those of the statement and of `each`.
    pub(crate) fn for_each_row(
        self,
        connection: &Connection,
        sql: &str,
        parameters: impl Params,
        mut each: impl FnMut(&Row<'_>) -> rusqlite::Result<usize>,
    ) -> rusqlite::Result<()> {
        let mut statement = connection.prepare(sql)?;
        let mut rows = statement.query(parameters)?;
        let mut ration = self.row_budget();
        while let Some(row) = rows.next()? {
            ration.take_row(each(row)?)?;
        }
        Ok(())
    }

    /// What one statement may give: twice as much, since a text that is stored as UTF-16 can be longer as UTF-8.
    pub(crate) fn row_budget(self) -> RowBudget {
        RowBudget { remaining: self.0.saturating_mul(2) }
    }
}

/// What a statement may give yet.
#[derive(Debug)]
pub(crate) struct RowBudget {
    remaining: u64,
}

impl RowBudget {
    /// Takes a row with so many bytes of text.
    ///
    /// # Errors
    /// Where the statement gives more than the file can hold.
    pub(crate) fn take_row(&mut self, text_bytes: usize) -> rusqlite::Result<()> {
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

/// Whether a statement ended because it gave more than the file can hold.
pub(crate) fn is_capacity_error(error: &rusqlite::Error) -> bool {
    matches!(error, rusqlite::Error::FromSqlConversionFailure(_, _, inner) if inner.is::<CapacityExceeded>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statement_returns_at_most_the_capacity_of_the_file() {
        let mut ration = Capacity(5 * ROW_BYTES + 50).row_budget();
        ration.take_row(100).unwrap();
        for _ in 0..9 {
            ration.take_row(0).unwrap();
        }
        assert!(is_capacity_error(&ration.take_row(0).unwrap_err()));
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
