//! A file into which rows are written. The rows are then not shown on the screen.

use std::fs::File;
use std::path::{Path, PathBuf};

use dayledger_core::Error;
use dayledger_core::files::{AtomicFile, IfPresent};

use crate::destination::{destination, file_error};

/// An open file for rows.
#[derive(Debug)]
pub(super) struct ResultFile {
    pub(super) path: PathBuf,
    pub(super) file: File,
}

impl ResultFile {
    /// Creates an empty file that only its owner can read. Replaces an existing file.
    ///
    /// # Errors
    /// Fails if the path can't be a file, if the existing file is read-only, or if the system refuses to create the
    /// file. Also fails if the file is inside `own_folders`, even under another name.
    pub(super) fn create(path: &Path, own_folders: Vec<PathBuf>) -> Result<Self, Error> {
        // The empty file gets its final name immediately, so that the user can see each row in the file when it
        // arrives. Writing is therefore not atomic: if a statement stops early, the rows that were already written stay
        // in the file.
        let created = AtomicFile::create(&destination(path, own_folders)?, IfPresent::Replace);
        let file = created.and_then(AtomicFile::commit).map_err(|error| file_error(path, error))?;
        Ok(Self { path: path.to_owned(), file })
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write;

    use super::*;

    const DATABASE: &str = "history.db";

    /// Creates the folder `history` with a file in it, as a stand-in for a tracker's folder. Returns the tracker's
    /// folders.
    fn tracker_folders(history: &Path) -> Vec<PathBuf> {
        fs::create_dir(history).unwrap();
        fs::write(history.join(DATABASE), "activities").unwrap();
        vec![history.to_owned()]
    }

    /// An earlier version emptied the existing file instead of replacing it. That also emptied the file's other hard
    /// links, and kept the file's permissions.
    #[test]
    fn a_new_file_does_not_change_other_names_of_the_old_one() {
        let dir = tempfile::tempdir().unwrap();
        let own_folders = tracker_folders(&dir.path().join("history"));
        let database = dir.path().join("history").join(DATABASE);
        let (before, rows) = (fs::read(&database).unwrap(), dir.path().join("rows.csv"));
        fs::hard_link(&database, &rows).unwrap();
        let file = ResultFile::create(&rows, own_folders.clone()).unwrap();
        (&file.file).write_all(b"a\n1\n").unwrap();
        assert_eq!(fs::read(&rows).unwrap(), b"a\n1\n", "rows are written without a delay");
        assert!(fs::read(&database).unwrap() == before, "the other hard link still has the old content");

        let mut permissions = fs::metadata(&rows).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&rows, permissions).unwrap();
        let refused = ResultFile::create(&rows, own_folders.clone()).unwrap_err();
        assert!(refused.message.contains("is read-only"), "{refused}");
        assert_eq!(fs::read(&rows).unwrap(), b"a\n1\n");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 2, "no temporary file is left");
    }

    #[cfg(unix)] // only Unix has pipes and devices as files
    #[test]
    fn result_files_are_private_and_never_pipes_or_devices() {
        use std::os::unix::fs::PermissionsExt;

        let dir = tempfile::tempdir().unwrap();
        let own_folders = tracker_folders(&dir.path().join("history"));
        let (new, old, pipe) = (dir.path().join("new"), dir.path().join("old"), dir.path().join("pipe"));
        fs::write(&old, "").unwrap();
        fs::set_permissions(&old, fs::Permissions::from_mode(0o644)).unwrap();
        for path in [new, old] {
            ResultFile::create(&path, own_folders.clone()).unwrap();
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600, "{}", path.display());
        }
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        for (path, kind) in [(pipe.as_path(), "a pipe"), (Path::new("/dev/null"), "a device")] {
            let refused = ResultFile::create(path, own_folders.clone()).unwrap_err().to_string();
            assert_eq!(refused, format!("cannot write `{}`: it is {kind}", path.display()));
        }
    }

    #[test]
    fn files_in_the_history_folder_are_never_written() {
        let dir = tempfile::tempdir().unwrap();
        let history = dir.path().join("history");
        let own_folders = tracker_folders(&history);
        let before = fs::read(history.join(DATABASE)).unwrap();

        let sideways = dir.path().join("history/../history").join(DATABASE);
        for path in [history.join(DATABASE), history.join("new.csv"), sideways] {
            let refused = ResultFile::create(&path, own_folders.clone()).unwrap_err();
            assert!(refused.message.contains("inside a folder"), "{}: {refused}", path.display());
        }
        #[cfg(unix)]
        {
            let link = dir.path().join("link.csv");
            std::os::unix::fs::symlink(history.join(DATABASE), &link).unwrap();
            let refused = ResultFile::create(&link, own_folders.clone()).unwrap_err();
            assert!(refused.message.contains("inside a folder"), "{refused}");
        }
        assert_eq!(fs::read(history.join(DATABASE)).unwrap(), before);
        for (path, why) in [(dir.path().to_owned(), "is a folder"), (dir.path().join("no/x.csv"), "cannot write")] {
            let refused = ResultFile::create(&path, own_folders.clone()).unwrap_err();
            assert!(refused.message.contains(why), "{refused}");
        }
        assert!(ResultFile::create(&dir.path().join("x.csv"), own_folders.clone()).is_ok());
    }
}
