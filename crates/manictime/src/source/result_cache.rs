//! Caches the results of scans until the next commit to the file.

use std::collections::HashMap;
use std::sync::Arc;

use arrow::array::RecordBatch;

use dayledger_source::{Batches, ScanRequest};

/// The maximum number of results. The limit is needed because an empty result uses no bytes, and a
/// client can request any number of empty time ranges.
const MAX_RESULTS: usize = 1024;

/// The results at one commit. If a new result doesn't fit, all other results are removed. It isn't worth the effort to
/// remove only the least recently used result. While `ManicTime` runs, the next commit comes within seconds and removes
/// all results anyway.
#[derive(Debug, Default)]
pub(super) struct ResultCache {
    results: HashMap<ScanRequest, Batches>,
    bytes: usize,
}

impl ResultCache {
    pub(super) fn get(&self, scan: &ScanRequest) -> Option<Batches> {
        self.results.get(scan).map(Arc::clone)
    }

    /// Adds a result. `room` is the maximum size of all results together, in bytes. A larger result isn't added. If
    /// there isn't enough space for the new result, all other results are removed.
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
