//! A folder that one run at a time writes.

use std::fs::{File, TryLockError};

use cap_fs_ext::{FollowSymlinks, OpenOptionsFollowExt, OpenOptionsSyncExt};
use cap_std::fs::{Dir, OpenOptions};

use super::error::Error;
use super::kind::Kind;
use super::place::Place;

/// Keeps others from holding the same folder. The system lets go of it when the process ends, however it ends.
#[derive(Debug)]
pub struct FolderLock {
    _file: File,
}

impl FolderLock {
    /// The file that is locked. It stays: where it went with its run, two others could hold two files of that name.
    pub const NAME: &str = ".dayledger.lock";

    /// Holds `folder`; `None` where somebody else does. On a file system without locks everybody does.
    ///
    /// # Errors
    /// [`Error::NotAFile`] for something else under the name of the lock, and what the system refuses.
    pub fn hold(folder: &Dir) -> Result<Option<Self>, Error> {
        // A link is not written through, and a pipe not waited for.
        Place::new(folder.try_clone()?, Self::NAME).found()?;
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).follow(FollowSymlinks::No).nonblock(true);
        #[cfg(unix)]
        cap_std::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let file = folder.open_with(Self::NAME, &options)?;
        if let Some(kind) = Kind::other_than_file(&file.metadata()?) {
            return Err(Error::NotAFile(kind));
        }
        let file = file.into_std();
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(None),
            Err(TryLockError::Error(error)) => tracing::debug!(%error, "a folder cannot be locked"),
        }
        Ok(Some(Self { _file: file }))
    }
}
