//! The folder of an export: what it may be, and where each file lies in it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::error::Error;
use super::manifest::{MANIFEST, Manifest};
use crate::files::{self, FolderLock, OffLimits, is_temporary, make_folder, make_folder_below};

/// A folder that an export is written into.
#[derive(Debug)]
pub(super) struct Folder {
    /// As it was named.
    path: PathBuf,
    off_limits: OffLimits,
    pub(super) manifest: Manifest,
    /// A month is added to the manifest as it was read, so nobody else may write it meanwhile.
    _lock: FolderLock,
}

impl Folder {
    /// Opens a folder for files written in this way, and makes it where there is none.
    ///
    /// # Errors
    /// A folder with something else in it, or with an export that was written in another way, one that another export
    /// writes, and one that is off limits.
    pub(super) fn open(path: &Path, wanted: Manifest, off_limits: OffLimits) -> Result<Self, Error> {
        let wrong = |error: files::Error| Error::from_file_error(path, error);
        make_folder(path, &off_limits).map_err(wrong)?;
        // Nothing is left in a folder that is not ours, a lock neither.
        if has_other_files(path).map_err(|error| wrong(error.into()))? && Manifest::read(path)?.is_none() {
            return Err(Error::NotOurs(path.to_owned()));
        }
        let lock =
            FolderLock::acquire(path).map_err(|error| Error::from_file_error(&path.join(FolderLock::NAME), error))?;
        let lock = lock.ok_or_else(|| Error::InUse(path.to_owned()))?;
        let manifest = match Manifest::read(path)? {
            Some(there) if !there.is_compatible_with(&wanted) => {
                return Err(Error::Mixed {
                    path: path.to_owned(),
                    there: describe_format(&there),
                    wanted: describe_format(&wanted),
                });
            }
            Some(there) => there,
            None => wanted,
        };
        let folder = Self { path: path.to_owned(), off_limits, manifest, _lock: lock };
        // Whatever stops the export from here on, the folder is known to be one.
        folder.write_manifest()?;
        Ok(folder)
    }

    /// The path of a file of the export, for people.
    pub(super) fn display_path(&self, file: &str) -> PathBuf {
        self.path.join(file)
    }

    /// Makes the folder of a file of the export, which no link leads to, and returns the path of the file.
    pub(super) fn prepare_path(&self, file: &str) -> Result<PathBuf, Error> {
        let folder = file.rsplit_once('/').map_or("", |(folder, _)| folder);
        let made = make_folder_below(&self.path, Path::new(folder), &self.off_limits);
        remove_temporary_files(&made.map_err(|error| Error::from_file_error(&self.display_path(folder), error))?);
        Ok(self.display_path(file))
    }

    /// Removes a file of the export, where it is there.
    pub(super) fn remove(&self, file: &str) -> Result<(), Error> {
        match fs::remove_file(self.prepare_path(file)?) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(Error::from_file_error(&self.display_path(file), error.into()))
            }
            _ => Ok(()),
        }
    }

    /// Writes the manifest.
    pub(super) fn write_manifest(&self) -> Result<(), Error> {
        let written = self.manifest.write(&self.prepare_path(MANIFEST)?);
        written.map_err(|error| Error::from_file_error(&self.display_path(MANIFEST), error))
    }
}

/// Whether a folder holds a file or folder other than those of an export that began and was killed.
fn has_other_files(folder: &Path) -> io::Result<bool> {
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name();
        if !is_temporary(&name) && name != FolderLock::NAME {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Removes the temporary files of exports that were killed, which hold parts of private tables. The lock ensures that no
/// export is writing one.
fn remove_temporary_files(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if is_temporary(&entry.file_name()) {
            // If it can't be removed, the next export tries again.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// How an export was written, in words.
fn describe_format(manifest: &Manifest) -> String {
    let titles = if manifest.includes_titles { "with" } else { "without" };
    let whose = manifest.person.as_ref().map(|person| format!(" of {person}")).unwrap_or_default();
    let separated = manifest.separator.map(|separator| format!(" separated by `{separator}`")).unwrap_or_default();
    format!("as {}{separated} {titles} titles{whose}", manifest.format.name())
}
