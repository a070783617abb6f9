//! What a picture's file says of itself before anything is decoded: format, size, and that it is whole.
//!
//! The content decides, not the name. Everything here costs no more than a walk over the bytes.

mod jpeg;
mod png;

use super::{Error, Format, Size};

/// The most pixels of a picture: three 8K screens side by side have 99.5 million.
pub(super) const MAX_PIXELS: u64 = 100_000_000;
/// The most pixels of a side.
const MAX_SIDE: u32 = 32_768;
/// The most memory that a decoder may need for the pixels, in bytes.
const MAX_DECODING_BYTES: u64 = 512 << 20;

/// What stands at the head of a picture that is whole and within the limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Header {
    pub(super) format: Format,
    pub(super) size: Size,
}

/// What a format's own header says, before the limits are applied.
struct Claim {
    width: u32,
    height: u32,
    /// What decoding takes for one pixel at the most.
    bytes_per_pixel: u64,
}

/// Walks over a picture's file from its head to its end mark.
///
/// # Errors
/// `Empty`, `NotAnImage`, `TooLarge`, `Incomplete`.
pub(super) fn check(bytes: &[u8]) -> Result<Header, Error> {
    if bytes.is_empty() {
        return Err(Error::Empty);
    }
    let (format, claim) = if let Some(rest) = bytes.strip_prefix(&jpeg::SIGNATURE) {
        (Format::Jpeg, jpeg::claim(rest)?)
    } else if let Some(rest) = bytes.strip_prefix(&png::SIGNATURE) {
        (Format::Png, png::claim(rest)?)
    } else if jpeg::SIGNATURE.starts_with(bytes) || png::SIGNATURE.starts_with(bytes) {
        return Err(Error::Incomplete);
    } else {
        return Err(Error::NotAnImage);
    };
    let Claim { width, height, bytes_per_pixel } = claim;
    Ok(Header { format, size: within_limits(width, height, bytes_per_pixel)? })
}

fn within_limits(width: u32, height: u32, bytes_per_pixel: u64) -> Result<Size, Error> {
    if width == 0 || height == 0 {
        return Err(Error::NotAnImage);
    }
    let pixels = u64::from(width) * u64::from(height);
    let decoding = pixels.saturating_mul(bytes_per_pixel);
    if width.max(height) > MAX_SIDE || pixels > MAX_PIXELS || decoding > MAX_DECODING_BYTES {
        return Err(Error::TooLarge);
    }
    Ok(Size { width, height })
}

/// Reads from the head of a slice; what is not there is `Incomplete`.
struct Walk<'a>(&'a [u8]);

impl<'a> Walk<'a> {
    fn take(&mut self, length: usize) -> Result<&'a [u8], Error> {
        let (head, rest) = self.0.split_at_checked(length).ok_or(Error::Incomplete)?;
        self.0 = rest;
        Ok(head)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Error> {
        let (head, rest) = self.0.split_first_chunk().ok_or(Error::Incomplete)?;
        self.0 = rest;
        Ok(*head)
    }

    fn u8(&mut self) -> Result<u8, Error> {
        Ok(u8::from_be_bytes(self.array()?))
    }

    fn u16(&mut self) -> Result<u16, Error> {
        Ok(u16::from_be_bytes(self.array()?))
    }

    fn u32(&mut self) -> Result<u32, Error> {
        Ok(u32::from_be_bytes(self.array()?))
    }
}
