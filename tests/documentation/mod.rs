//! Tests the pages for users: the length of the README, links, commands with their output, and pictures.

#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a failing test panics")]

#[cfg(unix)] // a Unix shell runs the commands
mod blocks;
#[cfg(unix)] // a Unix shell runs the commands
mod commands;
mod links;
pub(crate) mod parts;
#[cfg(unix)] // the test needs a Unix pseudo-terminal
mod pictures;
#[cfg(unix)] // a Unix shell runs the commands
mod shell;

use std::fs;

use crate::source_rules::sources::{SourceFile, files, root};

/// The maximum size of the README, in bytes. It must be short enough that people read it before they decide to use
/// dayledger.
const MAX_README_BYTES: usize = 7 * 1024;

/// Returns the README and the pages in `docs`.
fn pages() -> Vec<SourceFile> {
    let mut pages = vec![page("README.md")];
    pages.extend(files("docs", "md"));
    pages
}

/// Returns a page of the project. `name` is its path from the project's root.
fn page(name: &str) -> SourceFile {
    SourceFile { path: name.to_owned(), text: fs::read_to_string(root().join(name)).unwrap() }
}

#[test]
fn readme_is_short() {
    let bytes = page("README.md").text.len();
    assert!(bytes <= MAX_README_BYTES, "README.md has {bytes} bytes, and {MAX_README_BYTES} are enough");
}

#[test]
fn index_lists_every_page() {
    let index = page("docs/README.md").text;
    for file in files("docs", "md") {
        let name = file.path.trim_start_matches("docs/");
        let is_listed = index.contains(&format!("]({name})"));
        assert!(is_listed || name == "README.md" || name.starts_with("decisions/"), "docs/README.md lacks {name}");
    }
}
