//! Converts errors of `SQLite` and the system to errors with advice for the user.

use std::path::Path;
use std::time::Duration;

use crate::error::Error;
use dayledger_sqlite::Failure;

/// How long a read waits while another program locks the file. `ManicTime`'s transactions are
/// short.
pub(crate) const BUSY_TIMEOUT: Duration = Duration::from_secs(5);
/// The timeout of a read. In addition, every read gets one second for each MiB of the file.
pub(crate) const READ_TIMEOUT: Duration = Duration::from_mins(1);

/// Converts the reason why a file can't be opened or read.
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

/// Converts an error of `SQLite`.
pub(crate) fn sqlite_error(error: &rusqlite::Error, path: &Path) -> Error {
    convert_failure(error.into(), path)
}
