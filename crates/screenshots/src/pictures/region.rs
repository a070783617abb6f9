//! A region of an image, in units that are relative to the image's width and height.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Size;

/// `percent`: 0 to 100 of the image. `normalized`: 0 to 1.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Units {
    /// 0 to 100: percent of the width and the height.
    #[default]
    Percent,
    /// 0 to 1: fractions of the width and the height.
    Normalized,
}

impl Units {
    fn whole(self) -> f64 {
        match self {
            Self::Percent => 100.0,
            Self::Normalized => 1.0,
        }
    }
}

/// A rectangle in an image of any size. The rectangle may be partly or completely outside of the
/// image.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Region {
    x: f64,
    y: f64,
    width: f64,
    height: f64,
    units: Units,
}

/// The reason why four numbers aren't a valid region.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum InvalidRegion {
    /// A value is infinite or NaN.
    #[error("`{side}` is `{value}`, which is not a finite number")]
    NotFinite {
        /// The name of the value: `x`, `y`, `width` or `height`.
        side: &'static str,
        /// The invalid value.
        value: f64,
    },
    /// The width or the height is zero or negative.
    #[error("`{side}` is `{value}`, but must be greater than 0")]
    NoArea {
        /// The name of the value: `width` or `height`.
        side: &'static str,
        /// The invalid value.
        value: f64,
    },
}

/// A rectangle inside a picture, in pixels, at least one wide and high.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, JsonSchema)]
pub struct PixelRect {
    /// Pixels to the left of the part.
    pub x: u32,
    /// Pixels above the part.
    pub y: u32,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
}

impl Region {
    /// The whole image.
    pub const WHOLE: Self = Self { x: 0.0, y: 0.0, width: 1.0, height: 1.0, units: Units::Normalized };

    /// Creates a rectangle whose upper left corner is at `x`, `y`. All four numbers are in `units`.
    ///
    /// # Errors
    /// Fails if a number isn't finite, or if the width or height isn't greater than zero. A region
    /// outside of the image is accepted.
    pub fn new(x: f64, y: f64, width: f64, height: f64, units: Units) -> Result<Self, InvalidRegion> {
        for (side, value) in [("x", x), ("y", y), ("width", width), ("height", height)] {
            if !value.is_finite() {
                return Err(InvalidRegion::NotFinite { side, value });
            }
        }
        for (side, value) in [("width", width), ("height", height)] {
            if value <= 0.0 {
                return Err(InvalidRegion::NoArea { side, value });
            }
        }
        Ok(Self { x, y, width, height, units })
    }

    /// Returns the region in pixels, for an image of this size.
    ///
    /// The start is rounded down and the end is rounded up, so that the result includes all pixels
    /// that are partly inside the region. A value that differs from a pixel's edge by at most a
    /// millionth of a pixel counts as the edge. For example, 29 % of 100 is 28.999999999999996 in
    /// floating-point numbers. The result never extends beyond the image. If the whole region is
    /// outside, the result is the nearest row or column of pixels.
    pub fn resolve(&self, size: Size) -> PixelRect {
        let (x, width) = self.side(self.x, self.width, size.width);
        let (y, height) = self.side(self.y, self.height, size.height);
        PixelRect { x, y, width, height }
    }

    /// Returns the start and length of one side of the region, in pixels.
    fn side(&self, start: f64, length: f64, pixels: u32) -> (u32, u32) {
        let in_pixels = |value: f64| value * f64::from(pixels) / self.units.whole();
        let first = clamp_to_u32(edge(in_pixels(start), f64::floor), 0, pixels - 1);
        let end = clamp_to_u32(edge(in_pixels(start + length), f64::ceil), first + 1, pixels);
        (first, end - first)
    }

    /// Returns the bits of all fields, for use in a cache key.
    pub(super) fn key_bits(&self) -> [u64; 5] {
        [self.x, self.y, self.width, self.height, self.units.whole()].map(f64::to_bits)
    }
}

fn edge(value: f64, rounded: fn(f64) -> f64) -> f64 {
    let nearest = value.round();
    if (value - nearest).abs() < 1e-6 { nearest } else { rounded(value) }
}

/// Rounds `value` to an integer from `least` to `most`. `value` may be infinite, because the sum of
/// two numbers can overflow.
fn clamp_to_u32(value: f64, least: u32, most: u32) -> u32 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "clamped to whole numbers of that type"
    )]
    let within = value.clamp(f64::from(least), f64::from(most)) as u32;
    within
}
