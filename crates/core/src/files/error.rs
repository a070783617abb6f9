//! Why a file can't be read or written.

use std::io;

/// Why a file can't be written, or read, under its name. Its text continues a sentence that begins with the path.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// It exists, and is kept.
    #[error("already exists")]
    Exists,
    /// It is something else, such as `a folder` or `a pipe`.
    #[error("is {0}, not a file")]
    NotAFile(&'static str),
    /// Its owner, or the system, doesn't allow changes.
    #[error("is read-only")]
    ReadOnly,
    /// It is in a folder that is never written.
    #[error("is inside ManicTime's folder, which dayledger only reads")]
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
