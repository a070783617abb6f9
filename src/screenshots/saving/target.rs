//! A file that may be written, and the write.

use std::fmt;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use cap_std::fs::Dir;

use super::error::SaveError;
use super::request::Place;
use crate::files::{self, IfPresent, OffLimits, make_folder};
use crate::screenshots::pictures::{Format, Picture};

/// What was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Saved {
    /// The file: the allowed directory as it was named, and what follows in it.
    pub path: PathBuf,
    /// Its length in bytes.
    pub size: u64,
}

/// A file that may be written.
pub struct Target {
    root: Dir,
    /// The allowed directory as it was named.
    named_root: PathBuf,
    place: Place,
    /// Directories of `ManicTime`.
    forbidden: OffLimits,
}

impl fmt::Debug for Target {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Target").field(&self.path()).finish()
    }
}

impl Target {
    pub(super) fn new(root: Dir, named_root: &Path, place: Place, forbidden: OffLimits) -> Self {
        Self { root, named_root: named_root.to_owned(), place, forbidden }
    }

    /// Returns the format that a picture must have to be written here.
    pub fn format(&self) -> Format {
        self.place.format
    }

    /// Returns where the file will be.
    pub fn path(&self) -> PathBuf {
        self.named_root.join(&self.place.folders).join(&self.place.name)
    }

    /// Looks whether the way to the file, as far as it exists, stays inside and out of what is forbidden.
    pub(super) fn check(&self) -> Result<(), SaveError> {
        let ways = self.place.folders.ancestors().filter(|way| !way.as_os_str().is_empty());
        for way in ways {
            match self.root.metadata(way) {
                Ok(found) if found.is_dir() => break,
                Ok(_) => return Err(SaveError::InTheWay { path: self.named_root.join(way) }),
                // The folder will be made; a link to nowhere is found when that fails.
                Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {}
                Err(error) => return Err(self.failed(error)),
            }
        }
        if self.forbidden.cover(&self.named_root.join(&self.place.folders)) {
            return Err(self.failed(files::Error::OffLimits));
        }
        Ok(())
    }

    /// Writes the picture, with the folders above it. At every moment the name stands for the old file, for the whole
    /// new one, or for nothing.
    ///
    /// # Errors
    /// `Exists` for a file that is to be kept, also where it appears in the meantime; `InTheWay`, `Outside`,
    /// `Forbidden` where the way there changed, `OtherFormat`, `Unwritable`. Nothing is left behind but folders.
    pub fn write(&self, picture: &Picture, if_present: IfPresent) -> Result<Saved, SaveError> {
        if picture.format != self.format() {
            return Err(SaveError::OtherFormat { extension: self.format().extension() });
        }
        self.check()?;
        self.write_into(self.folder()?, picture, if_present)
    }

    /// The folder that the file will be in, made where it is missing. What is forbidden is told by the open folder: the
    /// way there could lead elsewhere by now.
    pub(super) fn folder(&self) -> Result<Dir, SaveError> {
        make_folder(&self.root, &self.place.folders, &self.forbidden).map_err(|error| self.failed(error))
    }

    fn write_into(&self, folder: Dir, picture: &Picture, if_present: IfPresent) -> Result<Saved, SaveError> {
        let place = files::Place::new(folder, &self.place.name);
        let written = place.draft(if_present).and_then(|mut draft| {
            draft.write_all(&picture.bytes)?;
            draft.publish()
        });
        written.map_err(|error| self.failed(error))?;
        Ok(Saved { path: self.path(), size: picture.bytes.len() as u64 })
    }

    fn failed(&self, error: impl Into<files::Error>) -> SaveError {
        match error.into() {
            files::Error::Exists => SaveError::Exists { path: self.path() },
            files::Error::NotAFile(_) => SaveError::InTheWay { path: self.path() },
            files::Error::OffLimits => SaveError::Forbidden { path: self.place.text.clone() },
            files::Error::ReadOnly => {
                let source = io::Error::new(ErrorKind::ReadOnlyFilesystem, "it is read-only");
                SaveError::Unwritable { path: self.path(), source }
            }
            files::Error::Refused(source) if escapes(&source) => SaveError::Outside { path: self.place.text.clone() },
            files::Error::Refused(source) => SaveError::Unwritable { path: self.path(), source },
        }
    }
}

/// Whether a path left the directory that it was followed in: the handle says so itself, without the system's number.
fn escapes(error: &io::Error) -> bool {
    error.kind() == ErrorKind::PermissionDenied && error.raw_os_error().is_none()
}
