//! The file in which the user edits a draft. The file is kept until its lines are logged.

use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use tempfile::NamedTempFile;

use super::shared::file_error;
use crate::cli::config;
use crate::files::read_text;
use crate::request::Error;

/// The size limit of the file, in bytes.
const MAX_BYTES: u64 = 64 << 20;

/// A text in a file that only the user can read. The text is kept if the program crashes.
#[derive(Debug)]
pub(super) struct EditedText {
    path: PathBuf,
    /// The text before the editor was opened.
    original: String,
    /// Whether an earlier edit changed the text.
    is_edited: bool,
}

impl EditedText {
    /// Creates a file with this text in the state folder.
    pub(super) fn create(text: &str) -> anyhow::Result<Self> {
        let state = config::state_dir().context("cannot save the text: this user has no home folder")?;
        let folder = state.join("drafts");
        let refused = |error: io::Error| file_error("write to", &folder, &error);
        make_private(&folder).map_err(refused)?;
        let mut file =
            tempfile::Builder::new().prefix("draft-").suffix(".txt").tempfile_in(&folder).map_err(refused)?;
        file.write_all(text.as_bytes()).map_err(refused)?;
        let (_, path) = file.keep().map_err(|error| refused(error.error))?;
        Ok(Self { path, original: text.to_owned(), is_edited: false })
    }

    /// Opens an existing file, whose text the user has changed in an earlier run.
    pub(super) fn resume(path: &Path) -> Result<Self, Error> {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let text = Self { path, original: String::new(), is_edited: true };
        Ok(Self { original: text.read()?, ..text })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Reads the current text.
    pub(super) fn read(&self) -> Result<String, Error> {
        let text = read_text(&self.path, MAX_BYTES).map_err(io::Error::from);
        let text = text.and_then(|text| text.ok_or_else(|| ErrorKind::NotFound.into()));
        text.map_err(|error| file_error("read", &self.path, &error))
    }

    /// Whether the user has changed the text in the editor. A file that can't be read counts as changed.
    pub(super) fn is_changed(&self) -> bool {
        self.read().map_or(true, |text| text != self.original)
    }

    /// Replaces the text atomically.
    pub(super) fn replace(&self, text: &str) -> Result<(), Error> {
        let refused = |error: io::Error| file_error("write", &self.path, &error);
        let folder = self.path.parent().unwrap_or(Path::new("."));
        let mut file = NamedTempFile::new_in(folder).map_err(refused)?;
        file.write_all(text.as_bytes()).map_err(refused)?;
        file.as_file().sync_all().map_err(refused)?;
        file.persist(&self.path).map(drop).map_err(|error| refused(error.error))
    }

    /// Ends the edit without logging. If the user has changed the text at any time, the file is kept and its path is
    /// returned.
    pub(super) fn set_aside(self) -> Option<PathBuf> {
        if self.is_edited || self.is_changed() {
            return Some(self.path);
        }
        self.remove();
        None
    }

    /// Removes the file. Call this only after all lines of the file are logged.
    pub(super) fn remove(self) {
        // The lines are logged, so a file that can't be removed does no harm.
        let _ = fs::remove_file(&self.path);
    }
}

/// Creates a folder that only the user can access. The file's own permissions aren't enough, because an editor may
/// replace the file with one that has other permissions.
fn make_private(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;

        fs::set_permissions(folder, fs::Permissions::from_mode(0o700))?;
    }
    Ok(())
}
