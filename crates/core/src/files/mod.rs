//! Reads and writes files safely:
//!
//! - atomic writes ([`AtomicFile`], [`write()`])
//! - a check whether a file can be written or replaced ([`check`])
//! - a lock for a folder in which only one run may write ([`FolderLock`])
//! - folders in which dayledger never writes ([`OffLimits`])
//! - reads of regular files up to a maximum size ([`read_text`])
//! - a check whether a file changed ([`FileStamp`])
//!
//! Invariants: at any moment, a file name refers to the complete old file, the complete new file,
//! or no file. A new file only replaces a regular, writable file. The bytes of the old file aren't
//! overwritten, so other links to the old file and programs that have it open keep the old content.
//! Only the owner can read a new file.

use std::io;

mod atomic;
mod lock;
mod off_limits;
mod read;
mod stamp;
#[cfg(test)]
mod tests;
mod uri;

pub use atomic::{AtomicFile, IfPresent, check, is_temporary, write};
pub use lock::FolderLock;
pub use off_limits::{OffLimits, make_folder, make_folder_below, resolve};
pub use read::{open, read_text, read_text_up_to, read_up_to, special_file_kind};
pub use stamp::FileStamp;
pub use uri::file_uri;

/// The reason why a file can't be read or written. Its text continues a sentence that begins with
/// the path, such as `/tmp/x` and `already exists`.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The file exists, and the caller chose to keep an existing file.
    #[error("already exists")]
    Exists,
    /// The path isn't a regular file. The text is its kind, such as `a folder` or `a pipe`.
    #[error("is {0}, not a file")]
    NotAFile(&'static str),
    /// The file or the file system doesn't allow changes.
    #[error("is read-only")]
    ReadOnly,
    /// The file is in a folder in which dayledger never writes.
    #[error("is inside a folder that dayledger only reads")]
    OffLimits,
    /// An error of the operating system.
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
