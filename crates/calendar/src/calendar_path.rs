//! Finds the files to which a configured path refers.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use globset::GlobMatcher;

use dayledger_core::glob;

/// The maximum number of files that match a pattern. The first files by name are used.
const MAX_FILES: usize = 200;

/// A single file, or all files in a folder with names that match a pattern.
#[derive(Debug, Clone)]
pub(super) struct CalendarPath {
    path: PathBuf,
    /// A pattern for the names of files in the folder of `path`, or `None` if `path` is a single file.
    pattern: Option<GlobMatcher>,
}

/// The reason why a configured path is invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidCalendarPath {
    /// The path doesn't end with a file name.
    #[error("`file` is not a file: use a file such as `calendar.ics`, or a pattern such as `*.ics`")]
    NoFile,
    /// The pattern is in the name of a folder, not in the file name.
    #[error("`file` can contain `*` and `?` only in its last part, the name of the file")]
    ManyFolders,
    /// The pattern is invalid.
    #[error("invalid pattern: {0}")]
    Pattern(String),
}

impl CalendarPath {
    pub(super) fn new(path: &Path) -> Result<Self, InvalidCalendarPath> {
        let name = path.file_name().ok_or(InvalidCalendarPath::NoFile)?.to_string_lossy();
        let is_pattern = |text: &str| text.contains(['*', '?']);
        let folder = path.parent().map(Path::to_string_lossy).unwrap_or_default();
        // On Windows, long paths begin with `\\?\`, which isn't a pattern.
        if is_pattern(folder.strip_prefix(r"\\?\").unwrap_or(&folder)) {
            return Err(InvalidCalendarPath::ManyFolders);
        }
        let pattern = is_pattern(&name).then(|| glob::compile(&name, |glob| glob.backslash_escape(false))).transpose();
        Ok(Self { path: path.to_owned(), pattern: pattern.map_err(InvalidCalendarPath::Pattern)? })
    }

    /// Returns the path of the file or pattern, as configured.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the files that exist now, sorted by name.
    ///
    /// # Errors
    /// Fails if the folder can't be read.
    pub(super) fn files(&self) -> io::Result<Vec<PathBuf>> {
        let Some(pattern) = &self.pattern else {
            return Ok(if self.path.try_exists()? { vec![self.path.clone()] } else { Vec::new() });
        };
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let entries = match fs::read_dir(folder) {
            // A missing folder results in an empty list, so the user gets the same message as for a missing file.
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries?,
        };
        let names = entries.flatten().map(|entry| entry.file_name());
        let mut names: Vec<_> = names.filter(|name| pattern.is_match(name)).collect();
        names.sort_unstable();
        names.truncate(MAX_FILES);
        Ok(names.into_iter().map(|name| folder.join(name)).collect())
    }
}
