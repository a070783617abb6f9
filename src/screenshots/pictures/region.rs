//! A part of a picture, in parts of its width and height.

use schemars::JsonSchema;
use serde::Serialize;

use crate::screenshots::size::Size;

/// Unit of the numbers of a region.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Units {
    /// 0 to 100: hundredths of the width and the height.
    Percent,
    /// 0 to 1: parts of the width and the height.
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

/// A rectangle over a picture of any size; it may lie partly or wholly outside.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Region {
    x: f64,
    y: f64,
    width: f64,
    height: f64,
    units: Units,
}

/// Why numbers are no region.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum InvalidRegion {
    /// Not a number, or infinite.
    #[error("`{side}` is `{value}`, which is not a finite number")]
    NotFinite {
        /// `x`, `y`, `width` or `height`.
        side: &'static str,
        /// What was given.
        value: f64,
    },
    /// A width or height of zero or less.
    #[error("`{side}` is `{value}`, but must be greater than 0")]
    NoArea {
        /// `width` or `height`.
        side: &'static str,
        /// What was given.
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
    /// All of a picture.
    pub const WHOLE: Self = Self { x: 0.0, y: 0.0, width: 1.0, height: 1.0, units: Units::Normalized };

    /// Returns the rectangle whose upper left corner is at `x`, `y`, all four numbers counted in `units`.
    ///
    /// # Errors
    /// A number that is not finite, or a width or height that is not above zero. What lies outside of the picture is no
    /// error.
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

    /// Returns the pixels of a picture of that size that the region touches.
    ///
    /// The start is rounded down and the end up, so that no pixel that is partly inside is lost; what comes within a
    /// millionth of a pixel's edge is taken for the edge, since 29 % of 100 is 28.999999999999996 for a computer. What
    /// lies outside is cut off; a region wholly outside gives the row or column of pixels nearest to it.
    pub fn resolve(&self, size: Size) -> PixelRect {
        let (x, width) = self.side(self.x, self.width, size.width);
        let (y, height) = self.side(self.y, self.height, size.height);
        PixelRect { x, y, width, height }
    }

    /// Start and length in pixels.
    fn side(&self, start: f64, length: f64, pixels: u32) -> (u32, u32) {
        let in_pixels = |value: f64| value * f64::from(pixels) / self.units.whole();
        let first = clamp_to_u32(edge(in_pixels(start), f64::floor), 0, pixels - 1);
        let end = clamp_to_u32(edge(in_pixels(start + length), f64::ceil), first + 1, pixels);
        (first, end - first)
    }

    /// Returns what tells regions apart, for a key.
    pub(super) fn key_bits(&self) -> [u64; 5] {
        [self.x, self.y, self.width, self.height, self.units.whole()].map(f64::to_bits)
    }
}

fn edge(value: f64, rounded: fn(f64) -> f64) -> f64 {
    let nearest = value.round();
    if (value - nearest).abs() < 1e-6 { nearest } else { rounded(value) }
}

/// The whole number nearest to `value` from `least` to `most`; `value` may be infinite, where two sides add up to that.
fn clamp_to_u32(value: f64, least: u32, most: u32) -> u32 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "clamped to whole numbers of that type"
    )]
    let within = value.clamp(f64::from(least), f64::from(most)) as u32;
    within
}
