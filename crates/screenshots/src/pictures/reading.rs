//! Reads image files. A file is checked before it is opened. If a file can't be read completely, an
//! error is returned.

use std::io::Read;
use std::path::Path;
use std::time::SystemTime;

use cap_std::fs::{Dir, Metadata};

use super::error::Error;

/// The maximum size of a file, in bytes. The tracker's files are well below 1 MiB. For comparison,
/// a PNG of an 8K screen full of noise takes 100 MB.
pub(super) const MAX_BYTES: u64 = 64 << 20;

/// Identifies a version of a file.
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

/// Returns the stamp of a regular file that is within the limits. Fails for a link.
pub(super) fn read_stamp(folder: &Dir, path: &Path) -> Result<Stamp, Error> {
    check_metadata(&folder.symlink_metadata(path)?)
}

/// Returns the content of a file, and the stamp of the version that was read.
///
/// A pipe or a device is never opened, because opening it can block or have side effects.
pub(super) fn read(folder: &Dir, path: &Path) -> Result<(Vec<u8>, Stamp), Error> {
    read_stamp(folder, path)?;
    let mut file = folder.open(path)?;
    let before = check_metadata(&file.metadata()?)?;
    let mut bytes = Vec::with_capacity(usize::try_from(before.bytes).unwrap_or_default());
    // Tries to read one byte more than expected, to notice that the file has grown.
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
