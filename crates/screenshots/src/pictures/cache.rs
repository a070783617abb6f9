//! A cache of encoded images, so that a client that requests or saves an image again doesn't wait
//! for decoding.

use std::path::{Path, PathBuf};

use quick_cache::Weighter;

use super::picture::Crop;
use super::reading::Stamp;
use super::region::Region;

/// The maximum size of the cache in bytes.
const CAPACITY: u64 = 32 << 20;
/// The expected number of images. It is so small that the cache isn't split into shards, so that a
/// single image may fill it.
const EXPECTED_ENTRIES: usize = 32;

/// The file with its state, and the requested part and size.
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

    /// Returns the same key for another state of the file.
    pub(super) fn with_stamp(self, stamp: Stamp) -> Self {
        Self { stamp, ..self }
    }
}

pub(super) type Cache = quick_cache::sync::Cache<CacheKey, Crop, Bytes>;

/// Creates an empty cache.
pub(super) fn new_cache() -> Cache {
    Cache::with_weighter(EXPECTED_ENTRIES, CAPACITY, Bytes)
}

/// Measures a cached image by its memory.
#[derive(Clone)]
pub(super) struct Bytes;

impl Weighter<CacheKey, Crop> for Bytes {
    fn weight(&self, key: &CacheKey, crop: &Crop) -> u64 {
        (size_of::<(CacheKey, Crop)>() + key.path.as_os_str().len() + crop.picture.bytes.len()) as u64
    }
}
