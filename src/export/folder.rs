//! The folder of an export: what it may be, and where each file lies in it.

use std::io;
use std::path::{Path, PathBuf};

use cap_std::fs::Dir;

use super::error::Error;
use super::manifest::{MANIFEST, Manifest};
use super::month::Month;
use crate::files::{self, FolderLock, OffLimits, Place, is_draft, make_folder_at, make_own_folder};

/// A folder that an export is written into.
#[derive(Debug)]
pub(super) struct Folder {
    /// As it was named.
    path: PathBuf,
    open: Dir,
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
        let wrong = |error: files::Error| Error::of(path, error);
        let open = make_folder_at(path, &off_limits).map_err(wrong)?;
        // Nothing is left in a folder that is not ours, a lock neither.
        if holds_something(&open).map_err(|error| wrong(error.into()))? && Manifest::read(path, &open)?.is_none() {
            return Err(Error::NotOurs { path: path.to_owned() });
        }
        let lock = FolderLock::hold(&open).map_err(|error| Error::of(&path.join(FolderLock::NAME), error))?;
        let lock = lock.ok_or_else(|| Error::InUse { path: path.to_owned() })?;
        let manifest = match Manifest::read(path, &open)? {
            Some(there) if !there.can_hold_files_of(&wanted) => {
                return Err(Error::Mixed { path: path.to_owned(), there: way(&there), wanted: way(&wanted) });
            }
            Some(there) => there,
            None => wanted,
        };
        let folder = Self { path: path.to_owned(), open, off_limits, manifest, _lock: lock };
        // Whatever stops the export from here on, the folder is known to be one.
        folder.keep()?;
        Ok(folder)
    }

    /// The path of a file of the export, for people.
    pub(super) fn path(&self, file: &str) -> PathBuf {
        self.path.join(file)
    }

    /// The place of a file of the export, whose folder is made where there is none. No link leads to it.
    pub(super) fn place(&self, file: &str) -> Result<Place, Error> {
        let (folder, name) = file.rsplit_once('/').unwrap_or(("", file));
        let made = make_own_folder(&self.open, Path::new(folder), &self.off_limits);
        Ok(Place::new(made.map_err(|error| Error::of(&self.path(folder), error))?, name))
    }

    /// Removes a file of the export, where it is there.
    pub(super) fn remove(&self, file: &str) -> Result<(), Error> {
        match self.place(file)?.remove() {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(Error::of(&self.path(file), error.into())),
            _ => Ok(()),
        }
    }

    /// The file of a month, below the folder, with `/`.
    pub(super) fn file(&self, table: &str, month: Month, name: &str) -> String {
        self.manifest.file(table, month, name)
    }

    /// Writes the manifest.
    pub(super) fn keep(&self) -> Result<(), Error> {
        let written = self.manifest.write(&self.place(MANIFEST)?);
        written.map_err(|error| Error::of(&self.path(MANIFEST), error))
    }
}

/// Whether a folder holds a file or folder; what is being written and who writes it does not count.
fn holds_something(folder: &Dir) -> io::Result<bool> {
    for entry in folder.entries()? {
        let name = entry?.file_name();
        if !is_draft(&name) && name != FolderLock::NAME {
            return Ok(true);
        }
    }
    Ok(false)
}

/// How an export was written, in words.
fn way(manifest: &Manifest) -> String {
    let titles = if manifest.includes_titles { "with" } else { "without" };
    let whose = manifest.person.as_ref().map(|person| format!(" of {person}")).unwrap_or_default();
    let separated = manifest.separator.map(|separator| format!(" separated by `{separator}`")).unwrap_or_default();
    format!("as {}{separated} {titles} titles{whose}", manifest.format.name())
}
