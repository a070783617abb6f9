//! Reads regular files of a limited size.

use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use super::Error;

/// Opens the regular file at `path` for reading. Returns `None` if `path` doesn't exist.
///
/// # Errors
/// Fails with [`Error::NotAFile`] if `path` isn't a regular file, for example if it is a link to a
/// file. Also fails with errors of the operating system.
pub fn open(path: &Path) -> Result<Option<File>, Error> {
    file_metadata(path)?.map(|_| File::open(path)).transpose().map_err(Error::from)
}

/// Reads the regular file at `path`. Returns `None` if `path` doesn't exist. Links are followed. The function never
/// waits for a pipe and never reads a device. It is therefore safe for files that the command line doesn't name, such
/// as the configuration.
///
/// # Errors
/// Fails with [`Error::NotAFile`] if `path` leads to something other than a regular file. Also
/// fails if `path` is a link without a target, and with the errors of [`read_text_up_to`].
pub fn read_text(path: &Path, most: u64) -> Result<Option<String>, Error> {
    match fs::metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound && !path.is_symlink() => Ok(None),
        Ok(found) => match special_file_kind(&found) {
            Some(kind) => Err(Error::NotAFile(kind)),
            None => Ok(Some(read_text_up_to(File::open(path)?, most)?)),
        },
        Err(error) => Err(error.into()),
    }
}

/// Reads all bytes of `from`, which may have at most `most` bytes.
///
/// # Errors
/// Fails with [`ErrorKind::FileTooLarge`] if there are more bytes, and with errors of the operating system. Reading
/// stops one byte after the limit, so an endless device or pipe fails too.
pub fn read_up_to(from: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(io::Error::new(ErrorKind::FileTooLarge, format!("it is larger than {} MiB", most >> 20)));
    }
    Ok(bytes)
}

/// Reads the whole text of `from`, which may have at most `most` bytes.
///
/// # Errors
/// Fails with [`ErrorKind::InvalidData`] if the bytes aren't UTF-8. Also fails with the errors of [`read_up_to`].
pub fn read_text_up_to(from: impl Read, most: u64) -> io::Result<String> {
    let bytes = read_up_to(from, most)?;
    String::from_utf8(bytes).map_err(|_| io::Error::new(ErrorKind::InvalidData, "it is not UTF-8 text"))
}

/// Returns the metadata of the regular file at `path`, or `None` if `path` doesn't exist. Fails if
/// `path` is a link.
pub(super) fn file_metadata(path: &Path) -> Result<Option<Metadata>, Error> {
    match fs::symlink_metadata(path) {
        Ok(found) => special_file_kind(&found).map_or(Ok(Some(found)), |kind| Err(Error::NotAFile(kind))),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Returns the kind of a special file in words, such as `a pipe` or `a folder`. Returns `None` for a
/// regular file.
pub fn special_file_kind(found: &Metadata) -> Option<&'static str> {
    let kind = found.file_type();
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;

        if kind.is_fifo() {
            return Some("a pipe");
        } else if kind.is_socket() {
            return Some("a socket");
        } else if kind.is_char_device() || kind.is_block_device() {
            return Some("a device");
        }
    }
    if kind.is_file() {
        None
    } else if kind.is_dir() {
        Some("a folder")
    } else if kind.is_symlink() {
        Some("a link")
    } else {
        Some("something else")
    }
}
