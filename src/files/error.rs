//! What stands in the way of a file.

use std::io;

use super::kind::Kind;

/// Why a file cannot be written, or read, under its name. Reads as the end of a sentence that begins with the path.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// It exists, and is to be kept.
    #[error("exists already")]
    Exists,
    /// Something else has the name.
    #[error("is {0}, not a file")]
    NotAFile(Kind),
    /// Its owner, or the system, does not let it be changed.
    #[error("is read-only")]
    ReadOnly,
    /// It would lie in a folder that is never written.
    #[error("is inside ManicTime's folder, which is only read")]
    OffLimits,
    /// The system refuses.
    #[error("cannot be used: {0}")]
    Refused(#[from] io::Error),
}

impl From<Error> for io::Error {
    fn from(error: Error) -> Self {
        match error {
            Error::Refused(error) => error,
            other => Self::other(format!("it {other}")),
        }
    }
}
