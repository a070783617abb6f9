//! Converts errors of SQLite and of the operating system to a reason why a file can't be read.

use std::io;

use rusqlite::ErrorCode;

use crate::capacity::is_capacity_error;

/// The reason why a database file can't be opened or read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// The file doesn't exist.
    NotFound,
    /// The file is empty. `SQLite` would accept an empty file as a database without tables.
    Empty,
    /// The file isn't an `SQLite` database, or it is encrypted.
    NotSqlite,
    /// The user isn't allowed to read the file.
    PermissionDenied,
    /// Another program kept the file locked until the wait timed out.
    Busy,
    /// The caller stopped the read, or the read reached its deadline.
    Interrupted,
    /// A statement returned more rows or longer texts than the file can contain.
    Overfull,
    /// Any other error, with its message.
    Other(String),
}

impl From<&rusqlite::Error> for Failure {
    fn from(error: &rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Busy,
            Some(ErrorCode::OperationInterrupted) => Self::Interrupted,
            Some(ErrorCode::TooBig) => Self::Other("a text exceeds the maximum length".to_owned()),
            Some(ErrorCode::NotADatabase) => Self::NotSqlite,
            Some(ErrorCode::PermissionDenied) => Self::PermissionDenied,
            _ if is_capacity_error(error) => Self::Overfull,
            _ => Self::Other(error.to_string()),
        }
    }
}

impl From<&io::Error> for Failure {
    fn from(error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::PermissionDenied => Self::PermissionDenied,
            io::ErrorKind::NotFound => Self::NotFound,
            _ => Self::Other(error.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn denied_access_is_distinguished_from_a_missing_file() {
        let failure = |kind: io::ErrorKind| Failure::from(&io::Error::from(kind));
        assert_eq!(failure(io::ErrorKind::PermissionDenied), Failure::PermissionDenied);
        assert_eq!(failure(io::ErrorKind::NotFound), Failure::NotFound);
        assert!(matches!(failure(io::ErrorKind::TimedOut), Failure::Other(_)));
        let refused = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_PERM);
        assert_eq!(Failure::from(&rusqlite::Error::SqliteFailure(refused, None)), Failure::PermissionDenied);
    }
}
