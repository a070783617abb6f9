//! The error of a history that can't be read.

use serde::{Deserialize, Serialize};

use crate::code::Code;

/// Codes of this module's errors.
pub mod codes {
    use crate::code::codes;

    codes! {
        DATABASE_NOT_FOUND: "No place holds a history. The tool works as soon as there is one.",
        DATABASE_NOT_READABLE: "The file is no SQLite file (encrypted or damaged), empty, or no file at all.",
        DATABASE_TOO_OLD: "Only the file of a ManicTime older than version 4 is there.",
        PERMISSION_DENIED: "The operating system does not let this user read the file.",
        SCHEMA_INCOMPLETE: "The file lacks a table or column that every question needs; the message names it.",
        DATABASE_BUSY: "ManicTime kept the file locked for longer than the server waits.",
        DATABASE_ERROR: "SQLite failed on the file in another way, or reading it did not end.",
    }
}

/// Why a history can't be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[error("{message}")]
pub struct Error {
    /// The kind of failure.
    pub kind: ErrorKind,
    /// What failed, in a sentence without a full stop.
    pub message: String,
    /// One thing that the user can do.
    pub hint: String,
}

/// A kind of failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ErrorKind {
    /// There is no history.
    NotFound,
    /// The file has another format, or it is damaged or encrypted.
    NotReadable,
    /// The file was written by a version of the tracker that isn't supported any more.
    TooOld,
    /// The operating system refuses access.
    PermissionDenied,
    /// The file lacks a table or column that every request needs.
    Incomplete,
    /// Another program kept the file locked for too long.
    Busy,
    /// Reading took longer than the file can need, or returned more than it can contain.
    GaveUp,
    /// Reading failed in another way.
    Failed,
}

impl Error {
    /// Returns the error's code in the contract.
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
