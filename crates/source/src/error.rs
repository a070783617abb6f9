//! Errors of reading a history.

use serde::{Deserialize, Serialize};

use dayledger_core::code::Code;

/// The codes of this module's errors.
pub mod codes {
    use dayledger_core::code::codes;

    codes! {
        DATABASE_NOT_FOUND: "No history was found. The tool works as soon as there is one.",
        DATABASE_NOT_READABLE: "The path isn't a SQLite database: it is encrypted, damaged, empty, or not a file.",
        DATABASE_TOO_OLD: "Only a database of an old version of the tracker was found, which can't be read.",
        PERMISSION_DENIED: "The operating system doesn't allow this user to read the file.",
        SCHEMA_INCOMPLETE: "The database lacks a table or column that every request needs. The message contains its \
                            name.",
        DATABASE_BUSY: "The tracker locked the database for longer than the server waits.",
        DATABASE_ERROR: "Reading the history failed in another way, or didn't finish.",
    }
}

/// The reason why a history can't be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[error("{message}")]
pub struct Error {
    /// The kind of the error.
    pub kind: ErrorKind,
    /// What failed, in a sentence without a full stop.
    pub message: String,
    /// One action that the user can take.
    pub hint: String,
}

/// A kind of error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ErrorKind {
    /// No history was found.
    NotFound,
    /// The file has another format, or it is damaged or encrypted.
    NotReadable,
    /// The file was written by an old version of the tracker that isn't supported.
    TooOld,
    /// The operating system doesn't allow access.
    PermissionDenied,
    /// The file lacks a table or column that every request needs.
    Incomplete,
    /// Another program kept the file locked for too long.
    Busy,
    /// The read was stopped. It took too long, or it returned more data than the file can contain.
    GaveUp,
    /// Reading failed in another way.
    Failed,
}

impl Error {
    /// Returns the error code, as listed in the MCP API reference.
    pub fn code(&self) -> Code {
        match self.kind {
            ErrorKind::NotFound => codes::DATABASE_NOT_FOUND,
            ErrorKind::NotReadable => codes::DATABASE_NOT_READABLE,
            ErrorKind::TooOld => codes::DATABASE_TOO_OLD,
            ErrorKind::PermissionDenied => codes::PERMISSION_DENIED,
            ErrorKind::Incomplete => codes::SCHEMA_INCOMPLETE,
            ErrorKind::Busy => codes::DATABASE_BUSY,
            ErrorKind::GaveUp | ErrorKind::Failed => codes::DATABASE_ERROR,
        }
    }
}
