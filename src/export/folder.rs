//! The folder of an export: what it may be, and where each file lies in it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::encode::FileFormat;
use super::error::Error;
use super::file::{is_unfinished, remove_unfinished};
use super::manifest::Manifest;
use super::month::Month;

/// A folder that an export is written into.
#[derive(Debug)]
pub(super) struct Folder {
    pub(super) path: PathBuf,
    pub(super) manifest: Manifest,
}

impl Folder {
    /// Opens a folder for files written in this way, and makes it where there is none.
    ///
    /// # Errors
    /// A folder with something else in it, or with an export that was written in another way.
    pub(super) fn open(path: &Path, format: FileFormat, includes_titles: bool) -> Result<Self, Error> {
        let refused = |source| Error::Refused { path: path.to_owned(), source };
        fs::create_dir_all(path).map_err(refused)?;
        let wanted = Manifest::new(format, includes_titles);
        let manifest = match Manifest::read(path)? {
            Some(there) if (there.format, there.includes_titles) != (format, includes_titles) => {
                return Err(Error::Mixed { path: path.to_owned(), there: way(&there), wanted: way(&wanted) });
            }
            Some(there) => there,
            None if holds_something(path).map_err(refused)? => return Err(Error::NotOurs { path: path.to_owned() }),
            None => wanted,
        };
        remove_unfinished(path);
        let folder = Self { path: path.to_owned(), manifest };
        // Whatever stops the export from here on, the folder is known to be one.
        folder.keep()?;
        Ok(folder)
    }

    /// The whole path of a file of the export, whose folder is made where there is none.
    pub(super) fn place(&self, file: &str) -> Result<PathBuf, Error> {
        let path = self.path.join(file);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(|source| Error::Refused { path: folder.to_owned(), source })?;
            remove_unfinished(folder);
        }
        Ok(path)
    }

    /// The file of a month, below the folder, with `/`.
    pub(super) fn file(&self, table: &str, month: Month, name: &str) -> String {
        format!("{table}/month={month}/{name}.{}", self.manifest.format.extension())
    }

    /// Writes the manifest.
    pub(super) fn keep(&self) -> Result<(), Error> {
        self.manifest.write(&self.path)
    }
}

/// Whether a folder holds a file or folder; what is being written does not count.
fn holds_something(path: &Path) -> io::Result<bool> {
    for entry in fs::read_dir(path)? {
        if !is_unfinished(&entry?.file_name()) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// How an export was written, in words.
fn way(manifest: &Manifest) -> String {
    let titles = if manifest.includes_titles { "with" } else { "without" };
    format!("as {} {titles} titles", manifest.format.extension())
}
