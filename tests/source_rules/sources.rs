//! Reads the project's source files, for rules that apply to all source files.

use std::fs;
use std::path::{Path, PathBuf};

/// A text file of the project.
pub(crate) struct SourceFile {
    /// The path from the project's root, with `/` as separator.
    pub(crate) path: String,
    pub(crate) text: String,
}

impl SourceFile {
    /// Returns the lines of the file with their numbers. Leaves out comments, and the tests at the end of the file.
    pub(super) fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        let code = self.text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
        let lines = code.lines().enumerate().map(|(index, line)| (index + 1, line));
        lines.filter(|(_, line)| !line.trim_start().starts_with("//"))
    }

    /// Whether the file contains only tests.
    pub(super) fn is_test(&self) -> bool {
        self.path.starts_with("tests/") || self.path.contains("/tests/") || self.path.ends_with("tests.rs")
    }
}

pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns every file below `folder` whose name ends with `.extension`, in order of path.
pub(crate) fn files(folder: &str, extension: &str) -> Vec<SourceFile> {
    let mut found = Vec::new();
    collect(&root().join(folder), extension, &mut found);
    found.sort();
    let files: Vec<_> = found
        .iter()
        .map(|path| SourceFile {
            path: path.strip_prefix(root()).unwrap().to_string_lossy().replace('\\', "/"),
            text: fs::read_to_string(path).unwrap(),
        })
        .collect();
    files
}

fn collect(folder: &Path, extension: &str, found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, extension, found);
        } else if path.extension().is_some_and(|found| found == extension) {
            found.push(path);
        }
    }
}
