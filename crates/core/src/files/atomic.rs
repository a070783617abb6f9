//! Atomic writes: a temporary file that gets its name once it is complete.

use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::error::Error;
use super::read::file_metadata;

/// How the name of a temporary file begins.
const PREFIX: &str = ".dayledger-";
/// How the name of a temporary file ends.
const SUFFIX: &str = ".tmp";

/// What happens to a file that exists already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IfPresent {
    /// It stays, and writing fails.
    Keep,
    /// The new file replaces it.
    Replace,
}

/// A file that appears under its name when it is committed, and is removed if it is dropped before. If the process is killed
/// before, a temporary file stays in the folder ([`is_temporary`]).
#[derive(Debug)]
pub struct AtomicFile {
    path: PathBuf,
    if_present: IfPresent,
    file: NamedTempFile<File>,
}

impl AtomicFile {
    /// Creates a temporary file in the folder of `path`. A link at `path` is not followed; see [`super::resolve`].
    ///
    /// # Errors
    /// Those of [`check`], and errors of the system.
    pub fn create(path: &Path, if_present: IfPresent) -> Result<Self, Error> {
        check(path, if_present)?;
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        // `tempfile_in` would name the temporary file in its errors.
        let file = tempfile::Builder::new()
            .prefix(PREFIX)
            .suffix(SUFFIX)
            .make_in(folder, |path| private_options().create_new(true).open(path))?;
        Ok(Self { path: path.to_owned(), if_present, file })
    }

    /// The temporary file.
    pub fn file(&self) -> &File {
        self.file.as_file()
    }

    /// Syncs the file to the disk and gives it its name. Returns the open file.
    ///
    /// # Errors
    /// Those of [`check`] for a file that appeared in the meantime, and errors of the system. The temporary file is removed
    /// then.
    pub fn commit(self) -> Result<File, Error> {
        self.file.as_file().sync_all()?;
        check(&self.path, self.if_present)?;
        if self.if_present == IfPresent::Replace {
            return self.file.persist(&self.path).map_err(|failed| failed.error.into());
        }
        self.file.persist_noclobber(&self.path).or_else(|failed| match failed.error.kind() {
            ErrorKind::AlreadyExists => Err(Error::Exists),
            _ => replace_claimed(failed.file, &self.path),
        })
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.as_file().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.as_file().flush()
    }
}

/// Gives the file its name on file systems such as exFAT and some network drives, which can neither link a file nor refuse
/// to replace one: an empty file claims the name first.
fn replace_claimed(file: NamedTempFile<File>, path: &Path) -> Result<File, Error> {
    private_options().create_new(true).open(path).map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => Error::Exists,
        _ => error.into(),
    })?;
    file.persist(path).map_err(|failed| {
        // The error of the rename is the one to report.
        let _ = fs::remove_file(path);
        failed.error.into()
    })
}

/// Writes a whole file.
///
/// # Errors
/// Those of [`AtomicFile::create`] and [`AtomicFile::commit`]. Nothing is left behind.
pub fn write(path: &Path, bytes: &[u8], if_present: IfPresent) -> Result<(), Error> {
    let mut file = AtomicFile::create(path, if_present)?;
    file.write_all(bytes)?;
    file.commit().map(drop)
}

/// Checks whether a file can be written at `path` now. A link is not followed.
///
/// # Errors
/// [`Error::NotAFile`]; [`Error::Exists`] for a file that is kept, [`Error::ReadOnly`] for a file that could be replaced, but
/// not changed.
pub fn check(path: &Path, if_present: IfPresent) -> Result<(), Error> {
    let Some(found) = file_metadata(path)? else { return Ok(()) };
    if if_present == IfPresent::Keep {
        return Err(Error::Exists);
    }
    // Root can open any file for writing.
    if found.permissions().readonly() {
        return Err(Error::ReadOnly);
    }
    match File::options().write(true).open(path) {
        Ok(_) => Ok(()),
        Err(error) if matches!(error.kind(), ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem) => {
            Err(Error::ReadOnly)
        }
        Err(error) => Err(error.into()),
    }
}

/// Whether a file of that name is the temporary file of a write that runs or was killed.
pub fn is_temporary(name: &OsStr) -> bool {
    name.to_str().is_some_and(|name| name.starts_with(PREFIX) && name.ends_with(SUFFIX))
}

/// Options for a file that only its owner can read.
pub(super) fn private_options() -> OpenOptions {
    let mut options = File::options();
    options.read(true).write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}
