//! A lock that lets one run at a time write a folder.

use std::fs::{File, TryLockError};
use std::path::Path;

use super::Error;
use super::atomic::private_options;
use super::read::file_metadata;

/// Keeps other runs from writing the same folder. The system releases it when the process ends.
#[derive(Debug)]
pub struct FolderLock {
    _file: File,
}

impl FolderLock {
    /// The name of the lock file. The file is never removed. Otherwise one run could lock the
    /// removed file while another run locks a new file of the same name.
    pub const NAME: &str = ".dayledger.lock";

    /// Locks `folder`. Returns `None` if another run holds the lock. On a file system without
    /// locks, every run gets the lock.
    ///
    /// # Errors
    /// [`Error::NotAFile`] if the path of the lock file isn't a regular file, and errors of the
    /// system.
    pub fn acquire(folder: &Path) -> Result<Option<Self>, Error> {
        let path = folder.join(Self::NAME);
        file_metadata(&path)?;
        let file = private_options().create(true).truncate(false).open(path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(None),
            Err(TryLockError::Error(error)) => tracing::debug!(%error, "a folder cannot be locked"),
        }
        Ok(Some(Self { _file: file }))
    }
}
