//! Detects that a file changed, without reading the file.

use std::fs::{self, Metadata};
#[cfg(unix)]
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::SystemTime;

/// The metadata that shows whether a file was written or replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileStamp {
    bytes: u64,
    modified: Option<SystemTime>,
    /// The inode number. If a file is replaced by another file with the same size and modification time, only this
    /// number differs.
    #[cfg(unix)]
    number: u64,
}

impl FileStamp {
    /// Returns the stamp of the file at `path`, or `None` if it doesn't exist or can't be accessed.
    pub fn read(path: &Path) -> Option<Self> {
        fs::metadata(path).ok().as_ref().map(Self::from_metadata)
    }

    /// Returns the stamp of a file with this metadata.
    pub fn from_metadata(metadata: &Metadata) -> Self {
        Self {
            bytes: metadata.len(),
            modified: metadata.modified().ok(),
            #[cfg(unix)]
            number: metadata.ino(),
        }
    }
}
