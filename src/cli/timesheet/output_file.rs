//! A file of entries: there whole or not at all, and for its owner alone.

use std::io::Write;
use std::path::Path;

use super::failure::Failure;
use crate::cli::destination::{self, destination};
use crate::files::{self, IfPresent};
use crate::manictime::Source;

/// Writes a file, in the place of one that is there where that is wanted.
///
/// # Errors
/// A place that may not be written, a file that is to stay, what the system refuses. Nothing is left behind.
pub(super) fn write(path: &Path, text: &str, if_present: IfPresent, source: &Source) -> anyhow::Result<()> {
    let place = destination(path, source.own_folders())?;
    let written = place.draft(if_present).and_then(|mut draft| {
        draft.write_all(text.as_bytes())?;
        draft.publish()
    });
    written.map(drop).map_err(|error| match error {
        files::Error::Exists => Failure::Exists(path.to_owned()).into(),
        error => destination::Error::of(path, error).into(),
    })
}
