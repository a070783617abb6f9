//! Writes files to a path that the user chose, but never into the tracker's own folders. A new page always replaces an
//! older page. It replaces any other file only if the user allows this.

use std::io::Read;
use std::path::{Path, PathBuf};

use dayledger_terminal::destination::{destination, file_error};

use crate::files::{self, IfPresent};
use crate::report::is_page;
use crate::request::Error;

/// The number of bytes at the start of a file that show whether the file is a page.
const BEGINNING: u64 = 512;

/// Writes a file. If writing fails, no incomplete file is left.
///
/// # Errors
/// Fails like [`destination`] and [`files::write`].
pub(super) fn write(path: &Path, text: &str, if_present: IfPresent, own_folders: Vec<PathBuf>) -> Result<(), Error> {
    let file = destination(path, own_folders)?;
    files::write(&file, text.as_bytes(), if_present).map_err(|error| file_error(path, error))
}

/// Which existing files a page may replace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Overwrite {
    /// Only pages.
    Pages,
    /// Any file.
    AnyFile,
}

/// Checks whether a page can be written. Returns the resolved form of `path`, and whether the page may replace an
/// existing file.
///
/// # Errors
/// Fails like [`destination`], and if an existing file may not be replaced.
pub(super) fn check_page(
    path: &Path,
    replaces: Overwrite,
    own_folders: Vec<PathBuf>,
) -> Result<(PathBuf, IfPresent), Error> {
    let file = destination(path, own_folders)?;
    let wrong = |error| file_error(path, error);
    if replaces == Overwrite::Pages && is_other_file(&file).map_err(wrong)? {
        let message = format!("cannot write `{}`: it exists and is not a page that dayledger wrote", path.display());
        let hint = "pass another file with `--out`, or `--force` to overwrite this one";
        return Err(Error::for_command(message, hint));
    }
    files::check(&file, IfPresent::Replace).map_err(wrong)?;
    // If another program creates the file before the page is written, the other program's file is kept.
    let may_replace = replaces == Overwrite::AnyFile || file.exists();
    Ok((file, if may_replace { IfPresent::Replace } else { IfPresent::Keep }))
}

/// Writes a page atomically. If writing fails, no incomplete file is left.
///
/// # Errors
/// Fails like [`check_page`] and [`files::write`].
pub(super) fn write_page(path: &Path, text: &str, replaces: Overwrite, own_folders: Vec<PathBuf>) -> Result<(), Error> {
    let (file, if_present) = check_page(path, replaces, own_folders)?;
    files::write(&file, text.as_bytes(), if_present).map_err(|error| file_error(path, error))
}

/// Whether `path` is an existing file that isn't a page of dayledger.
fn is_other_file(path: &Path) -> Result<bool, files::Error> {
    let Some(file) = files::open(path)? else { return Ok(false) };
    let mut beginning = Vec::new();
    file.take(BEGINNING).read_to_end(&mut beginning)?;
    Ok(!is_page(&beginning))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::manictime::{DATABASE_FILE, Locator, Source};
    use crate::source::{FoundBy, HistorySource};
    use dayledger_fixtures::demo::{self, Plan};

    const OLDER: &str = "<!DOCTYPE html><html><head><meta name=\"generator\" content=\"dayledger 0.0.1\">";

    fn own_folders(dir: &Path) -> Vec<PathBuf> {
        let history = dir.join("history");
        let plan = Plan { days: 1, activities_per_day: 20, ..Plan::new("2025-01-15".parse().unwrap()) };
        demo::write(&history, &plan).unwrap();
        Source::new(Locator::from_path(&history, FoundBy::Flag)).folders()
    }

    fn names(dir: &Path) -> Vec<String> {
        let mut names: Vec<_> =
            fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn page_replaces_only_older_pages() {
        let dir = tempfile::tempdir().unwrap();
        let own_folders = own_folders(dir.path());
        let out = dir.path().join("page.html");
        let text = |path: &Path| fs::read_to_string(path).unwrap();

        write_page(&out, "new", Overwrite::Pages, own_folders.clone()).unwrap();
        assert_eq!(text(&out), "new");
        let refused = write_page(&out, "newer", Overwrite::Pages, own_folders.clone()).unwrap_err();
        assert!(refused.message.contains("is not a page") && refused.hint.contains("`--force`"), "{refused}");
        assert_eq!(text(&out), "new");
        write_page(&out, OLDER, Overwrite::AnyFile, own_folders.clone()).unwrap();
        write_page(&out, "newer", Overwrite::Pages, own_folders.clone()).unwrap();
        assert_eq!(text(&out), "newer");
        assert_eq!(names(dir.path()), ["history", "page.html"], "no temporary file is left");
    }

    #[test]
    fn files_of_manictime_are_never_written() {
        let dir = tempfile::tempdir().unwrap();
        let own_folders = own_folders(dir.path());
        let database = dir.path().join("history").join(DATABASE_FILE);
        let before = (fs::read(&database).unwrap(), names(&dir.path().join("history")));
        let page = dir.path().join("history/page.html");
        let inside = "inside a folder";
        for (path, why) in [(database.clone(), inside), (page, inside), (dir.path().join("history"), "it is a folder")]
        {
            let refused = write_page(&path, "new", Overwrite::AnyFile, own_folders.clone()).unwrap_err();
            assert!(refused.message.contains(why), "{refused}");
        }
        assert_eq!((fs::read(&database).unwrap(), names(&dir.path().join("history"))), before);
    }

    #[test]
    fn failed_write_leaves_no_file() {
        let dir = tempfile::tempdir().unwrap();
        let own_folders = own_folders(dir.path());
        let missing = dir.path().join("no/page.html");
        assert!(write_page(&missing, "new", Overwrite::AnyFile, own_folders.clone()).is_err());
        assert_eq!(names(dir.path()), ["history"]);
    }

    #[cfg(unix)] // only Unix has permission bits
    #[test]
    fn page_is_readable_only_by_its_owner() {
        use std::os::unix::fs::PermissionsExt;

        let dir = tempfile::tempdir().unwrap();
        let own_folders = own_folders(dir.path());
        let out = dir.path().join("page.html");
        fs::write(&out, OLDER).unwrap();
        fs::set_permissions(&out, fs::Permissions::from_mode(0o644)).unwrap();
        write_page(&out, "new", Overwrite::Pages, own_folders.clone()).unwrap();
        assert_eq!(fs::metadata(&out).unwrap().permissions().mode() & 0o777, 0o600);
    }
}
