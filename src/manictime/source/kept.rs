//! What was read already: results for as long as nobody commits to the file, whole timelines for as long as they can
//! follow it.

use std::collections::HashMap;
use std::sync::Arc;

use datafusion::arrow::array::RecordBatch;

use super::connection::{FileIdentity, Reader};
use crate::manictime::dimensions::{Dimensions, Links};
use crate::manictime::scan::Scan;
use crate::manictime::shape::Shape;
use crate::manictime::tables::Followed;

/// How many results are kept: an empty one takes no bytes, but there are endless empty ranges.
const KEEP_SCANS: usize = 1024;

/// Rows as they were read, shared by everybody who asks the same.
pub(crate) type Batches = Arc<Vec<RecordBatch>>;

/// A timeline as it was at the commit of a generation.
#[derive(Debug)]
struct Remembered {
    activities: Arc<Followed>,
    bytes: usize,
    generation: u64,
    /// The later of two uses has the greater number.
    used: u64,
}

#[derive(Debug, Default)]
pub(super) struct State {
    pub(super) generation: u64,
    pub(super) file: Option<FileIdentity>,
    pub(super) idle: Vec<Reader>,
    pub(super) shape: Option<(i64, Arc<Shape>)>,
    pub(super) dimensions: Option<Arc<Dimensions>>,
    timelines: HashMap<i64, Remembered>,
    uses: u64,
    /// The names of the last generation that any were read in.
    links: Option<Links>,
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

    /// Forgets the timelines, which then have to be read anew.
    pub(super) fn forget_timelines(&mut self) {
        self.timelines.clear();
    }

    /// Keeps what names everything at the current generation. Where a group that was known stands for another one now, the
    /// activities may refer to another one too, and that shows in no number: then they are read anew.
    pub(super) fn keep_dimensions(&mut self, dimensions: &Arc<Dimensions>) {
        let links = &dimensions.links;
        if self.links.as_ref().is_some_and(|known| !known.hold_in(links)) {
            self.timelines.clear();
        }
        self.links = Some(links.clone());
        self.dimensions = Some(Arc::clone(dimensions));
    }

    /// What is remembered of a timeline, and whether it is as at that generation.
    pub(super) fn timeline(&mut self, generation: u64, timeline: i64) -> Option<(Arc<Followed>, bool)> {
        if generation != self.generation {
            return None;
        }
        self.uses += 1;
        let known = self.timelines.get_mut(&timeline)?;
        known.used = self.uses;
        Some((Arc::clone(&known.activities), known.generation == generation))
    }

    pub(super) fn forget_timeline(&mut self, generation: u64, timeline: i64) {
        if generation == self.generation {
            self.timelines.remove(&timeline);
        }
    }

    /// Remembers a timeline; where there is no room, what was not used for longest goes.
    pub(super) fn remember(&mut self, generation: u64, timeline: i64, activities: &Arc<Followed>, most: usize) {
        let bytes = activities.bytes();
        if generation != self.generation {
            return;
        }
        self.timelines.remove(&timeline);
        if bytes > most {
            return;
        }
        while self.timeline_bytes() + bytes > most {
            let oldest = self.timelines.iter().min_by_key(|(_, known)| known.used).map(|(id, _)| *id);
            let Some(oldest) = oldest else { break };
            self.timelines.remove(&oldest);
        }
        self.uses += 1;
        let (activities, used) = (Arc::clone(activities), self.uses);
        self.timelines.insert(timeline, Remembered { activities, bytes, generation, used });
        if self.timeline_bytes() + self.kept_bytes > most {
            self.kept.clear();
            self.kept_bytes = 0;
        }
    }

    fn timeline_bytes(&self) -> usize {
        self.timelines.values().map(|known| known.bytes).sum()
    }

    pub(super) fn kept_at(&self, generation: Option<u64>, scan: &Scan) -> Option<Batches> {
        self.kept.get(scan).filter(|_| generation == Some(self.generation)).map(Arc::clone)
    }

    pub(super) fn keep(&mut self, generation: Option<u64>, scan: &Scan, batches: &Batches, most: usize) {
        let bytes: usize = batches.iter().map(RecordBatch::get_array_memory_size).sum();
        let room = most.saturating_sub(self.timeline_bytes());
        if generation != Some(self.generation) || bytes > room {
            return;
        }
        if self.kept_bytes + bytes > room || self.kept.len() >= KEEP_SCANS {
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
