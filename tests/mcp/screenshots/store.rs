//! Generated screenshots: coloured fields, so that each part is distinguishable.

use std::fs;
use std::path::{Path, PathBuf};

use image::{ImageFormat, Rgb, RgbImage, imageops};

/// Width and height of a full image in pixels: four by four fields.
pub(crate) const SIDE: u32 = 320;
/// Width and height of a field.
pub(crate) const FIELD: u32 = 80;
/// Width and height of a thumbnail.
pub(crate) const THUMBNAIL: u32 = 64;

/// The folder of screenshots of a history.
pub(crate) struct Store(PathBuf);

impl Store {
    /// The folder of screenshots next to the history in `data`. Created if it is missing.
    pub(crate) fn in_history_folder(data: &Path) -> Self {
        let folder = data.join("Screenshots");
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    /// Creates a folder next to the history that can't be read, even by an administrator: a link to itself.
    #[cfg(not(windows))]
    pub(crate) fn unreadable(data: &Path) {
        std::os::unix::fs::symlink("Screenshots", data.join("Screenshots")).unwrap();
    }

    /// Creates a folder next to the history that can't be read until the tests end: it is open without sharing.
    #[cfg(windows)]
    pub(crate) fn unreadable(data: &Path) {
        use std::os::windows::fs::OpenOptionsExt;
        /// Without this flag, a folder can't be opened.
        const FILE_FLAG_BACKUP_SEMANTICS: u32 = 0x0200_0000;
        let folder = data.join("Screenshots");
        fs::create_dir(&folder).unwrap();
        let open =
            fs::OpenOptions::new().read(true).share_mode(0).custom_flags(FILE_FLAG_BACKUP_SEMANTICS).open(folder);
        std::mem::forget(open.unwrap());
    }

    /// Adds a full image and its thumbnail, taken at a local time such as `2025-01-15 09:10:00`, one hour ahead of UTC.
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

    /// Writes `bytes` in place of the full image.
    pub(crate) fn put(&self, taken: &str, sequence: u32, bytes: &[u8]) -> PathBuf {
        let path = self.path(taken, sequence, "jpg");
        fs::write(&path, bytes).unwrap();
        path
    }

    /// The path of the file for this time. The day's folder is created.
    pub(crate) fn path(&self, taken: &str, sequence: u32, extension: &str) -> PathBuf {
        let (day, time) = taken.split_once(' ').unwrap();
        let folder = self.0.join(day);
        fs::create_dir_all(&folder).unwrap();
        folder.join(format!("{day}_{}_01-00_{SIDE}_{SIDE}_{sequence}_0.{extension}", time.replace(':', "-")))
    }
}

/// The colour of the field in that column and row, both from 0 to 3.
pub(crate) fn colour(column: u32, row: u32) -> [u8; 3] {
    let part = |at: u32| u8::try_from(40 + 60 * at).unwrap();
    [part(column), part(row), 128]
}

/// An image of the fields.
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
