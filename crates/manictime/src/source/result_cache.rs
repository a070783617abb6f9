//! What scans have read, for as long as nobody commits to the file.

use std::collections::HashMap;
use std::sync::Arc;

use datafusion::arrow::array::RecordBatch;

use dayledger_source::{Batches, ScanRequest};

/// How many results are kept: an empty one takes no bytes, but there are endless empty ranges.
const MAX_RESULTS: usize = 1024;

/// Results at one commit. The next commit is seconds away while `ManicTime` runs, so where they have to make room for
/// another one, all of them go: an order of uses would be kept for nothing.
#[derive(Debug, Default)]
pub(super) struct ResultCache {
    results: HashMap<ScanRequest, Batches>,
    bytes: usize,
}

impl ResultCache {
    pub(super) fn get(&self, scan: &ScanRequest) -> Option<Batches> {
        self.results.get(scan).map(Arc::clone)
    }

    /// Keeps a result in so many bytes for all of them; where it does not fit beside the others, they make room.
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

/// Scans that ask for the same rows read them once, with all their columns together.
pub(super) fn shared_reads(scans: &[&ScanRequest]) -> Vec<ScanRequest> {
    let mut shared: Vec<ScanRequest> = Vec::new();
    for scan in scans {
        if let Some(other) = shared.iter_mut().find(|other| other.selects_same_rows_as(scan)) {
            other.selection.projection.extend(&scan.selection.projection);
            other.selection.projection.sort_unstable();
            other.selection.projection.dedup();
        } else {
            let mut scan = (*scan).clone();
            scan.selection.projection.sort_unstable();
            shared.push(scan);
        }
    }
    shared
}

/// The columns of `scan` out of the shared read that holds its rows.
pub(super) fn pick(scan: &ScanRequest, shared: &[ScanRequest], batches: &[Batches]) -> Option<Batches> {
    let (read, batches) = shared.iter().zip(batches).find(|(read, _)| read.selects_same_rows_as(scan))?;
    if read.selection.projection == scan.selection.projection {
        return Some(Arc::clone(batches));
    }
    let places: Option<Vec<usize>> =
        scan.selection.projection.iter().map(|column| read.selection.projection.binary_search(column).ok()).collect();
    let places = places?;
    let picked: Result<Vec<_>, _> = batches.iter().map(|batch| batch.project(&places)).collect();
    picked.ok().map(Arc::new)
}
