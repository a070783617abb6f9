//! Images with known colours in a temporary folder, for the tests.

mod crops;
mod damage;
mod hostile;
mod results;
mod retries;

use std::fs;
use std::io::Cursor;
use std::path::Path;

use cap_std::ambient_authority;
use cap_std::fs::Dir;
use image::{DynamicImage, ImageFormat, Rgb, RgbImage};
use tempfile::TempDir;

use super::{Format, Pictures};
use crate::Size;

/// A file name with a size that differs from the size of the test images.
pub(super) const NAME: &str = "2026-02-27_06-14-44_01-00_3866_2330_517204_1.jpg";
/// The width and height of a field, in pixels. A field is a square of one colour.
const FIELD: u32 = 40;
/// The size of the images. They are five fields wide and three fields high.
const SIZE: Size = Size { width: 5 * FIELD, height: 3 * FIELD };

/// Returns the colour of the field that contains a pixel. Every field has a different colour.
fn colour(x: u32, y: u32) -> Rgb<u8> {
    let [column, row] = [x / FIELD, y / FIELD].map(|field| u8::try_from(field).unwrap());
    Rgb([40 * column + 20, 80 * row + 20, 200 - 40 * column])
}

fn fields() -> DynamicImage {
    RgbImage::from_fn(SIZE.width, SIZE.height, colour).into()
}

fn encode(picture: &DynamicImage, format: Format) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    let format = if format == Format::Png { ImageFormat::Png } else { ImageFormat::Jpeg };
    picture.write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

fn decode(bytes: &[u8]) -> RgbImage {
    image::load_from_memory(bytes).unwrap().into_rgb8()
}

/// A temporary folder with images.
struct Folder {
    temporary: TempDir,
    dir: Dir,
}

impl Folder {
    fn new() -> Self {
        let temporary = tempfile::tempdir().unwrap();
        let dir = Dir::open_ambient_dir(temporary.path(), ambient_authority()).unwrap();
        Self { temporary, dir }
    }

    /// Creates a folder with one file.
    fn with(bytes: &[u8]) -> Self {
        let folder = Self::new();
        folder.put(bytes);
        folder
    }

    fn put(&self, bytes: &[u8]) {
        fs::write(self.temporary.path().join(NAME), bytes).unwrap();
    }
}

fn name() -> &'static Path {
    Path::new(NAME)
}

/// Creates an instance that doesn't wait between attempts to read a file.
fn pictures() -> Pictures {
    Pictures::with_wait(|_| {})
}
