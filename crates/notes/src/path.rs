//! Paths of notes below the workspace.

use std::ffi::OsStr;
use std::fmt;
use std::path::{Component, Path};

use serde::Serialize;

use crate::refusal::{Code, Refusal};

/// The maximum length of a path in characters, as in the application.
const MAX_PATH_LENGTH: usize = 4096;

/// The path of a note below the workspace, with `/` between its parts on every system.
///
/// It has no `..`, none of its parts begins with a dot, none is `node_modules`, and it ends in `.md` or `.markdown`, in any
/// case. Such a note doesn't have to exist.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct NotePath(String);

impl NotePath {
    /// Parses a relative path. `.` and `..` are resolved textually, so a folder followed by `..` doesn't have to
    /// exist.
    ///
    /// # Errors
    ///
    /// `INVALID_ARGUMENT` if it is empty or too long, leads out of the workspace, or isn't a note.
    pub fn parse(asked: &str) -> Result<Self, Refusal> {
        let invalid = |why: &str| {
            let shown: String = asked.chars().take(100).collect();
            Refusal::new(
                Code::InvalidArgument,
                format!("`{shown}` {why}; pass a path in the workspace, such as `2024-12-10-kickoff.md`"),
            )
        };
        if asked.is_empty() || asked.contains('\0') {
            return Err(invalid("is not a path"));
        }
        if asked.chars().nth(MAX_PATH_LENGTH).is_some() {
            return Err(invalid("is longer than 4096 characters"));
        }
        let mut parts = Vec::new();
        for component in Path::new(asked).components() {
            match component {
                Component::CurDir => {}
                Component::Normal(part) => parts.push(part.to_str().ok_or_else(|| invalid("is not a path"))?),
                // The guard also removes the folder that `..` leaves.
                Component::ParentDir if parts.pop().is_some() => {}
                Component::ParentDir | Component::RootDir | Component::Prefix(_) => {
                    return Err(invalid("is outside of the workspace"));
                }
            }
        }
        // On Windows, a colon refers to an alternate data stream of a file, which no listing shows.
        if cfg!(windows) && parts.iter().any(|part| part.contains(':')) {
            return Err(invalid("is not a path"));
        }
        if parts.iter().any(|part| is_ignored_name(part)) {
            return Err(invalid("is not a note: other files are not available"));
        }
        if !parts.last().is_some_and(|name| is_note_name(name)) {
            return Err(invalid("is not a note: notes end in `.md` or `.markdown`"));
        }
        Ok(Self(parts.join("/")))
    }

    /// Creates the path of a note in a folder that was scanned, whose names need no check.
    pub(crate) fn from_parts(folder: &str, name: &str) -> Self {
        Self(if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") })
    }

    /// Returns the whole path.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the folder, which is empty for the workspace itself.
    pub fn folder(&self) -> &str {
        self.0.rsplit_once('/').map_or("", |(folder, _)| folder)
    }

    /// Returns the name of the file.
    pub fn file_name(&self) -> &str {
        self.0.rsplit_once('/').map_or(&self.0, |(_, name)| name)
    }

    /// Returns the name of the file without its extension.
    pub fn stem(&self) -> &str {
        self.file_name().rsplit_once('.').map_or(self.file_name(), |(stem, _)| stem)
    }

    /// Returns the part after the last dot: `md` or `markdown` in any case.
    pub fn extension(&self) -> &str {
        self.file_name().rsplit_once('.').map_or("", |(_, extension)| extension)
    }
}

impl fmt::Display for NotePath {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// Whether a file name is that of a note.
pub(crate) fn is_note_name(name: &str) -> bool {
    let is_markdown = |extension: &OsStr| ["md", "markdown"].iter().any(|known| extension.eq_ignore_ascii_case(known));
    Path::new(name).extension().is_some_and(is_markdown)
}

/// Whether the application ignores files and folders with this name.
pub(crate) fn is_ignored_name(name: &str) -> bool {
    name.starts_with('.') || name == "node_modules"
}
