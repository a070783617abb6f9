//! Converts errors of `SQLite` and the system to errors with advice for the user.

use std::path::Path;
use std::time::Duration;

use rusqlite::ErrorCode;

use super::capacity::is_capacity_error;
use crate::error::Error;

/// How long a read waits while another program locks the file. `ManicTime`'s transactions are
/// short.
pub(crate) const BUSY_TIMEOUT: Duration = Duration::from_secs(5);
/// The timeout of a read. In addition, every read gets one second for each MiB of the file.
pub(crate) const READ_TIMEOUT: Duration = Duration::from_mins(1);

pub(super) fn io_error(error: &std::io::Error, path: &Path) -> Error {
    let path = path.to_owned();
    match error.kind() {
        std::io::ErrorKind::PermissionDenied => Error::PermissionDenied(path),
        std::io::ErrorKind::NotFound => Error::NotFound { searched: vec![path], named_by: None },
        _ => Error::Sqlite { path, message: error.to_string() },
    }
}

/// Converts an error of `SQLite`.
pub(crate) fn sqlite_error(error: &rusqlite::Error, path: &Path) -> Error {
    let path = path.to_owned();
    match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            Error::Busy { path, waited_seconds: BUSY_TIMEOUT.as_secs() }
        }
        Some(ErrorCode::OperationInterrupted) => Error::Endless { path, waited_seconds: READ_TIMEOUT.as_secs() },
        Some(ErrorCode::TooBig) => Error::Sqlite { path, message: "a text exceeds the maximum length".to_owned() },
        Some(ErrorCode::NotADatabase) => Error::NotSqlite(path),
        Some(ErrorCode::PermissionDenied) => Error::PermissionDenied(path),
        _ if is_capacity_error(error) => Error::Overfull(path),
        _ => Error::Sqlite { path, message: error.to_string() },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dayledger_source::ErrorKind;

    #[test]
    fn denied_access_is_distinguished_from_a_missing_file() {
        let path = Path::new("/history/ManicTimeReports.db");
        let code = |kind: std::io::ErrorKind| io_error(&kind.into(), path).kind();
        assert_eq!(code(std::io::ErrorKind::PermissionDenied), ErrorKind::PermissionDenied);
        assert_eq!(code(std::io::ErrorKind::NotFound), ErrorKind::NotFound);
        assert_eq!(code(std::io::ErrorKind::TimedOut), ErrorKind::Failed);
        let refused = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_PERM);
        let refused = rusqlite::Error::SqliteFailure(refused, None);
        assert_eq!(sqlite_error(&refused, path).kind(), ErrorKind::PermissionDenied);
    }
}
