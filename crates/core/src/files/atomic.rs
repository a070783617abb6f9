//! Writes files atomically. The content is written to a temporary file, which gets the final name when it is complete.

use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::Error;
use super::read::file_metadata;

/// The prefix of the names of temporary files.
const PREFIX: &str = ".dayledger-";
/// The suffix of the names of temporary files.
const SUFFIX: &str = ".tmp";

/// Decides whether a write replaces an existing file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IfPresent {
    /// Keep the existing file and fail.
    Keep,
    /// Replace the existing file.
    Replace,
}

/// A temporary file that gets its final name when it is committed. If this value is dropped without a commit, the
/// temporary file is removed. If the process is killed before the commit, the temporary file stays in the folder.
/// [`is_temporary`] recognises such files.
#[derive(Debug)]
pub struct AtomicFile {
    path: PathBuf,
    if_present: IfPresent,
    file: NamedTempFile<File>,
}

impl AtomicFile {
    /// Creates a temporary file in the folder of `path`. To write to the target of a link, resolve
    /// the link with [`super::resolve`] first.
    ///
    /// # Errors
    /// Fails with the errors of [`check`] and of the operating system.
    pub fn create(path: &Path, if_present: IfPresent) -> Result<Self, Error> {
        check(path, if_present)?;
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        // This code uses `make_in`, because the errors of `tempfile_in` would contain the path of the temporary file.
        let file = tempfile::Builder::new()
            .prefix(PREFIX)
            .suffix(SUFFIX)
            .make_in(folder, |path| private_options().create_new(true).open(path))?;
        Ok(Self { path: path.to_owned(), if_present, file })
    }

    /// Returns the open temporary file.
    pub fn file(&self) -> &File {
        self.file.as_file()
    }

    /// Flushes the file to the disk and renames it to its final name. Returns the open file.
    ///
    /// # Errors
    /// Fails with the errors of [`check`], for example if a file appeared since [`Self::create`],
    /// and with errors of the operating system. After every error, the temporary file is removed.
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

/// Renames the temporary file to `path`, and fails if `path` exists. This function first creates an empty file to
/// reserve the name. It is for file systems, such as exFAT and some network drives, that support neither hard links nor
/// a rename that never replaces a file.
fn replace_claimed(file: NamedTempFile<File>, path: &Path) -> Result<File, Error> {
    private_options().create_new(true).open(path).map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => Error::Exists,
        _ => error.into(),
    })?;
    file.persist(path).map_err(|failed| {
        // An error of the removal is ignored. Only the error of the rename is reported.
        let _ = fs::remove_file(path);
        failed.error.into()
    })
}

/// Writes `bytes` atomically to the file at `path`.
///
/// # Errors
/// Fails with the errors of [`AtomicFile::create`] and [`AtomicFile::commit`]. After a failed
/// write, no temporary file remains.
pub fn write(path: &Path, bytes: &[u8], if_present: IfPresent) -> Result<(), Error> {
    let mut file = AtomicFile::create(path, if_present)?;
    file.write_all(bytes)?;
    file.commit().map(drop)
}

/// Checks whether a file can be written at `path` now.
///
/// # Errors
/// Fails with [`Error::NotAFile`] if `path` is a link, a folder or another special file. Fails with
/// [`Error::Exists`] if `path` exists and `if_present` is [`IfPresent::Keep`]. Fails with
/// [`Error::ReadOnly`] if the existing file doesn't allow changes.
pub fn check(path: &Path, if_present: IfPresent) -> Result<(), Error> {
    let Some(found) = file_metadata(path)? else { return Ok(()) };
    if if_present == IfPresent::Keep {
        return Err(Error::Exists);
    }
    // The permission bit is checked too, because the user root can open a read-only file for writing.
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

/// Whether `name` is the name of a temporary file from an [`AtomicFile`]. The process that created the file may still
/// be running, or it may have been killed.
pub fn is_temporary(name: &OsStr) -> bool {
    name.to_str().is_some_and(|name| name.starts_with(PREFIX) && name.ends_with(SUFFIX))
}

/// Returns options that create a file which only its owner can read and write.
pub(super) fn private_options() -> OpenOptions {
    let mut options = File::options();
    options.read(true).write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}
