//! A file that may be written, and the write.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use super::error::SaveError;
use super::request::Request;
use crate::files::{self, IfPresent, OffLimits, make_folder, resolve};
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
#[derive(Debug)]
pub struct Target {
    /// The allowed directory as it was named.
    root: PathBuf,
    /// Relative to the allowed directory.
    request: Request,
    /// Directories of `ManicTime`.
    forbidden: OffLimits,
}

impl Target {
    pub(super) fn new(root: &Path, request: Request, forbidden: OffLimits) -> Self {
        Self { root: root.to_owned(), request, forbidden }
    }

    /// Returns the format that a picture must have to be written here.
    pub fn format(&self) -> Format {
        self.request.format
    }

    /// Returns where the file will be.
    pub fn path(&self) -> PathBuf {
        self.root.join(&self.request.folders).join(&self.request.name)
    }

    /// Returns the folder of the file without links, which need not exist.
    ///
    /// # Errors
    /// `Outside` if a link leads out of the allowed directory, `Forbidden`, and `InTheWay` for a file that should be a folder.
    pub(super) fn folder(&self) -> Result<PathBuf, SaveError> {
        let named = self.root.join(&self.request.folders);
        let folder = resolve(&named);
        if !folder.starts_with(resolve(&self.root)) {
            return Err(SaveError::Outside { path: self.request.text.clone() });
        }
        self.forbidden.check(&folder).map_err(|error| self.to_save_error(error))?;
        match named.ancestors().find(|folder| folder.exists()) {
            Some(in_the_way) if !in_the_way.is_dir() => Err(SaveError::InTheWay { path: in_the_way.to_owned() }),
            _ => Ok(folder),
        }
    }

    /// Writes the picture atomically, with the folders above it.
    ///
    /// # Errors
    /// `Exists` for a file that is kept, also if it appears in the meantime; `InTheWay`, `Outside` and `Forbidden`, also if
    /// a link appears in the meantime; `OtherFormat`, `Unwritable`. Nothing is left behind but folders.
    pub fn write(&self, picture: &Picture, if_present: IfPresent) -> Result<Saved, SaveError> {
        if picture.format != self.format() {
            return Err(SaveError::OtherFormat { extension: self.format().extension() });
        }
        let folder = self.folder()?;
        let written = make_folder(&folder, &self.forbidden)
            .and_then(|folder| files::write(&folder.join(&self.request.name), &picture.bytes, if_present));
        written.map_err(|error| self.to_save_error(error))?;
        Ok(Saved { path: self.path(), size: picture.bytes.len() as u64 })
    }

    fn to_save_error(&self, error: files::Error) -> SaveError {
        match error {
            files::Error::Exists => SaveError::Exists { path: self.path() },
            files::Error::NotAFile(_) => SaveError::InTheWay { path: self.path() },
            files::Error::OffLimits => SaveError::Forbidden { path: self.request.text.clone() },
            files::Error::ReadOnly => {
                let source = io::Error::new(ErrorKind::ReadOnlyFilesystem, "it is read-only");
                SaveError::Unwritable { path: self.path(), source }
            }
            files::Error::Refused(source) => SaveError::Unwritable { path: self.path(), source },
        }
    }
}
