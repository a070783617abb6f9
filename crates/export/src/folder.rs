//! The folder of an export. This module checks that the folder can be used, and prepares the paths of its files.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::error::Error;
use super::manifest::{MANIFEST, Manifest};
use dayledger_core::files::{self, FolderLock, OffLimits, is_temporary, make_folder, make_folder_below};
use dayledger_source::PrivacySummary;

/// A locked folder that an export writes to.
#[derive(Debug)]
pub(super) struct Folder {
    /// The path that the user passed.
    path: PathBuf,
    off_limits: OffLimits,
    pub(super) manifest: Manifest,
    /// While this lock is held, no other export can write to the folder. This is necessary because an export reads the
    /// manifest once and rewrites it after each month.
    _lock: FolderLock,
}

impl Folder {
    /// Opens a folder for an export with the options in `wanted`. Creates the folder if it doesn't
    /// exist.
    ///
    /// # Errors
    /// Fails if the folder contains other files or an export with other options, or if another
    /// export is using the folder. Also fails if the folder is inside a folder that dayledger only
    /// reads.
    pub(super) fn open(path: &Path, wanted: Manifest, off_limits: OffLimits) -> Result<Self, Error> {
        let wrong = |error: files::Error| Error::from_file_error(path, error);
        make_folder(path, &off_limits).map_err(wrong)?;
        // The check comes before the lock, because the lock would leave a file in the user's folder.
        if has_other_files(path).map_err(|error| wrong(error.into()))? && Manifest::read(path)?.is_none() {
            return Err(Error::NotOurs(path.to_owned()));
        }
        let lock =
            FolderLock::acquire(path).map_err(|error| Error::from_file_error(&path.join(FolderLock::NAME), error))?;
        let lock = lock.ok_or_else(|| Error::InUse(path.to_owned()))?;
        // The manifest is read again now, because another export may have written it before this export got the lock.
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
        // The manifest is written before the other files. If this export is interrupted, the next export recognises the
        // folder by the manifest.
        folder.write_manifest()?;
        Ok(folder)
    }

    /// Returns the path of a file of the export, for messages.
    pub(super) fn display_path(&self, file: &str) -> PathBuf {
        self.path.join(file)
    }

    /// Creates the folder of a file of the export without following links, and removes temporary
    /// files from this folder. Returns the path of the file.
    pub(super) fn prepare_path(&self, file: &str) -> Result<PathBuf, Error> {
        let folder = file.rsplit_once('/').map_or("", |(folder, _)| folder);
        let made = make_folder_below(&self.path, Path::new(folder), &self.off_limits);
        remove_temporary_files(&made.map_err(|error| Error::from_file_error(&self.display_path(folder), error))?);
        Ok(self.display_path(file))
    }

    /// Removes a file of the export, if it exists.
    pub(super) fn remove(&self, file: &str) -> Result<(), Error> {
        match fs::remove_file(self.prepare_path(file)?) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(Error::from_file_error(&self.display_path(file), error.into()))
            }
            _ => Ok(()),
        }
    }

    pub(super) fn write_manifest(&self) -> Result<(), Error> {
        let written = self.manifest.write(&self.prepare_path(MANIFEST)?);
        written.map_err(|error| Error::from_file_error(&self.display_path(MANIFEST), error))
    }
}

/// Returns whether a folder contains anything except a lock and temporary files. An interrupted
/// export can leave a lock and temporary files.
fn has_other_files(folder: &Path) -> io::Result<bool> {
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name();
        if !is_temporary(&name) && name != FolderLock::NAME {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Removes the temporary files of exports that were killed, because these files contain private
/// data. The lock ensures that no running export is writing a temporary file.
fn remove_temporary_files(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if is_temporary(&entry.file_name()) {
            // If the file can't be removed, the next export tries again.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Returns the privacy settings of an export in words.
fn describe_privacy(privacy: &PrivacySummary) -> String {
    let redacted: Vec<_> = privacy.redacted.iter().map(|kind| kind.name()).collect();
    let redacted = if redacted.is_empty() { "no texts".to_owned() } else { redacted.join(", ") };
    format!(" (redacts {redacted}; hides {} patterns)", privacy.application_rules + privacy.site_rules)
}

/// Returns the format and options of an export in words.
fn describe_format(manifest: &Manifest) -> String {
    let titles = if manifest.includes_titles { "with" } else { "without" };
    let settings = manifest.privacy.as_ref().map(describe_privacy).unwrap_or_default();
    let whose = manifest.person.as_ref().map(|person| format!(" of {person}")).unwrap_or_default();
    let separated = manifest.separator.map(|separator| format!(" separated by `{separator}`")).unwrap_or_default();
    format!("as {}{separated} {titles} titles{settings}{whose}", manifest.format.name())
}
