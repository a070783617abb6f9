//! Files that are whole or not there.

use std::io::{self, BufWriter};

use crate::files::{self, Draft, IfPresent, Place};

/// Writes a file, readable by its owner alone, and returns its size in bytes.
pub(super) fn write_whole(
    place: &Place,
    write: impl FnOnce(&mut BufWriter<Draft<'_>>) -> io::Result<()>,
) -> Result<u64, files::Error> {
    let mut out = BufWriter::new(place.draft(IfPresent::Replace)?);
    write(&mut out)?;
    let draft = out.into_inner().map_err(io::IntoInnerError::into_error)?;
    Ok(draft.publish()?.metadata()?.len())
}
