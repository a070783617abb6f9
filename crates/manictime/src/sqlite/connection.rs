//! A connection to the database. It remembers the versions of the data and of the schema from its last transaction.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::Connection;

use super::errors::{convert_failure, sqlite_error};
use crate::error::Error;
use dayledger_sqlite::{Capacity, FileIdentity, ReadDeadline};

#[derive(Debug)]
pub(crate) struct Reader {
    pub(crate) connection: Connection,
    pub(crate) file: FileIdentity,
    pub(crate) path: PathBuf,
    /// Whether the connection hasn't completed a request yet.
    pub(crate) is_new: bool,
    pub(crate) data_version: Option<i64>,
    /// Whether the last `begin_transaction` detected a commit since the previous transaction of this connection.
    pub(crate) changed: bool,
    pub(crate) schema_version: i64,
    /// The generation of the current transaction. `None` if the transaction can't use the cache.
    pub(crate) generation: Option<u64>,
    /// The capacity of the file when the current transaction began.
    pub(crate) capacity: Capacity,
}

impl Reader {
    pub(crate) fn open(
        path: &Path,
        file: FileIdentity,
        busy_timeout: Duration,
        end: &ReadDeadline,
    ) -> Result<Self, Error> {
        let connection = dayledger_sqlite::open(path, busy_timeout, end);
        let connection = connection.map_err(|failure| convert_failure(failure, path))?;
        Ok(Self {
            connection,
            file,
            path: path.to_owned(),
            is_new: true,
            data_version: None,
            changed: true,
            schema_version: 0,
            generation: None,
            capacity: Capacity::from_database(path),
        })
    }

    /// Makes all following statements fail after the deadline.
    pub(crate) fn set_deadline(&mut self, end: &ReadDeadline) -> Result<(), Error> {
        end.apply_to(&mut self.connection).map_err(|error| sqlite_error(&error, &self.path))
    }

    /// Ends the read transaction. Returns whether the connection can be used again.
    pub(crate) fn end_transaction(&mut self) -> bool {
        // Remove the deadline, so that it doesn't interrupt the rollback. The next read sets its
        // own deadline.
        let free = self.connection.progress_handler(0, None::<fn() -> bool>);
        free.is_ok() && self.connection.execute_batch("ROLLBACK").is_ok()
    }

    /// Starts a read transaction. Sets `changed`, which is true if there was a commit since the last transaction.
    pub(crate) fn begin_transaction(&mut self) -> Result<(), Error> {
        let begun = self.connection.execute_batch("BEGIN").and_then(|()| {
            // All queries of a transaction see the state of the database at the time of the first query.
            let schema_version = self.connection.query_row("PRAGMA schema_version", [], |row| row.get(0))?;
            let data_version: i64 = self.connection.query_row("PRAGMA data_version", [], |row| row.get(0))?;
            Ok((schema_version, data_version))
        });
        let (schema_version, data_version) = begun.map_err(|error| sqlite_error(&error, &self.path))?;
        // Another program may have emptied the file since it was opened.
        if schema_version == 0 && fs::metadata(&self.path).is_ok_and(|found| found.len() == 0) {
            return Err(Error::Empty(self.path.clone()));
        }
        self.changed = self.data_version != Some(data_version);
        self.schema_version = schema_version;
        self.data_version = Some(data_version);
        Ok(())
    }
}
