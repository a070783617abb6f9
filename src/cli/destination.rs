//! Where a command may write: anywhere but in ManicTime's own folders.

use std::fs;
use std::io;
use std::path::{self, Path, PathBuf};

use cap_std::fs::Metadata;

use crate::files::{self, Kind, OffLimits, Place};

/// Why a file cannot be written.
#[derive(Debug, thiserror::Error)]
pub(super) enum Error {
    /// Something that is no file has that name.
    #[error("`{path}` is {kind}; name a file")]
    NotAFile {
        /// What was named.
        path: PathBuf,
        /// What it is.
        kind: Kind,
    },
    /// Its owner keeps the file from being changed.
    #[error("`{path}` is read-only; name another file, or make this one writable")]
    ReadOnly {
        /// The file.
        path: PathBuf,
    },
    /// It would lie beside the history.
    #[error("`{path}` is inside ManicTime's folder, which is only read; name another place")]
    Inside {
        /// The file.
        path: PathBuf,
    },
    /// The system refuses it.
    #[error("cannot write `{path}`: {error}")]
    Refused {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
}

impl Error {
    /// The error of the file at `path`.
    pub(super) fn of(path: &Path, error: files::Error) -> Self {
        let path = path.to_owned();
        match error {
            files::Error::NotAFile(kind) => Self::NotAFile { path, kind },
            files::Error::ReadOnly => Self::ReadOnly { path },
            files::Error::OffLimits => Self::Inside { path },
            files::Error::Exists => Self::Refused { path, error: io::ErrorKind::AlreadyExists.into() },
            files::Error::Refused(error) => Self::Refused { path, error },
        }
    }
}

/// The place that `path` leads to, links followed; the file itself need not be there. Nothing is written into `own_folders`,
/// ManicTime's.
///
/// # Errors
/// What is no file, a place inside the history's folders however it is named, and what the system refuses.
pub(super) fn destination(path: &Path, own_folders: Vec<PathBuf>) -> Result<Place, Error> {
    let wrong = |error| Error::of(path, error);
    let found = fs::metadata(path).ok().map(Metadata::from_just_metadata);
    // A name that ends like a folder's is meant as one, also where there is none yet.
    let named = path.as_os_str().to_string_lossy().ends_with(path::is_separator).then_some(Kind::Folder);
    if let Some(kind) = found.as_ref().and_then(Kind::other_than_file).or(named) {
        return Err(wrong(files::Error::NotAFile(kind)));
    }
    let place = Place::at(path).map_err(|error| wrong(error.into()))?;
    OffLimits::new(own_folders).admit(place.folder()).map_err(wrong)?;
    Ok(place)
}

/// Refuses a file inside folders that are off limits, links followed; neither the file nor its folder need be there.
///
/// # Errors
/// [`Error::Inside`], and errors of the system.
pub(super) fn outside(path: &Path, off_limits: &OffLimits) -> Result<(), Error> {
    let wrong = |error| Error::of(path, error);
    if off_limits.cover(path) {
        return Err(wrong(files::Error::OffLimits));
    }
    match Place::at(path) {
        Ok(place) => off_limits.admit(place.folder()).map_err(wrong),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(wrong(error.into())),
    }
}
