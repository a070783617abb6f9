//! Writes the files of an export atomically, and only if their content changed.

use std::fs::File;
use std::io::{self, BufWriter, Read, Seek};
use std::path::Path;

use dayledger_core::files::{self, AtomicFile, IfPresent};

/// The result of writing a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Outcome {
    pub(super) bytes: u64,
    /// Whether the content changed. If it didn't, the existing file keeps its modification time.
    pub(super) is_new: bool,
}

/// Writes a file that only its owner can read. If the existing file has the same content, it stays untouched.
pub(super) fn write_if_changed(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<AtomicFile>) -> io::Result<()>,
) -> Result<Outcome, files::Error> {
    let mut out = BufWriter::new(AtomicFile::create(path, IfPresent::Replace)?);
    write(&mut out)?;
    let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
    let bytes = file.file().metadata()?.len();
    if let Some(there) = files::open(path)?
        && there.metadata()?.len() == bytes
        && read_content(file.file())? == read_content(&there)?
    {
        return Ok(Outcome { bytes, is_new: false });
    }
    file.commit()?;
    Ok(Outcome { bytes, is_new: true })
}

/// Reads the whole file, from its beginning.
fn read_content(mut file: &File) -> io::Result<Vec<u8>> {
    let mut content = Vec::new();
    file.rewind()?;
    file.read_to_end(&mut content)?;
    Ok(content)
}
