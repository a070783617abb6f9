//! Reads image files. A file is checked before it is opened, and read completely or not at all.

use std::io::Read;
use std::path::Path;
use std::time::SystemTime;

use cap_std::fs::{Dir, Metadata};

use super::error::Error;

/// The maximum size of a file in bytes. The tracker's files are well below 1 MiB. An 8K screen of
/// noise as PNG has 100 MB.
pub(super) const MAX_BYTES: u64 = 64 << 20;

/// Identifies a state of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Stamp {
    bytes: u64,
    modified: Option<SystemTime>,
}

impl Stamp {
    fn from_metadata(metadata: &Metadata) -> Self {
        Self { bytes: metadata.len(), modified: metadata.modified().ok().map(cap_std::time::SystemTime::into_std) }
    }
}

/// Returns the state of a regular file within the limits. Links are rejected.
pub(super) fn read_stamp(folder: &Dir, path: &Path) -> Result<Stamp, Error> {
    check_metadata(&folder.symlink_metadata(path)?)
}

/// Returns the content of a file, with the state in which it was read.
///
/// A pipe or a device is never opened, because opening it can block or have side effects.
pub(super) fn read(folder: &Dir, path: &Path) -> Result<(Vec<u8>, Stamp), Error> {
    read_stamp(folder, path)?;
    let mut file = folder.open(path)?;
    let before = check_metadata(&file.metadata()?)?;
    let mut bytes = Vec::with_capacity(usize::try_from(before.bytes).unwrap_or_default());
    // One more byte shows that the file grew.
    Read::by_ref(&mut file).take(before.bytes + 1).read_to_end(&mut bytes)?;
    if Stamp::from_metadata(&file.metadata()?) != before || bytes.len() as u64 != before.bytes {
        return Err(Error::Incomplete);
    }
    Ok((bytes, before))
}

fn check_metadata(metadata: &Metadata) -> Result<Stamp, Error> {
    let stamp = Stamp::from_metadata(metadata);
    if !metadata.is_file() {
        return Err(Error::NotAnImage);
    }
    match stamp.bytes {
        0 => Err(Error::Empty),
        bytes if bytes > MAX_BYTES => Err(Error::TooLarge),
        _ => Ok(stamp),
    }
}
