//! An encoded image, and a crop of one.

use std::sync::Arc;

use super::region::PixelRect;
use crate::Size;

/// The format of an encoded image.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// Small and lossy. The tracker's default.
    Jpeg,
    /// Lossless.
    Png,
}

impl Format {
    /// Returns the media type.
    pub fn mime_type(self) -> &'static str {
        match self {
            Self::Jpeg => "image/jpeg",
            Self::Png => "image/png",
        }
    }

    /// Returns the usual file extension without the dot.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Jpeg => "jpg",
            Self::Png => "png",
        }
    }
}

/// The maximum size of an image in a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SizeLimit {
    /// The maximum number of pixels of its longer side.
    pub side: u32,
    /// The maximum number of bytes.
    pub bytes: usize,
}

/// An encoded image.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// The bytes of a file in this format.
    pub bytes: Arc<[u8]>,
    /// The actual format, independent of the file name.
    pub format: Format,
    /// The actual size.
    pub size: Size,
}

/// A part of an image.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Crop {
    /// The part, scaled down if requested.
    pub picture: Picture,
    /// The size of the whole image.
    pub whole: Size,
    /// The position of the part in the whole image.
    pub rect: PixelRect,
}
