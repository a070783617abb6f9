//! What a note is called: its path below the workspace.

use std::ffi::OsStr;
use std::fmt;
use std::path::{Component, Path};

use serde::Serialize;

use crate::refusal::{Code, Refusal};

/// So many characters a path may have, as with the application.
const MAX_PATH_LENGTH: usize = 4096;

/// The path of a note below the workspace, with `/` between its parts on every system.
///
/// It has no `..`, none of its parts begins with a dot, none is `node_modules`, and it ends in `.md` or `.markdown`, in any
/// case. Such a note doesn't have to exist.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct NotePath(String);

impl NotePath {
    /// Reads a relative path as somebody wrote it. `.` and `..` are resolved by the text alone, so that a folder that is
    /// left again need not be there.
    ///
    /// # Errors
    ///
    /// `INVALID_ARGUMENT` if it is empty or too long, leads out of the workspace, or names what is no note.
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
                Component::ParentDir if parts.pop().is_some() => {}
                Component::ParentDir | Component::RootDir | Component::Prefix(_) => {
                    return Err(invalid("is outside of the workspace"));
                }
            }
        }
        // What stands behind a colon is a second content of a file there, which no list shows.
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

    /// The note of that name in a folder that was walked to, where only names are left that are in place.
    pub(crate) fn from_parts(folder: &str, name: &str) -> Self {
        Self(if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") })
    }

    /// The whole path.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The folder that it lies in, empty for the workspace itself.
    pub fn folder(&self) -> &str {
        self.0.rsplit_once('/').map_or("", |(folder, _)| folder)
    }

    /// The name of the file.
    pub fn file_name(&self) -> &str {
        self.0.rsplit_once('/').map_or(&self.0, |(_, name)| name)
    }

    /// The name of the file without its extension.
    pub fn stem(&self) -> &str {
        self.file_name().rsplit_once('.').map_or(self.file_name(), |(stem, _)| stem)
    }

    /// The part after the last dot: `md` or `markdown` in any case.
    pub fn extension(&self) -> &str {
        self.file_name().rsplit_once('.').map_or("", |(_, extension)| extension)
    }
}

impl fmt::Display for NotePath {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// Whether the name of a file is that of a note.
pub(crate) fn is_note_name(name: &str) -> bool {
    let is_markdown = |extension: &OsStr| ["md", "markdown"].iter().any(|known| extension.eq_ignore_ascii_case(known));
    Path::new(name).extension().is_some_and(is_markdown)
}

/// Whether the application does not look at files and folders of that name.
pub(crate) fn is_ignored_name(name: &str) -> bool {
    name.starts_with('.') || name == "node_modules"
}
