//! Reads the format and size of an image from its header, and checks that the file is complete. The
//! image isn't decoded for this.
//!
//! The format is determined from the content. The file name is ignored.

use std::io::Cursor;

use image::{DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader, Limits};

use super::error::Error;
use super::picture::Format;
use crate::Size;

/// The maximum number of pixels of an image. Three 8K screens next to each other have 99.5 million
/// pixels.
pub(super) const MAX_PIXELS: u64 = 100_000_000;
/// The maximum width and height in pixels.
const MAX_SIDE: u32 = 32_768;
/// The maximum memory for decoded pixels, in bytes.
const MAX_DECODING_BYTES: u64 = 512 << 20;
/// The maximum memory for the profiles and texts of a PNG, in bytes. The limit is needed because
/// even a small file can contain large profiles and texts in compressed form.
const MAX_EXTRAS: u64 = 16 << 20;

const JPEG_SIGNATURE: &[u8] = b"\xff\xd8";
const JPEG_PROGRESSIVE_FRAME: &[u8] = b"\xff\xc2";
const JPEG_START_OF_SCAN: &[u8] = b"\xff\xda";
const JPEG_END: &[u8] = b"\xff\xd9";
const PNG_SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";
/// The last chunk of a PNG. This chunk has a checksum, but no content.
const PNG_END: &[u8] = b"\0\0\0\0IEND\xae\x42\x60\x82";

/// The header of an image that is complete and within the limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Header {
    pub(super) format: Format,
    pub(super) size: Size,
}

/// Reads the header of an image, and checks that the image has an end marker.
///
/// # Errors
/// Fails with `Empty`, `NotAnImage`, `TooLarge` or `Incomplete`.
pub(super) fn read(bytes: &[u8]) -> Result<Header, Error> {
    let format = format(bytes)?;
    let decoder = decoder(bytes, format)?;
    let (width, height) = decoder.dimensions();
    let memory = decoder.total_bytes();
    // The decoder of a progressive JPEG also stores coefficients. They take twice the memory of the
    // pixels.
    let is_progressive = || format == Format::Jpeg && contains(bytes, JPEG_PROGRESSIVE_FRAME);
    let is_too_much = memory > MAX_DECODING_BYTES || 3 * memory > MAX_DECODING_BYTES && is_progressive();
    if is_too_much || u64::from(width) * u64::from(height) > MAX_PIXELS {
        return Err(Error::TooLarge);
    }
    if !is_complete(bytes, format) {
        return Err(Error::Incomplete);
    }
    Ok(Header { format, size: Size { width, height } })
}

/// Decodes an image. `header` is the header of this image.
pub(super) fn decode(bytes: &[u8], header: &Header) -> Result<DynamicImage, Error> {
    DynamicImage::from_decoder(decoder(bytes, header.format)?).map_err(|error| decode_error(&error))
}

pub(super) fn decode_error(error: &ImageError) -> Error {
    match error {
        ImageError::Limits(_) => Error::TooLarge,
        ImageError::Unsupported(_) => Error::NotAnImage,
        _ => Error::Incomplete,
    }
}

fn format(bytes: &[u8]) -> Result<Format, Error> {
    if bytes.is_empty() {
        Err(Error::Empty)
    } else if bytes.starts_with(JPEG_SIGNATURE) {
        Ok(Format::Jpeg)
    } else if bytes.starts_with(PNG_SIGNATURE) {
        Ok(Format::Png)
    } else if JPEG_SIGNATURE.starts_with(bytes) || PNG_SIGNATURE.starts_with(bytes) {
        Err(Error::Incomplete)
    } else {
        Err(Error::NotAnImage)
    }
}

fn decoder(bytes: &[u8], format: Format) -> Result<impl ImageDecoder, Error> {
    let format = if format == Format::Png { ImageFormat::Png } else { ImageFormat::Jpeg };
    let mut limits = Limits::default();
    (limits.max_image_width, limits.max_image_height, limits.max_alloc) =
        (Some(MAX_SIDE), Some(MAX_SIDE), Some(MAX_EXTRAS));
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    reader.limits(limits);
    reader.into_decoder().map_err(|error| decode_error(&error))
}

/// Whether the file contains its end marker. This check is needed because decoders fill the missing
/// part of a JPEG with grey. Data after the end marker is accepted, because editors may append
/// data. A thumbnail inside a JPEG also has an end marker, but the scan of the whole image comes
/// after that marker.
fn is_complete(bytes: &[u8], format: Format) -> bool {
    let last = |mark: &[u8]| bytes.windows(mark.len()).rposition(|window| window == mark);
    match format {
        Format::Png => last(PNG_END).is_some(),
        Format::Jpeg => last(JPEG_END).is_some_and(|at| !contains(&bytes[at..], JPEG_START_OF_SCAN)),
    }
}

fn contains(bytes: &[u8], mark: &[u8]) -> bool {
    bytes.windows(mark.len()).any(|window| window == mark)
}
