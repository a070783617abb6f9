//! A cache of the results of scans, valid until the next commit to the file.

use std::collections::HashMap;
use std::sync::Arc;

use arrow::array::RecordBatch;

use dayledger_source::{Batches, ScanRequest};

/// The maximum number of results. It is needed because empty results use no bytes, and the number
/// of possible empty ranges is unlimited.
const MAX_RESULTS: usize = 1024;

/// The results at one commit. If a new result doesn't fit, all others are removed. The next commit
/// is only seconds away while `ManicTime` runs, so tracking the least recently used result isn't
/// worth it.
#[derive(Debug, Default)]
pub(super) struct ResultCache {
    results: HashMap<ScanRequest, Batches>,
    bytes: usize,
}

impl ResultCache {
    pub(super) fn get(&self, scan: &ScanRequest) -> Option<Batches> {
        self.results.get(scan).map(Arc::clone)
    }

    /// Adds a result. `room` is the maximum size of all results in bytes. If the result doesn't fit
    /// next to the others, they are removed.
    pub(super) fn keep(&mut self, scan: &ScanRequest, batches: &Batches, room: usize) {
        let bytes: usize = batches.iter().map(RecordBatch::get_array_memory_size).sum();
        if bytes > room {
            return;
        }
        if self.bytes + bytes > room || self.results.len() >= MAX_RESULTS {
            self.clear();
        }
        if self.results.insert(scan.clone(), Arc::clone(batches)).is_none() {
            self.bytes += bytes;
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }
}
