//! Errors of reading and writing files.

use std::io;

/// Why a file can't be read or written. The text continues a sentence that begins with the path.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The file exists and is to be kept.
    #[error("already exists")]
    Exists,
    /// The path isn't a regular file, and instead `a folder` or `a pipe`, for example.
    #[error("is {0}, not a file")]
    NotAFile(&'static str),
    /// The file or the file system doesn't allow changes.
    #[error("is read-only")]
    ReadOnly,
    /// The file is in a folder that dayledger never writes.
    #[error("is inside the tracker's folder, which dayledger only reads")]
    OffLimits,
    /// An error of the system.
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
