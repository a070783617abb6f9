//! An encoded image, and a region of an image.

use std::sync::Arc;

use super::region::PixelRect;
use crate::Size;

/// The format of an encoded image.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// Small and lossy. This is the tracker's default format.
    Jpeg,
    /// Lossless.
    Png,
}

impl Format {
    /// Returns the format's media type.
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
    /// The maximum number of pixels of the longer side.
    pub side: u32,
    /// The maximum number of bytes.
    pub bytes: usize,
}

/// An encoded image.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// The content of a file in this format.
    pub bytes: Arc<[u8]>,
    /// The format of `bytes`, which may differ from the extension of the file.
    pub format: Format,
    /// The size of the image, which may differ from the size in the file name.
    pub size: Size,
}

/// A region of an image.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Crop {
    /// The pixels of the region, scaled down if requested.
    pub picture: Picture,
    /// The size of the whole image.
    pub whole: Size,
    /// The position of the region in the whole image.
    pub rect: PixelRect,
}
