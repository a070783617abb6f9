//! Writes files to a path that the user chose, but never into folders that dayledger only reads.

use std::fs;
use std::path::{self, Path, PathBuf};

use dayledger_core::Error;
use dayledger_core::files::{self, OffLimits, resolve, special_file_kind};

/// Returns the error for a file that can't be written.
pub fn file_error(path: &Path, error: files::Error) -> Error {
    let path = path.display();
    let (message, hint) = match error {
        files::Error::NotAFile(kind) => (format!("cannot write `{path}`: it is {kind}"), "pass the path of a file"),
        files::Error::ReadOnly => {
            (format!("cannot write `{path}`: it is read-only"), "make it writable, or pass another file")
        }
        files::Error::OffLimits => {
            (format!("cannot write `{path}`: it is inside a folder that dayledger only reads"), "pass another path")
        }
        files::Error::Exists => (format!("cannot write `{path}`: it exists"), "pass `--force` to overwrite it"),
        files::Error::Refused(error) => (format!("cannot write `{path}`: {error}"), ""),
    };
    Error::for_command(message, hint)
}

/// Returns the file that `path` leads to, with links resolved. The file doesn't have to exist. It is never inside
/// `own_folders`, which are the folders of a history or of exports.
///
/// # Errors
/// Fails if the path can't be a file, or if it is inside `own_folders`.
pub fn destination(path: &Path, own_folders: Vec<PathBuf>) -> Result<PathBuf, Error> {
    let found = fs::metadata(path).ok();
    // A path that ends with a separator means a folder, even if the folder doesn't exist.
    let named = path.as_os_str().to_string_lossy().ends_with(path::is_separator).then_some("a folder");
    if let Some(kind) = found.as_ref().and_then(special_file_kind).or(named) {
        return Err(file_error(path, files::Error::NotAFile(kind)));
    }
    OffLimits::new(own_folders).check(path).map_err(|error| file_error(path, error))?;
    Ok(resolve(path))
}
