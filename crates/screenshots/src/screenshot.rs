//! The properties of a screenshot that are known without opening its files.

use std::path::PathBuf;

use chrono::{FixedOffset, NaiveDateTime};

use super::index::Entry;
use super::names::{Extension, Kind, Size};
use super::reference::{Reference, ReferenceFolder};

/// A screenshot, which has a full image, a thumbnail, or both.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Screenshot {
    /// Identifies the screenshot. Stays valid after a restart.
    pub reference: Reference,
    /// The local time at which the screenshot was taken, in whole seconds.
    pub taken_at: NaiveDateTime,
    /// The UTC offset of `taken_at`. `None` for names from before 2018.
    pub offset: Option<FixedOffset>,
    /// The size of the full image according to the file name. `None` for names from before 2018.
    pub size: Option<Size>,
    /// A number that increases with every screenshot of a device. `None` for names from before
    /// 2018.
    pub sequence: Option<u64>,
    /// The last number of the file name, which the contract calls `monitor`
    /// (docs/spec/manictime.md#file-names).
    pub monitor: Option<u32>,
    image: Option<Extension>,
    thumbnail: Option<Extension>,
}

impl Screenshot {
    /// Creates the screenshot for an entry in a folder. Returns `None` if the entry has no files.
    pub(super) fn new(folder: &ReferenceFolder, entry: &Entry) -> Option<Self> {
        let Entry { stem, image, thumbnail } = *entry;
        let details = stem.details;
        Some(Self {
            reference: folder.reference(stem, entry.extension()?),
            taken_at: stem.taken_at,
            offset: details.and_then(|details| details.offset.to_fixed_offset()),
            size: details.map(|details| details.size),
            sequence: details.map(|details| details.sequence),
            monitor: details.map(|details| details.number),
            image,
            thumbnail,
        })
    }

    /// Returns the UTC time at which the screenshot was taken. Returns `None` if the file name has
    /// no UTC offset.
    pub fn taken_utc(&self) -> Option<NaiveDateTime> {
        self.taken_at.checked_sub_offset(self.offset?)
    }

    /// Whether the full image exists.
    pub fn has_image(&self) -> bool {
        self.image.is_some()
    }

    /// Whether the thumbnail exists.
    pub fn has_thumbnail(&self) -> bool {
        self.thumbnail.is_some()
    }

    /// Returns the path of the full image, relative to the screenshots folder.
    pub fn image(&self) -> Option<PathBuf> {
        self.image.map(|extension| self.reference.path(Kind::Image, extension))
    }

    /// Returns the path of the thumbnail, relative to the screenshots folder.
    pub fn thumbnail(&self) -> Option<PathBuf> {
        self.thumbnail.map(|extension| self.reference.path(Kind::Thumbnail, extension))
    }
}
