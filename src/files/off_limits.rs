//! Folders that are never written, whatever way leads into them.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use cap_fs_ext::MetadataExt;
use cap_std::ambient_authority;
use cap_std::fs::Dir;

use super::error::Error;

/// Folders in which nothing is written, at any depth.
///
/// They are known twice. By name, before anything is opened or made: that says early what is wrong. And by what an
/// open folder and those above it *are*: a name can have changed its meaning since it was looked at, and a folder can
/// be mounted in two places.
#[derive(Debug, Clone, Default)]
pub struct OffLimits {
    folders: Vec<PathBuf>,
}

/// What tells a folder from every other, under any name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Identity {
    device: u64,
    number: u64,
}

impl Identity {
    fn of(folder: &Dir) -> io::Result<Self> {
        let found = folder.dir_metadata()?;
        Ok(Self { device: found.dev(), number: found.ino() })
    }
}

impl OffLimits {
    /// These folders, whether or not they are there.
    pub fn new(folders: Vec<PathBuf>) -> Self {
        Self { folders }
    }

    /// Whether a path leads into one of them now; as far as it is there, links are followed.
    pub fn cover(&self, path: &Path) -> bool {
        let path = real(path);
        self.folders.iter().any(|folder| path.starts_with(real(folder)))
    }

    /// Lets an open folder pass that is none of them and in none of them.
    ///
    /// # Errors
    /// [`Error::OffLimits`], and what the system refuses to tell of the folders above it.
    pub fn admit(&self, folder: &Dir) -> Result<(), Error> {
        let there = |path: &PathBuf| Dir::open_ambient_dir(path, ambient_authority()).ok();
        let kept: Vec<_> = self.folders.iter().filter_map(there).map(|folder| Identity::of(&folder)).collect();
        let kept: Vec<_> = kept.into_iter().collect::<io::Result<_>>()?;
        let mut folder = folder.try_clone()?;
        let mut identity = Identity::of(&folder)?;
        while !kept.contains(&identity) {
            folder = folder.open_parent_dir(ambient_authority())?;
            let above = Identity::of(&folder)?;
            if above == identity {
                return Ok(());
            }
            identity = above;
        }
        Err(Error::OffLimits)
    }
}

/// The path without links, as far as it exists.
fn real(path: &Path) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    for ancestor in absolute.ancestors() {
        if let Ok(found) = fs::canonicalize(ancestor) {
            return absolute.strip_prefix(ancestor).map_or_else(|_| found.clone(), |rest| found.join(rest));
        }
    }
    absolute
}
