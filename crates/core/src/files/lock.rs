//! A lock for a folder. It allows only one dayledger process at a time to write to the folder.

use std::fs::{File, TryLockError};
use std::path::Path;

use super::Error;
use super::atomic::private_options;
use super::read::file_metadata;

/// A lock that prevents other dayledger processes from writing to the same folder. The operating system releases the
/// lock when the process ends.
#[derive(Debug)]
pub struct FolderLock {
    _file: File,
}

impl FolderLock {
    /// The name of the lock file. The lock file is never removed. Otherwise, one process could hold the lock of the
    /// removed file while another process locks a new file with the same name.
    pub const NAME: &str = ".dayledger.lock";

    /// Locks `folder`. Returns `None` if another process holds the lock. On a file system without locks, every process
    /// gets the lock.
    ///
    /// # Errors
    /// Fails with [`Error::NotAFile`] if the lock file exists but isn't a regular file, and with
    /// errors of the operating system.
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
