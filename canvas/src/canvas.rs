//! The pixels.

use std::convert::Infallible;

use embedded_graphics::Pixel;
use embedded_graphics::mono_font::iso_8859_1::{FONT_7X13, FONT_9X15, FONT_9X15_BOLD, FONT_10X20};
use embedded_graphics::mono_font::{MonoFont, MonoTextStyle};
use embedded_graphics::pixelcolor::Rgb888;
use embedded_graphics::prelude::{Dimensions, DrawTarget, Drawable, OriginDimensions, Point, RgbColor, Size};
use embedded_graphics::primitives::Rectangle;
use embedded_graphics::text::{Baseline, Text};
use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::PngEncoder;
use image::{ExtendedColorType, ImageEncoder, ImageError, Rgb, RgbImage, imageops};

use super::Area;

/// Red, green and blue.
pub type Color = [u8; 3];

/// JPEG quality: letters stay clear, and a screen takes some 100 kB.
const QUALITY: u8 = 75;

/// How letters look. All are of one width, and know the letters of ISO 8859-1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Face {
    /// 7 by 13 pixels.
    Small,
    /// 9 by 15 pixels.
    Plain,
    /// 9 by 15 pixels, bold.
    Bold,
    /// 10 by 20 pixels.
    Large,
    /// 20 by 40 pixels.
    Heading,
}

impl Face {
    /// Returns width and height of a letter.
    pub const fn size(self) -> (u32, u32) {
        match self {
            Self::Small => (7, 13),
            Self::Plain | Self::Bold => (9, 15),
            Self::Large => (10, 20),
            Self::Heading => (20, 40),
        }
    }

    const fn font(self) -> &'static MonoFont<'static> {
        match self {
            Self::Small => &FONT_7X13,
            Self::Plain => &FONT_9X15,
            Self::Bold => &FONT_9X15_BOLD,
            Self::Large | Self::Heading => &FONT_10X20,
        }
    }
}

/// A surface of pixels.
#[derive(Clone, Debug)]
pub struct Canvas {
    pixels: RgbImage,
}

impl Canvas {
    /// Returns a surface of one colour.
    pub fn new(width: u32, height: u32, color: Color) -> Self {
        Self { pixels: RgbImage::from_pixel(width, height, Rgb(color)) }
    }

    /// Returns the whole surface.
    pub fn area(&self) -> Area {
        Area::new(0, 0, self.pixels.width(), self.pixels.height())
    }

    /// Fills an area.
    pub fn fill(&mut self, area: Area, color: Color) {
        let (width, height) = self.pixels.dimensions();
        let right = area.left.saturating_add(area.width).min(width);
        for row in area.top..area.top.saturating_add(area.height).min(height) {
            for column in area.left..right {
                self.pixels.put_pixel(column, row, Rgb(color));
            }
        }
    }

    /// Draws the border of an area, one pixel wide.
    pub fn outline(&mut self, area: Area, color: Color) {
        for edge in [area.split_top(1).0, area.split_bottom(1).0, area.split_left(1).0, area.split_right(1).0] {
            self.fill(edge, color);
        }
    }

    /// Writes a line of text at the left of an area, in the middle of its height. What does not fit the area's width is
    /// cut, with dots in its place.
    pub fn text(&mut self, area: Area, text: &str, face: Face, color: Color) {
        let (width, height) = face.size();
        let fitting = area.width.checked_div(width).map_or(0, |letters| letters as usize);
        let mut shown = String::new();
        if text.chars().count() <= fitting {
            shown.push_str(text);
        } else if fitting > 2 {
            shown.extend(text.chars().take(fitting - 2));
            shown.push_str("..");
        }
        let shown = shown.chars().map(in_font).collect::<String>();
        let top = area.top + area.height.saturating_sub(height) / 2;
        let at = Point::new(area.left.cast_signed(), top.cast_signed());
        let style = MonoTextStyle::new(face.font(), Rgb888::new(color[0], color[1], color[2]));
        let Ok(_) = if face == Face::Heading {
            Text::with_baseline(&shown, Point::zero(), style, Baseline::Top).draw(&mut Doubled { canvas: self, at })
        } else {
            Text::with_baseline(&shown, at, style, Baseline::Top).draw(self)
        };
    }

    /// Returns the picture at another size.
    #[must_use]
    pub fn scaled(&self, width: u32, height: u32) -> Self {
        Self { pixels: imageops::thumbnail(&self.pixels, width, height) }
    }

    /// Returns the picture as a JPEG file.
    pub fn jpeg(&self) -> Result<Vec<u8>, ImageError> {
        let mut file = Vec::new();
        JpegEncoder::new_with_quality(&mut file, QUALITY).encode_image(&self.pixels)?;
        Ok(file)
    }

    /// Returns the picture as a PNG file.
    pub fn png(&self) -> Result<Vec<u8>, ImageError> {
        let mut file = Vec::new();
        let (width, height) = self.pixels.dimensions();
        PngEncoder::new(&mut file).write_image(&self.pixels, width, height, ExtendedColorType::Rgb8)?;
        Ok(file)
    }
}

impl OriginDimensions for Canvas {
    fn size(&self) -> Size {
        Size::new(self.pixels.width(), self.pixels.height())
    }
}

impl DrawTarget for Canvas {
    type Color = Rgb888;
    type Error = Infallible;

    fn draw_iter<I: IntoIterator<Item = Pixel<Rgb888>>>(&mut self, pixels: I) -> Result<(), Infallible> {
        for Pixel(at, color) in pixels {
            if let (Ok(column), Ok(row)) = (u32::try_from(at.x), u32::try_from(at.y))
                && let Some(pixel) = self.pixels.get_pixel_mut_checked(column, row)
            {
                *pixel = Rgb([color.r(), color.g(), color.b()]);
            }
        }
        Ok(())
    }
}

/// Draws everything twice as large, from a point on.
struct Doubled<'a> {
    canvas: &'a mut Canvas,
    at: Point,
}

impl Dimensions for Doubled<'_> {
    fn bounding_box(&self) -> Rectangle {
        Rectangle::new(Point::zero(), self.canvas.size() / 2)
    }
}

impl DrawTarget for Doubled<'_> {
    type Color = Rgb888;
    type Error = Infallible;

    fn draw_iter<I: IntoIterator<Item = Pixel<Rgb888>>>(&mut self, pixels: I) -> Result<(), Infallible> {
        let corners = [Point::new(0, 0), Point::new(1, 0), Point::new(0, 1), Point::new(1, 1)];
        let at = self.at;
        self.canvas.draw_iter(
            pixels
                .into_iter()
                .flat_map(|Pixel(point, color)| corners.map(|corner| Pixel(at + point * 2 + corner, color))),
        )
    }
}

/// Returns a letter that the fonts have in place of one that they lack.
const fn in_font(letter: char) -> char {
    match letter {
        '–' | '—' => '-',
        '●' => '*',
        other => other,
    }
}
