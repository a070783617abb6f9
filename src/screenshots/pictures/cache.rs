//! What was made of pictures lately, encoded: a client that looks again, or saves what it saw, waits for no decoder.

use std::path::{Path, PathBuf};

use quick_cache::Weighter;
use quick_cache::sync::Cache as Bounded;

use super::picture::Crop;
use super::reading::Stamp;
use super::region::Region;

/// The most bytes that are remembered.
const CAPACITY: u64 = 32 << 20;
/// How many answers are expected to fill it. So few keep it in one piece, so that one of them may fill it alone.
const EXPECTED_ENTRIES: usize = 32;

/// What was asked of which state of which file.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct CacheKey {
    path: PathBuf,
    stamp: Stamp,
    region: [u64; 5],
    max_width: Option<u32>,
}

impl CacheKey {
    pub(super) fn new(path: &Path, stamp: Stamp, region: &Region, max_width: Option<u32>) -> Self {
        Self { path: path.to_owned(), stamp, region: region.key_bits(), max_width }
    }

    /// Returns the same question to another state of the file.
    pub(super) fn with_stamp(self, stamp: Stamp) -> Self {
        Self { stamp, ..self }
    }
}

pub(super) struct Cache(Bounded<CacheKey, Crop, Bytes>);

/// Weighs an answer by the memory that it takes.
#[derive(Clone)]
struct Bytes;

impl Weighter<CacheKey, Crop> for Bytes {
    fn weight(&self, asked: &CacheKey, crop: &Crop) -> u64 {
        (size_of::<(CacheKey, Crop)>() + asked.path.as_os_str().len() + crop.picture.bytes.len()) as u64
    }
}

impl Default for Cache {
    fn default() -> Self {
        Self(Bounded::with_weighter(EXPECTED_ENTRIES, CAPACITY, Bytes))
    }
}

impl Cache {
    pub(super) fn get(&self, asked: &CacheKey) -> Option<Crop> {
        self.0.get(asked)
    }

    pub(super) fn insert(&self, asked: CacheKey, crop: &Crop) {
        self.0.insert(asked, crop.clone());
    }

    /// Returns how many bytes are remembered.
    #[cfg(test)]
    pub(super) fn weight(&self) -> u64 {
        self.0.weight()
    }
}
