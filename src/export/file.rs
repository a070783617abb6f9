//! Files that are whole or not there.

use std::fs::File;
use std::io::{self, BufWriter, Read, Seek};

use crate::files::{self, Draft, IfPresent, Place};

/// What became of a file that was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Outcome {
    pub(super) bytes: u64,
    /// Whether it differs from the one that was there; else that one stays as it is, with its time.
    pub(super) is_new: bool,
}

/// Writes a file, readable by its owner alone, unless the one that is there holds the same.
pub(super) fn write_whole(
    place: &Place,
    write: impl FnOnce(&mut BufWriter<Draft<'_>>) -> io::Result<()>,
) -> Result<Outcome, files::Error> {
    let mut out = BufWriter::new(place.draft(IfPresent::Replace)?);
    write(&mut out)?;
    let draft = out.into_inner().map_err(io::IntoInnerError::into_error)?;
    let bytes = draft.file().metadata()?.len();
    if let Some(there) = place.open()?
        && there.metadata()?.len() == bytes
        && content(draft.file())? == content(&there)?
    {
        return Ok(Outcome { bytes, is_new: false });
    }
    draft.publish()?;
    Ok(Outcome { bytes, is_new: true })
}

/// All that is in a file.
fn content(mut file: &File) -> io::Result<Vec<u8>> {
    let mut content = Vec::new();
    file.rewind()?;
    file.read_to_end(&mut content)?;
    Ok(content)
}
