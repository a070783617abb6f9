//! Files that are read whole.

use std::io::{self, ErrorKind, Read};

/// Reads everything that `from` has, if that is at most `most` bytes.
///
/// # Errors
/// [`ErrorKind::FileTooLarge`] as soon as there is more, so that a device or a pipe without an end is refused too, and errors
/// of the system.
pub fn read_up_to(from: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(io::Error::new(ErrorKind::FileTooLarge, format!("it is larger than {} MiB", most >> 20)));
    }
    Ok(bytes)
}

/// Reads everything that `from` has as text, if that is at most `most` bytes.
///
/// # Errors
/// [`ErrorKind::InvalidData`] for bytes that are not UTF-8, and those of [`read_up_to`].
pub fn text_up_to(from: impl Read, most: u64) -> io::Result<String> {
    let bytes = read_up_to(from, most)?;
    String::from_utf8(bytes).map_err(|_| io::Error::new(ErrorKind::InvalidData, "it is not UTF-8 text"))
}
