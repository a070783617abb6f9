//! What is known of a screenshot without opening its files.

use std::path::PathBuf;

use chrono::{FixedOffset, NaiveDateTime};

use super::index::Entry;
use super::names::{Extension, Kind};
use super::reference::{Reference, ReferenceFolder};
use super::size::Size;

/// A screenshot: a full image, its thumbnail, or both.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Screenshot {
    /// Stands for it, also after a restart.
    pub reference: Reference,
    /// When it was taken, local wall time, whole seconds.
    pub taken_at: NaiveDateTime,
    /// The local offset from UTC then; `None` where the name is from before 2018.
    pub offset: Option<FixedOffset>,
    /// The full image's size as the name says it; `None` where the name is from before 2018.
    pub size: Option<Size>,
    /// Grows per device; `None` where the name is from before 2018.
    pub sequence: Option<u64>,
    /// The name's last number (contract, field `monitor`; docs/spec/manictime.md#file-names).
    pub monitor: Option<u32>,
    image: Option<Extension>,
    thumbnail: Option<Extension>,
}

impl Screenshot {
    /// What lies at that place; `None` for an entry without files.
    pub(super) fn new(place: &ReferenceFolder, entry: &Entry) -> Option<Self> {
        let Entry { stem, image, thumbnail } = *entry;
        let details = stem.details;
        Some(Self {
            reference: place.reference(stem, entry.extension()?),
            taken_at: stem.taken_at,
            offset: details.and_then(|details| details.offset.to_fixed_offset()),
            size: details.map(|details| details.size),
            sequence: details.map(|details| details.sequence),
            monitor: details.map(|details| details.number),
            image,
            thumbnail,
        })
    }

    /// When it was taken, UTC; `None` where the name does not tell the offset.
    pub fn taken_utc(&self) -> Option<NaiveDateTime> {
        self.taken_at.checked_sub_offset(self.offset?)
    }

    /// Whether there is a full image.
    pub fn has_image(&self) -> bool {
        self.image.is_some()
    }

    /// Whether there is a thumbnail.
    pub fn has_thumbnail(&self) -> bool {
        self.thumbnail.is_some()
    }

    /// The full image's file, relative to the screenshots folder.
    pub fn image(&self) -> Option<PathBuf> {
        self.image.map(|extension| self.reference.path(Kind::Image, extension))
    }

    /// The thumbnail's file, relative to the screenshots folder.
    pub fn thumbnail(&self) -> Option<PathBuf> {
        self.thumbnail.map(|extension| self.reference.path(Kind::Thumbnail, extension))
    }
}
