//! The file that a person edits a draft in: it lasts until what stands there is logged.

use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use tempfile::NamedTempFile;

use super::failure::file_error;
use crate::cli::config;
use crate::files::read_text;
use crate::request::Error;

/// The longest text that is read.
const MAX_BYTES: u64 = 64 << 20;

/// A text in a file of the user's alone, which a crash leaves where it is.
#[derive(Debug)]
pub(super) struct EditedText {
    path: PathBuf,
    /// As it was before the editor was opened.
    original: String,
    /// Whether somebody has changed it even before.
    is_edited: bool,
}

impl EditedText {
    /// A new file with that text, in the folder for what this program remembers.
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

    /// A file that is there, which somebody has changed before.
    pub(super) fn resume(path: &Path) -> Result<Self, Error> {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let text = Self { path, original: String::new(), is_edited: true };
        Ok(Self { original: text.read()?, ..text })
    }

    /// Where it is.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// What stands there now.
    pub(super) fn read(&self) -> Result<String, Error> {
        let text = read_text(&self.path, MAX_BYTES).map_err(io::Error::from);
        let text = text.and_then(|text| text.ok_or_else(|| ErrorKind::NotFound.into()));
        text.map_err(|error| file_error("read", &self.path, &error))
    }

    /// Whether somebody has changed it in the editor; what cannot be read counts as changed.
    pub(super) fn is_changed(&self) -> bool {
        self.read().map_or(true, |text| text != self.original)
    }

    /// Puts that text in the place of what stands there, at once: a crash leaves the one or the other, whole.
    pub(super) fn replace(&self, text: &str) -> Result<(), Error> {
        let refused = |error: io::Error| file_error("write", &self.path, &error);
        let folder = self.path.parent().unwrap_or(Path::new("."));
        let mut file = NamedTempFile::new_in(folder).map_err(refused)?;
        file.write_all(text.as_bytes()).map_err(refused)?;
        file.as_file().sync_all().map_err(refused)?;
        file.persist(&self.path).map(drop).map_err(|error| refused(error.error))
    }

    /// Ends without logging: the file stays if anybody has ever changed it; says where then.
    pub(super) fn set_aside(self) -> Option<PathBuf> {
        if self.is_edited || self.is_changed() {
            return Some(self.path);
        }
        self.remove();
        None
    }

    /// Ends once all of it is logged.
    pub(super) fn remove(self) {
        // One that stays is in nobody's way.
        let _ = fs::remove_file(&self.path);
    }
}

/// Makes a folder that is the user's alone: an editor may put a file with other permissions in the place of ours.
fn make_private(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;

        fs::set_permissions(folder, fs::Permissions::from_mode(0o700))?;
    }
    Ok(())
}
