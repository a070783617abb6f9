//! The file that rows are written to instead of the screen.

use std::fs::File;
use std::path::{Path, PathBuf};

use crate::cli::destination::{Error, destination};
use crate::engine::Engine;

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
        let real = destination(path, engine)?;
        let file = File::create(&real).map_err(|error| Error::Refused { path: path.to_owned(), error })?;
        Ok(Self { path: real, file })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn file(&self) -> &File {
        &self.file
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

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
