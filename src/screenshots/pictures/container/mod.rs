//! What a picture's file says of itself before anything is decoded: format, size, and that it is whole.
//!
//! The content decides, not the name. Everything here costs no more than a walk over the bytes.

mod jpeg;
mod png;
mod walk;

use self::walk::Claim;
use super::error::Error;
use super::limits::{MAX_DECODING_BYTES, MAX_PIXELS, MAX_SIDE};
use super::picture::Format;
use crate::screenshots::size::Size;

/// What stands at the head of a picture that is whole and within the limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Header {
    pub(super) format: Format,
    pub(super) size: Size,
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
