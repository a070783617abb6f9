//! A picture as a file holds it, and what was cut out of one.

use std::sync::Arc;

use super::region::PixelRect;
use crate::screenshots::size::Size;

/// How a picture is encoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// Small and lossy: what `ManicTime` writes unless told otherwise.
    Jpeg,
    /// Exact.
    Png,
}

impl Format {
    /// Returns the media type for a client.
    pub fn mime_type(self) -> &'static str {
        match self {
            Self::Jpeg => "image/jpeg",
            Self::Png => "image/png",
        }
    }

    /// Returns the usual extension of a file, without the dot.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Jpeg => "jpg",
            Self::Png => "png",
        }
    }
}

/// An encoded picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// The content of a file of this format.
    pub bytes: Arc<[u8]>,
    /// What the bytes are, whatever the file they came from is called.
    pub format: Format,
    /// The picture's real size.
    pub size: Size,
}

/// What was cut out of a picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Crop {
    /// The region, scaled down where that was asked.
    pub picture: Picture,
    /// The size of the picture that it was cut from.
    pub whole: Size,
    /// Where it lies there.
    pub rect: PixelRect,
}
