//! The lock of a folder that one run at a time writes.

use std::fs::{File, TryLockError};
use std::path::Path;

use super::atomic::private_options;
use super::error::Error;
use super::read::file_metadata;

/// Keeps other runs from writing the same folder. The system releases it when the process ends.
#[derive(Debug)]
pub struct FolderLock {
    _file: File,
}

impl FolderLock {
    /// The name of the locked file. The file stays: if each run removed it, two others could hold two files of that name.
    pub const NAME: &str = ".dayledger.lock";

    /// Locks `folder`; `None` if another run holds the lock. On a file system without locks, every run gets it.
    ///
    /// # Errors
    /// [`Error::NotAFile`] if the lock's name stands for something else, and errors of the system.
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
