//! A cache of encoded images. If a client requests or saves an image again, it doesn't wait for
//! decoding.

use std::path::{Path, PathBuf};

use quick_cache::Weighter;

use super::picture::Crop;
use super::reading::Stamp;
use super::region::Region;

/// The maximum size of the cache in bytes.
const CAPACITY: u64 = 32 << 20;
/// The expected number of images. The number is so small that the cache isn't split into shards. A
/// single image may therefore fill the cache.
const EXPECTED_ENTRIES: usize = 32;

/// Identifies a result: the file and its version, and the requested region and size.
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

    /// Returns the key for another version of the same file.
    pub(super) fn with_stamp(self, stamp: Stamp) -> Self {
        Self { stamp, ..self }
    }
}

pub(super) type Cache = quick_cache::sync::Cache<CacheKey, Crop, Bytes>;

/// Creates an empty cache.
pub(super) fn new_cache() -> Cache {
    Cache::with_weighter(EXPECTED_ENTRIES, CAPACITY, Bytes)
}

/// Measures the size of a cached image, in bytes.
#[derive(Clone)]
pub(super) struct Bytes;

impl Weighter<CacheKey, Crop> for Bytes {
    fn weight(&self, key: &CacheKey, crop: &Crop) -> u64 {
        (size_of::<(CacheKey, Crop)>() + key.path.as_os_str().len() + crop.picture.bytes.len()) as u64
    }
}
