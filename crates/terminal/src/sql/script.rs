//! Reads statements from files.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use anyhow::Context;
use dayledger_core::files::read_text_up_to;

/// The size limit of a text, in bytes.
const MAX_BYTES: u64 = 64 << 20;

/// Reads a file of statements. A pipe is accepted, because the user chose it.
pub(super) fn read(path: &Path) -> anyhow::Result<String> {
    File::open(path).and_then(statements).with_context(|| format!("cannot read `{}`", path.display()))
}

/// Reads statements from a file, a pipe or standard input. Removes the byte order mark that editors on Windows add.
pub(super) fn statements(from: impl Read) -> io::Result<String> {
    let text = read_text_up_to(from, MAX_BYTES)?;
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}
