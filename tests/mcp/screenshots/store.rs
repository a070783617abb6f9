//! Generates screenshots of coloured fields. Each field has a different colour, so that each region can be recognised.

use std::fs;
use std::path::{Path, PathBuf};

use image::{ImageFormat, Rgb, RgbImage, imageops};

/// The width and height of a full image in pixels. The image has four rows of four fields.
pub(crate) const SIDE: u32 = 320;
/// The width and height of a field in pixels.
pub(crate) const FIELD: u32 = 80;
/// The width and height of a thumbnail in pixels.
pub(crate) const THUMBNAIL: u32 = 64;

/// The screenshots folder of a history.
pub(crate) struct Store(PathBuf);

impl Store {
    /// Returns the screenshots folder next to the history in `data`. Creates the folder if it doesn't exist.
    pub(crate) fn in_history_folder(data: &Path) -> Self {
        let folder = data.join("Screenshots");
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    /// Creates a screenshots folder that can't be read, even by an administrator: it is a link to itself.
    #[cfg(not(windows))]
    pub(crate) fn unreadable(data: &Path) {
        std::os::unix::fs::symlink("Screenshots", data.join("Screenshots")).unwrap();
    }

    /// Creates a screenshots folder that can't be read until the tests end, because it is opened without sharing.
    #[cfg(windows)]
    pub(crate) fn unreadable(data: &Path) {
        use std::os::windows::fs::OpenOptionsExt;
        /// Without this flag, Windows can't open a folder.
        const FILE_FLAG_BACKUP_SEMANTICS: u32 = 0x0200_0000;
        let folder = data.join("Screenshots");
        fs::create_dir(&folder).unwrap();
        let open =
            fs::OpenOptions::new().read(true).share_mode(0).custom_flags(FILE_FLAG_BACKUP_SEMANTICS).open(folder);
        std::mem::forget(open.unwrap());
    }

    /// Adds a full image and its thumbnail. `taken` is a local time such as `2025-01-15 09:10:00`, one hour ahead of
    /// UTC.
    pub(crate) fn add(&self, taken: &str, sequence: u32) -> &Self {
        self.add_image(taken, sequence).add_thumbnail(taken, sequence)
    }

    /// Adds only the full image.
    pub(crate) fn add_image(&self, taken: &str, sequence: u32) -> &Self {
        save(&fields(SIDE), &self.path(taken, sequence, "jpg"));
        self
    }

    /// Adds only the thumbnail.
    pub(crate) fn add_thumbnail(&self, taken: &str, sequence: u32) -> &Self {
        let small = imageops::thumbnail(&fields(SIDE), THUMBNAIL, THUMBNAIL);
        save(&small, &self.path(taken, sequence, "thumbnail.jpg"));
        self
    }

    /// Writes `bytes` as the content of the full image. Returns the file's path.
    pub(crate) fn put(&self, taken: &str, sequence: u32, bytes: &[u8]) -> PathBuf {
        let path = self.path(taken, sequence, "jpg");
        fs::write(&path, bytes).unwrap();
        path
    }

    /// Returns the path of the file for this time. Creates the folder of the day.
    pub(crate) fn path(&self, taken: &str, sequence: u32, extension: &str) -> PathBuf {
        let (day, time) = taken.split_once(' ').unwrap();
        let folder = self.0.join(day);
        fs::create_dir_all(&folder).unwrap();
        folder.join(format!("{day}_{}_01-00_{SIDE}_{SIDE}_{sequence}_0.{extension}", time.replace(':', "-")))
    }
}

/// Returns the colour of the field in that column and row. The column and the row are numbers from 0 to 3.
pub(crate) fn colour(column: u32, row: u32) -> [u8; 3] {
    let part = |at: u32| u8::try_from(40 + 60 * at).unwrap();
    [part(column), part(row), 128]
}

/// Returns an image of all fields.
pub(crate) fn fields(side: u32) -> RgbImage {
    let field = side / 4;
    RgbImage::from_fn(side, side, |x, y| Rgb(colour(x / field, y / field)))
}

fn save(picture: &RgbImage, path: &Path) {
    let mut bytes = Vec::new();
    let encoder = image::codecs::jpeg::JpegEncoder::new_with_quality(&mut bytes, 95);
    picture.write_with_encoder(encoder).unwrap();
    assert_eq!(image::guess_format(&bytes).unwrap(), ImageFormat::Jpeg);
    fs::write(path, bytes).unwrap();
}
