//! Files of an export, each written atomically.

use std::fs::File;
use std::io::{self, BufWriter, Read, Seek};
use std::path::Path;

use crate::files::{self, AtomicFile, IfPresent};

/// What became of a file that was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Outcome {
    pub(super) bytes: u64,
    /// Whether it differs from the one that was there; else that one stays as it is, with its time.
    pub(super) is_new: bool,
}

/// Writes a file, readable by its owner alone, unless the one that is there holds the same.
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

/// All that is in a file.
fn read_content(mut file: &File) -> io::Result<Vec<u8>> {
    let mut content = Vec::new();
    file.rewind()?;
    file.read_to_end(&mut content)?;
    Ok(content)
}
