//! Writes a file in an allowed directory.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use super::error::SaveError;
use super::request::Request;
use crate::pictures::{Format, Picture};
use dayledger_core::files::{self, IfPresent, OffLimits, make_folder, resolve};

/// The result of saving an image.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Saved {
    /// The path of the file. It begins with the path of the allowed directory, as configured.
    pub path: PathBuf,
    /// The size of the file, in bytes.
    pub size: u64,
}

/// A file that may be written.
#[derive(Debug)]
pub struct Target {
    /// The path of the allowed directory as it was configured.
    root: PathBuf,
    /// The requested path, relative to the allowed directory.
    request: Request,
    /// The folders of the tracker.
    forbidden: OffLimits,
}

impl Target {
    pub(super) fn new(root: &Path, request: Request, forbidden: OffLimits) -> Self {
        Self { root: root.to_owned(), request, forbidden }
    }

    /// Returns the format that an image must have for this file.
    pub fn format(&self) -> Format {
        self.request.format
    }

    /// Returns the path of the file.
    pub fn path(&self) -> PathBuf {
        self.root.join(&self.request.folders).join(&self.request.name)
    }

    /// Returns the folder of the file, with links resolved. The folder doesn't have to exist.
    ///
    /// # Errors
    /// Fails with `Outside` if a link leads out of the allowed directory, and with `InTheWay` if a
    /// file has the name of a folder in the path. Fails with `Forbidden` inside the tracker's
    /// folders.
    pub(super) fn folder(&self) -> Result<PathBuf, SaveError> {
        let named = self.root.join(&self.request.folders);
        let folder = resolve(&named);
        if !folder.starts_with(resolve(&self.root)) {
            return Err(SaveError::Outside(self.request.text.clone()));
        }
        self.forbidden.check(&folder).map_err(|error| self.to_save_error(error))?;
        match named.ancestors().find(|folder| folder.exists()) {
            Some(in_the_way) if !in_the_way.is_dir() => Err(SaveError::InTheWay(in_the_way.to_owned())),
            _ => Ok(folder),
        }
    }

    /// Creates the folders of the path, and writes the image atomically.
    ///
    /// # Errors
    /// Fails with `Exists` if the file exists and `if_present` keeps it. Also fails with
    /// `OtherFormat` or `Unwritable`. Fails with `InTheWay`, `Outside` or `Forbidden` like the check
    /// of the path, even if the file or link appears only during the write. After an error, the
    /// created folders may be left, but no new file.
    pub fn write(&self, picture: &Picture, if_present: IfPresent) -> Result<Saved, SaveError> {
        if picture.format != self.format() {
            return Err(SaveError::OtherFormat(self.format().extension()));
        }
        let folder = self.folder()?;
        let written = make_folder(&folder, &self.forbidden)
            .and_then(|folder| files::write(&folder.join(&self.request.name), &picture.bytes, if_present));
        written.map_err(|error| self.to_save_error(error))?;
        Ok(Saved { path: self.path(), size: picture.bytes.len() as u64 })
    }

    fn to_save_error(&self, error: files::Error) -> SaveError {
        match error {
            files::Error::Exists => SaveError::Exists(self.path()),
            files::Error::NotAFile(_) => SaveError::InTheWay(self.path()),
            files::Error::OffLimits => SaveError::Forbidden(self.request.text.clone()),
            files::Error::ReadOnly => {
                let source = io::Error::new(ErrorKind::ReadOnlyFilesystem, "it is read-only");
                SaveError::Unwritable(self.path(), source)
            }
            files::Error::Refused(source) => SaveError::Unwritable(self.path(), source),
        }
    }
}
