//! A file that belongs to another program: read once, replaced whole.

use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use super::Error;
use super::document::Trouble;

/// A configuration file as it was found.
#[derive(Debug)]
pub(super) struct ConfigFile {
    path: PathBuf,
    /// Where the file lies when `path` is a link.
    real: PathBuf,
    text: Option<String>,
}

impl ConfigFile {
    /// Reads the file at `path`, where there is one.
    pub(super) fn open(path: PathBuf) -> Result<Self, Error> {
        let real = match fs::canonicalize(&path) {
            Ok(real) => real,
            Err(error) if error.kind() == ErrorKind::NotFound && !path.is_symlink() => path.clone(),
            Err(source) => return Err(Error::Unreadable { path, source }),
        };
        match read(&real) {
            Ok(text) => Ok(Self { path, real, text }),
            Err(source) => Err(Error::Unreadable { path, source }),
        }
    }

    /// The file's path as the client knows it.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// What was read; `None` where there is no file.
    pub(super) fn text(&self) -> Option<&str> {
        self.text.as_deref()
    }

    /// The error of a file whose content cannot be changed.
    pub(super) fn unusable(&self, trouble: Trouble) -> Error {
        Error::Unusable { path: self.path.clone(), trouble }
    }

    /// Writes `text` in place of what was read. At every moment the old or the new file is there, whole; permissions
    /// stay, and those of a new file are the user's alone.
    pub(super) fn replace(&self, text: &str) -> Result<(), Error> {
        let unwritable = |source| Error::Unwritable { path: self.path.clone(), source };
        let folder = self.real.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(folder).map_err(unwritable)?;
        let mut new = tempfile::Builder::new().prefix(".dayledger-").tempfile_in(folder).map_err(unwritable)?;
        new.write_all(text.as_bytes()).map_err(unwritable)?;
        if self.text.is_some() {
            let permissions = fs::metadata(&self.real).map_err(unwritable)?.permissions();
            fs::set_permissions(new.path(), permissions).map_err(unwritable)?;
        }
        new.as_file().sync_all().map_err(unwritable)?;
        // Clients write these files too, Claude Code at any time while it runs.
        if read(&self.real).map_err(unwritable)? != self.text {
            return Err(Error::Changed { path: self.path.clone() });
        }
        new.persist(&self.real).map_err(|error| unwritable(error.error))?;
        Ok(())
    }
}

fn read(path: &Path) -> io::Result<Option<String>> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_another_program_wrote_meanwhile_is_not_lost() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("mcp.json");
        let file = ConfigFile::open(path.clone()).unwrap();
        fs::write(&path, "theirs").unwrap();
        assert!(matches!(file.replace("ours"), Err(Error::Changed { .. })));
        assert_eq!(fs::read_to_string(&path).unwrap(), "theirs");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1, "nothing is left behind");
        ConfigFile::open(path.clone()).unwrap().replace("ours").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "ours");
    }
}
