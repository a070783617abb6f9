//! Paths of notes, relative to the workspace.

use std::ffi::OsStr;
use std::fmt;
use std::path::{Component, Path};

use serde::Serialize;

use crate::refusal::{Code, Refusal};

/// The maximum length of a path in characters, as in Chronicle.
const MAX_PATH_LENGTH: usize = 4096;

/// The path of a note relative to the workspace, with `/` as separator on every system.
///
/// The path ends in `.md` or `.markdown`, in small or capital letters. A component of the path isn't `..` or
/// `node_modules`, and doesn't begin with a dot. The note doesn't have to exist.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct NotePath(String);

impl NotePath {
    /// Parses a relative path. `.` and `..` are resolved without looking at the file system, so a folder before `..`
    /// doesn't have to exist.
    ///
    /// # Errors
    ///
    /// `INVALID_ARGUMENT` if the path is empty or too long, leads out of the workspace, or isn't the path of a note.
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
                // `parts.pop()` in the guard also removes the folder before `..`.
                Component::ParentDir if parts.pop().is_some() => {}
                Component::ParentDir | Component::RootDir | Component::Prefix(_) => {
                    return Err(invalid("is outside of the workspace"));
                }
            }
        }
        // On Windows, a colon separates the name of a file from an alternate data stream, which directory listings
        // don't show.
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

    /// Creates the path of a note in a scanned folder. The names of scanned files are already checked.
    pub(crate) fn from_parts(folder: &str, name: &str) -> Self {
        Self(if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") })
    }

    /// Returns the path relative to the workspace.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the folder of the note, or an empty text if the note is at the top of the workspace.
    pub fn folder(&self) -> &str {
        self.0.rsplit_once('/').map_or("", |(folder, _)| folder)
    }

    /// Returns the name of the file.
    pub fn file_name(&self) -> &str {
        self.0.rsplit_once('/').map_or(&self.0, |(_, name)| name)
    }

    /// Returns the file name without its extension.
    pub fn stem(&self) -> &str {
        self.file_name().rsplit_once('.').map_or(self.file_name(), |(stem, _)| stem)
    }

    /// Returns the extension without its dot: `md` or `markdown`, in small or capital letters.
    pub fn extension(&self) -> &str {
        self.file_name().rsplit_once('.').map_or("", |(_, extension)| extension)
    }
}

impl fmt::Display for NotePath {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// Whether a file name is the name of a note.
pub(crate) fn is_note_name(name: &str) -> bool {
    let is_markdown = |extension: &OsStr| ["md", "markdown"].iter().any(|known| extension.eq_ignore_ascii_case(known));
    Path::new(name).extension().is_some_and(is_markdown)
}

/// Whether Chronicle ignores files and folders with this name.
pub(crate) fn is_ignored_name(name: &str) -> bool {
    name.starts_with('.') || name == "node_modules"
}
