//! Creates folders, and protects the folders in which dayledger never writes.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Component, Path, PathBuf};

use same_file::is_same_file;

use super::Error;

/// Folders in which dayledger never writes, including their subfolders. They are the folders of
/// the time tracker.
#[derive(Debug, Clone, Default)]
pub struct OffLimits {
    folders: Vec<PathBuf>,
}

impl OffLimits {
    /// Creates a list of protected folders. The folders don't have to exist.
    pub fn new(folders: Vec<PathBuf>) -> Self {
        Self { folders }
    }

    /// Checks that a path isn't in one of the folders. Follows links in the part of the path that
    /// exists.
    ///
    /// # Errors
    /// Fails with [`Error::OffLimits`] if the path is in one of the folders.
    pub fn check(&self, path: &Path) -> Result<(), Error> {
        let path = resolve(path);
        let is_inside = |folder: &PathBuf| {
            path.starts_with(resolve(folder)) || path.ancestors().any(|ancestor| is_same_folder(ancestor, folder))
        };
        if self.folders.iter().any(is_inside) { Err(Error::OffLimits) } else { Ok(()) }
    }
}

/// Whether two paths lead to the same folder. Even without a link, a folder can have two paths, for
/// example if it is mounted twice.
fn is_same_folder(one: &Path, other: &Path) -> bool {
    // `is_same_file` opens both paths, so this code first checks that both are folders. Opening a pipe would block.
    // Opening and closing the history's database would release the locks that SQLite holds on the database.
    one.is_dir() && other.is_dir() && is_same_file(one, other).unwrap_or(false)
}

/// Returns the absolute path, with links resolved in the part of the path that exists.
pub fn resolve(path: &Path) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    for ancestor in absolute.ancestors() {
        if let Ok(found) = fs::canonicalize(ancestor) {
            let rest = absolute.strip_prefix(ancestor).ok().filter(|rest| !rest.as_os_str().is_empty());
            return rest.map_or_else(|| found.clone(), |rest| found.join(rest));
        }
    }
    absolute
}

/// Creates the folder at `path` with its missing parents, unless `path` is off limits. Returns the
/// path of the folder with links resolved.
///
/// # Errors
/// Fails with [`Error::OffLimits`] and with errors of the operating system. If it fails, parent
/// folders that were already created remain.
pub fn make_folder(path: &Path, off_limits: &OffLimits) -> Result<PathBuf, Error> {
    let folder = resolve(path);
    off_limits.check(&folder)?;
    // `resolve` removes `..` from the existing part of the path. A remaining `..` comes after a missing folder, and
    // could lead to a folder that is off limits.
    if folder.components().any(|part| part == Component::ParentDir) {
        return Err(io::Error::new(ErrorKind::InvalidInput, "it leads back out of a folder that is not there").into());
    }
    fs::create_dir_all(&folder)?;
    Ok(folder)
}

/// Creates the folder `below` inside the folder `root` with the missing parents, and returns the
/// path of the new folder.
///
/// # Errors
/// Fails with [`Error::OffLimits`] if the new folder is off limits, and if a folder below `root` is
/// a link. Also fails with errors of the operating system. If it fails, parent folders that were
/// already created remain.
pub fn make_folder_below(root: &Path, below: &Path, off_limits: &OffLimits) -> Result<PathBuf, Error> {
    off_limits.check(&root.join(below))?;
    let mut folder = root.to_owned();
    for part in below {
        folder.push(part);
        match fs::create_dir(&folder) {
            Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(error.into()),
            _ => {}
        }
        if folder.is_symlink() {
            return Err(io::Error::new(ErrorKind::NotADirectory, "a link leads there, which is not followed").into());
        }
    }
    Ok(folder)
}
