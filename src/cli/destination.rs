//! Files that a command writes where its user says: anywhere but in ManicTime's own folders.

use std::fs;
use std::io;
use std::path::{self, Path, PathBuf};

use crate::files::{self, IfPresent, OffLimits, resolve, special_file_kind};
use crate::manictime::Source;

/// Why a file cannot be written.
#[derive(Debug, thiserror::Error)]
pub(super) enum Error {
    /// Something that is no file has that name.
    #[error("`{0}` is {1}; name a file")]
    NotAFile(PathBuf, &'static str),
    /// Its owner keeps the file from being changed.
    #[error("`{0}` is read-only; name another file, or make this one writable")]
    ReadOnly(PathBuf),
    /// It would lie beside the history.
    #[error("`{0}` is inside ManicTime's folder, which is only read; name another place")]
    Inside(PathBuf),
    /// The file exists, and the command doesn't replace files.
    #[error("`{0}` exists")]
    Exists(PathBuf),
    /// The file exists, and the command replaces only its own pages.
    #[error("`{0}` exists and is no page that dayledger wrote")]
    NotAPage(PathBuf),
    /// The system refuses it.
    #[error("cannot write `{0}`: {1}")]
    Refused(PathBuf, io::Error),
}

impl Error {
    /// The error of the file at `path`.
    pub(super) fn new(path: &Path, error: files::Error) -> Self {
        let path = path.to_owned();
        match error {
            files::Error::NotAFile(kind) => Self::NotAFile(path, kind),
            files::Error::ReadOnly => Self::ReadOnly(path),
            files::Error::OffLimits => Self::Inside(path),
            files::Error::Exists => Self::Exists(path),
            files::Error::Refused(error) => Self::Refused(path, error),
        }
    }

    /// What to do, unless the message says it.
    pub(super) fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Exists { .. } => Some("pass `--force` to replace it"),
            Self::NotAPage { .. } => Some("name another file with `--out`, or pass `--force` to replace this one"),
            _ => None,
        }
    }
}

/// Returns the file that `path` leads to. Links are followed, and the file need not exist. It isn't in `manictime_folders`,
/// ManicTime's.
///
/// # Errors
/// Something that isn't a file, and a place inside ManicTime's folders.
pub(super) fn destination(path: &Path, own_folders: Vec<PathBuf>) -> Result<PathBuf, Error> {
    let found = fs::metadata(path).ok();
    // A name that ends like a folder's is meant as one, also where there is none yet.
    let named = path.as_os_str().to_string_lossy().ends_with(path::is_separator).then_some("a folder");
    if let Some(kind) = found.as_ref().and_then(special_file_kind).or(named) {
        return Err(Error::NotAFile(path.to_owned(), kind));
    }
    OffLimits::new(own_folders).check(path).map_err(|error| Error::new(path, error))?;
    Ok(resolve(path))
}

/// Writes a file.
///
/// # Errors
/// Those of [`destination`] and [`files::write`]. Nothing is left behind.
pub(super) fn write(path: &Path, text: &str, if_present: IfPresent, source: &Source) -> Result<(), Error> {
    let file = destination(path, source.manictime_folders())?;
    files::write(&file, text.as_bytes(), if_present).map_err(|error| Error::new(path, error))
}
