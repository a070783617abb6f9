//! Where a command may write: anywhere but in ManicTime's own folders.

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use crate::engine::Engine;
use crate::manictime::Source;

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

/// The place that `path` leads to, links followed; the file itself need not be there.
///
/// # Errors
/// A folder, a file inside the history's folders however it is named, and what the system refuses.
pub(super) fn destination(path: &Path, engine: &Engine) -> Result<PathBuf, Error> {
    if path.is_dir() {
        return Err(Error::Folder { path: path.to_owned() });
    }
    let real = real(path).map_err(|error| Error::Refused { path: path.to_owned(), error })?;
    match engine.source() {
        Ok(source) => outside(real, path, source),
        // Without a history there is nothing to keep away from.
        Err(_) => Ok(real),
    }
}

/// The same for a folder, which need not be there either, nor those that it is in.
///
/// # Errors
/// Those of [`destination`], and a file of that name.
pub(super) fn folder(path: &Path, source: &Source) -> Result<PathBuf, Error> {
    let refused = |error| Error::Refused { path: path.to_owned(), error };
    let whole = std::path::absolute(path).map_err(refused)?;
    let there = whole.ancestors().find(|folder| folder.exists() || folder.is_symlink()).unwrap_or(&whole);
    let missing = whole.strip_prefix(there).map_err(|_| refused(io::ErrorKind::InvalidInput.into()))?;
    // What is not there can still lead back out of it.
    if missing.components().any(|part| !matches!(part, Component::Normal(_))) {
        return Err(refused(io::ErrorKind::NotFound.into()));
    }
    let there = fs::canonicalize(there).map_err(refused)?;
    if !there.is_dir() {
        return Err(refused(io::ErrorKind::NotADirectory.into()));
    }
    outside(there.join(missing), path, source)
}

/// The place itself, unless it is in one of ManicTime's own folders; `path` is how it was named.
fn outside(real: PathBuf, path: &Path, source: &Source) -> Result<PathBuf, Error> {
    if kept_folders(source).iter().any(|folder| real.starts_with(folder)) {
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
fn kept_folders(source: &Source) -> Vec<PathBuf> {
    let database = source.location().ok();
    let beside = database.and_then(|location| location.database.parent().map(Path::to_owned));
    let pictures = source.screenshots_folder().ok();
    beside.into_iter().chain(pictures).filter_map(|folder| fs::canonicalize(folder).ok()).collect()
}
