//! Converts errors of `SQLite` and of the operating system to errors with advice for the user.

use std::path::Path;
use std::time::Duration;

use crate::error::Error;
use dayledger_sqlite::Failure;

/// If another program locks the file, a read waits for at most this time. `ManicTime`'s transactions are shorter.
pub(crate) const BUSY_TIMEOUT: Duration = Duration::from_secs(5);
/// The timeout of a read. For each MiB of the file, a read may take one additional second.
pub(crate) const READ_TIMEOUT: Duration = Duration::from_mins(1);

/// Converts the reason why the file at `path` can't be opened or read.
pub(crate) fn convert_failure(failure: Failure, path: &Path) -> Error {
    let path = path.to_owned();
    match failure {
        Failure::NotFound => Error::NotFound { searched: vec![path], named_by: None },
        Failure::Empty => Error::Empty(path),
        Failure::NotSqlite => Error::NotSqlite(path),
        Failure::PermissionDenied => Error::PermissionDenied(path),
        Failure::Busy => Error::Busy { path, waited_seconds: BUSY_TIMEOUT.as_secs() },
        Failure::Interrupted => Error::Endless { path, waited_seconds: READ_TIMEOUT.as_secs() },
        Failure::Overfull => Error::Overfull(path),
        Failure::Other(message) => Error::Sqlite { path, message },
    }
}

/// Converts an error of `SQLite` about the file at `path`.
pub(crate) fn sqlite_error(error: &rusqlite::Error, path: &Path) -> Error {
    convert_failure(error.into(), path)
}
