//! A folder that one run at a time writes.

use std::fs::{File, TryLockError};
use std::path::Path;

use cap_fs_ext::{FollowSymlinks, OpenOptionsFollowExt, OpenOptionsSyncExt};
use cap_std::fs::{Dir, OpenOptions};

use super::{Error, Kind, Place};

/// The file that is locked. It stays: where it went with its run, two others could hold two files of that name.
const NAME: &str = ".dayledger.lock";

/// Keeps others from holding the same folder. The system lets go of it when the process ends, however it ends.
#[derive(Debug)]
pub struct FolderLock {
    _file: File,
}

impl FolderLock {
    /// Holds `folder`; `None` where somebody else does. On a file system without locks everybody does.
    ///
    /// # Errors
    /// [`Error::NotAFile`] for something else under the name of the lock, and what the system refuses.
    pub fn hold(folder: &Dir) -> Result<Option<Self>, Error> {
        // A link is not written through, and a pipe not waited for.
        Place::new(folder.try_clone()?, NAME).found()?;
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).follow(FollowSymlinks::No).nonblock(true);
        #[cfg(unix)]
        cap_std::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let file = folder.open_with(NAME, &options)?;
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

    /// Whether a file of that name is the lock of its folder.
    pub fn is_named(name: &Path) -> bool {
        name == Path::new(NAME)
    }
}
