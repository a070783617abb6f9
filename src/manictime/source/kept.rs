//! What was read already, for as long as nobody commits to the file.

use std::collections::HashMap;
use std::sync::Arc;

use datafusion::arrow::array::RecordBatch;

use super::connection::{FileIdentity, Reader};
use crate::manictime::dimensions::Dimensions;
use crate::manictime::scan::Scan;
use crate::manictime::shape::Shape;

/// How many bytes of batches are kept for repeated questions.
const KEEP_BYTES: usize = 256 << 20;
/// How many results are kept: an empty one takes no bytes, but there are endless empty ranges.
const KEEP_SCANS: usize = 1024;

/// Rows as they were read, shared by everybody who asks the same.
pub(crate) type Batches = Arc<Vec<RecordBatch>>;

#[derive(Debug, Default)]
pub(super) struct State {
    pub(super) generation: u64,
    pub(super) file: Option<FileIdentity>,
    pub(super) idle: Vec<Reader>,
    pub(super) shape: Option<(i64, Arc<Shape>)>,
    pub(super) dimensions: Option<Arc<Dimensions>>,
    kept: HashMap<Scan, Batches>,
    kept_bytes: usize,
}

impl State {
    /// Nothing read yet of a file.
    pub(super) fn of(file: FileIdentity, generation: u64) -> Self {
        Self { generation, file: Some(file), ..Self::default() }
    }

    pub(super) fn start_generation(&mut self) {
        self.generation += 1;
        self.dimensions = None;
        self.kept.clear();
        self.kept_bytes = 0;
    }

    pub(super) fn kept_at(&self, generation: Option<u64>, scan: &Scan) -> Option<Batches> {
        self.kept.get(scan).filter(|_| generation == Some(self.generation)).map(Arc::clone)
    }

    pub(super) fn keep(&mut self, generation: Option<u64>, scan: &Scan, batches: &Batches) {
        let bytes: usize = batches.iter().map(RecordBatch::get_array_memory_size).sum();
        if generation != Some(self.generation) || bytes > KEEP_BYTES {
            return;
        }
        if self.kept_bytes + bytes > KEEP_BYTES || self.kept.len() >= KEEP_SCANS {
            self.kept.clear();
            self.kept_bytes = 0;
        }
        if self.kept.insert(scan.clone(), Arc::clone(batches)).is_none() {
            self.kept_bytes += bytes;
        }
    }
}

/// Scans that ask for the same rows read them once, with all their columns together.
pub(super) fn shared_reads(scans: &[&Scan]) -> Vec<Scan> {
    let mut shared: Vec<Scan> = Vec::new();
    for scan in scans {
        if let Some(other) = shared.iter_mut().find(|other| other.asks_for_rows_of(scan)) {
            other.projection.extend(&scan.projection);
            other.projection.sort_unstable();
            other.projection.dedup();
        } else {
            let mut scan = (*scan).clone();
            scan.projection.sort_unstable();
            shared.push(scan);
        }
    }
    shared
}

/// The columns of `scan` out of the shared read that holds its rows.
pub(super) fn pick(scan: &Scan, shared: &[Scan], batches: &[Batches]) -> Option<Batches> {
    let (read, batches) = shared.iter().zip(batches).find(|(read, _)| read.asks_for_rows_of(scan))?;
    if read.projection == scan.projection {
        return Some(Arc::clone(batches));
    }
    let places: Option<Vec<usize>> =
        scan.projection.iter().map(|column| read.projection.binary_search(column).ok()).collect();
    let places = places?;
    let picked: Result<Vec<_>, _> = batches.iter().map(|batch| batch.project(&places)).collect();
    picked.ok().map(Arc::new)
}
