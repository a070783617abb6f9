//! Statements from files.

use std::fs;
use std::path::Path;

use anyhow::Context;

/// The text of a file of statements.
pub(super) fn read(path: &Path) -> anyhow::Result<String> {
    let text = fs::read_to_string(path).with_context(|| format!("cannot read `{}`", path.display()))?;
    Ok(without_mark(text))
}

/// A text without the byte order mark that editors of Windows begin one with.
pub(super) fn without_mark(text: String) -> String {
    text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text)
}
