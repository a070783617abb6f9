//! Crops, scales and encodes decoded pixels.

use std::borrow::Cow;

use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{DynamicImage, ImageResult, imageops};

use super::error::Error;
use super::header::decode_error;
use super::picture::{Format, Picture};
use super::region::PixelRect;
use crate::Size;

const JPEG_QUALITY: u8 = 90;
/// The maximum number of pixels between the two passes of the high-quality filter. The filter needs
/// 16 bytes for each of these pixels.
const MAX_BETWEEN_PASSES: u64 = 8 << 20;

fn size_of(pixels: &DynamicImage) -> Size {
    Size { width: pixels.width(), height: pixels.height() }
}

/// Returns the pixels of `rect`, which must be inside the image.
pub(super) fn crop_pixels(pixels: DynamicImage, rect: PixelRect, whole: Size) -> DynamicImage {
    if (rect.width, rect.height) == (whole.width, whole.height) {
        return pixels;
    }
    pixels.crop_imm(rect.x, rect.y, rect.width, rect.height)
}

/// Scales an image down to `width` and keeps its proportions. `width` must be at most the image's
/// own width.
pub(super) fn scale_to_width(pixels: &DynamicImage, width: u32) -> Cow<'_, DynamicImage> {
    let from = size_of(pixels);
    if width == from.width {
        return Cow::Borrowed(pixels);
    }
    let height = (f64::from(from.height) * f64::from(width) / f64::from(from.width)).round();
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most the height it had")]
    let height = (height as u32).max(1);
    // The high-quality filter keeps letters readable, but its time grows with the number of source
    // pixels. If each pixel of the result represents sixteen or more source pixels, the source is
    // first reduced to twice the final size by averaging.
    let pixels = if from.width / width >= 4 && from.height / height >= 4 {
        Cow::Owned(pixels.thumbnail_exact(2 * width, 2 * height))
    } else {
        Cow::Borrowed(pixels)
    };
    // The high-quality filter needs 16 bytes for each pixel between its passes.
    if u64::from(pixels.width()) * u64::from(height) > MAX_BETWEEN_PASSES {
        return Cow::Owned(pixels.thumbnail_exact(width, height));
    }
    Cow::Owned(pixels.resize_exact(width, height, imageops::FilterType::CatmullRom))
}

/// Encodes pixels as lossless PNG, or as JPEG. JPEG doesn't support transparency, so transparency
/// is removed.
pub(super) fn encode(pixels: &DynamicImage, format: Format) -> Result<Picture, Error> {
    let size = size_of(pixels);
    let mut bytes = Vec::new();
    let encoded: ImageResult<()> = match format {
        Format::Jpeg => {
            let plain = match pixels {
                // A decoded JPEG has one of these types, so its pixels don't have to be copied.
                DynamicImage::ImageLuma8(_) | DynamicImage::ImageRgb8(_) => Cow::Borrowed(pixels),
                _ if pixels.color().has_color() => Cow::Owned(pixels.to_rgb8().into()),
                _ => Cow::Owned(pixels.to_luma8().into()),
            };
            plain.write_with_encoder(JpegEncoder::new_with_quality(&mut bytes, JPEG_QUALITY))
        }
        Format::Png => {
            let encoder = PngEncoder::new_with_quality(&mut bytes, CompressionType::Default, FilterType::Adaptive);
            pixels.write_with_encoder(encoder)
        }
    };
    encoded.map_err(|error| decode_error(&error))?;
    Ok(Picture { bytes: bytes.into(), format, size })
}
