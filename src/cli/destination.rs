//! Where a command may write: anywhere but in ManicTime's own folders.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::engine::Engine;

/// Why a file cannot be written.
#[derive(Debug, thiserror::Error)]
pub(super) enum Error {
    /// A folder has that name.
    #[error("`{path}` is a folder; name a file")]
    Folder {
        /// The folder.
        path: PathBuf,
    },
    /// It would lie beside the history.
    #[error("`{path}` is inside ManicTime's folder, which is only read; name a file elsewhere")]
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

/// The place that `path` leads to, links followed; the file itself need not be there.
///
/// # Errors
/// A folder, a file inside the history's folders however it is named, and what the system refuses.
pub(super) fn destination(path: &Path, engine: &Engine) -> Result<PathBuf, Error> {
    if path.is_dir() {
        return Err(Error::Folder { path: path.to_owned() });
    }
    let real = real(path).map_err(|error| Error::Refused { path: path.to_owned(), error })?;
    if kept_folders(engine).iter().any(|folder| real.starts_with(folder)) {
        return Err(Error::Inside { path: path.to_owned() });
    }
    Ok(real)
}

fn real(path: &Path) -> io::Result<PathBuf> {
    // A link that leads nowhere is an error here, though a file could be made through it.
    if path.exists() || path.is_symlink() {
        return fs::canonicalize(path);
    }
    let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Ok(fs::canonicalize(parent)?.join(name))
}

/// The folders that are ManicTime's own.
fn kept_folders(engine: &Engine) -> Vec<PathBuf> {
    let database = engine.source().location().ok();
    let beside = database.and_then(|location| location.database.parent().map(Path::to_owned));
    let pictures = engine.source().screenshots_folder().ok();
    beside.into_iter().chain(pictures).filter_map(|folder| fs::canonicalize(folder).ok()).collect()
}
