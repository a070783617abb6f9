//! The file that rows are written to instead of the screen.

use std::fs::{self, File};
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

/// A file for rows.
#[derive(Debug)]
pub(super) struct ResultFile {
    path: PathBuf,
    file: File,
}

impl ResultFile {
    /// Makes the file, or empties the one that is there.
    ///
    /// # Errors
    /// A folder, a file inside the history's folder however it is named, and what the system refuses.
    pub(super) fn create(path: &Path, engine: &Engine) -> Result<Self, Error> {
        let refused = |error| Error::Refused { path: path.to_owned(), error };
        if path.is_dir() {
            return Err(Error::Folder { path: path.to_owned() });
        }
        let real = real(path).map_err(refused)?;
        if kept_folders(engine).iter().any(|folder| real.starts_with(folder)) {
            return Err(Error::Inside { path: path.to_owned() });
        }
        let file = File::create(&real).map_err(refused)?;
        Ok(Self { path: real, file })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn file(&self) -> &File {
        &self.file
    }
}

/// The place that a path leads to, links followed; the file itself need not be there.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine_over;
    use crate::manictime::demo::{Plan, write};
    use crate::manictime::{DATABASE_FILE, FoundBy, Locator, Source};

    #[test]
    fn nothing_in_the_folder_of_the_history_is_written() {
        let dir = tempfile::tempdir().unwrap();
        let history = dir.path().join("history");
        let plan = Plan { days: 1, activities_per_day: 20, ..Plan::new("2025-01-15".parse().unwrap()) };
        write(&history, &plan, &mut |_, _| {}).unwrap();
        let engine = engine_over(Source::new(Locator::named(&history, FoundBy::Flag))).unwrap();
        let before = fs::read(history.join(DATABASE_FILE)).unwrap();

        let sideways = dir.path().join("history/../history").join(DATABASE_FILE);
        for path in [history.join(DATABASE_FILE), history.join("new.csv"), sideways] {
            let refused = ResultFile::create(&path, &engine).unwrap_err();
            assert!(matches!(refused, Error::Inside { .. }), "{}: {refused}", path.display());
        }
        #[cfg(unix)]
        {
            let link = dir.path().join("link.csv");
            std::os::unix::fs::symlink(history.join(DATABASE_FILE), &link).unwrap();
            assert!(matches!(ResultFile::create(&link, &engine), Err(Error::Inside { .. })));
        }
        assert_eq!(fs::read(history.join(DATABASE_FILE)).unwrap(), before);
        assert!(matches!(ResultFile::create(dir.path(), &engine), Err(Error::Folder { .. })));
        assert!(matches!(ResultFile::create(&dir.path().join("no/x.csv"), &engine), Err(Error::Refused { .. })));
        assert!(ResultFile::create(&dir.path().join("x.csv"), &engine).is_ok());
    }
}
