//! What was read already: results for as long as nobody commits to the file, whole timelines for as long as they can
//! follow it.

use std::collections::HashMap;
use std::sync::Arc;

use datafusion::arrow::array::RecordBatch;

use crate::manictime::dimensions::{Dimensions, Links};
use crate::manictime::scan::Scan;
use crate::manictime::shape::Shape;
use crate::manictime::sqlite::{FileIdentity, Reader};
use crate::manictime::tables::Followed;

/// How many results are kept: an empty one takes no bytes, but there are endless empty ranges.
const KEEP_SCANS: usize = 1024;

/// Rows as they were read, shared by everybody who asks the same.
pub(crate) type Batches = Arc<Vec<RecordBatch>>;

/// What is remembered of timelines, in room that has an end.
#[derive(Debug)]
struct Timelines<T> {
    known: HashMap<i64, Remembered<T>>,
    uses: u64,
}

/// A timeline as it was at the commit of a generation.
#[derive(Debug)]
struct Remembered<T> {
    activities: T,
    bytes: usize,
    generation: u64,
    /// The later of two uses has the greater number.
    used: u64,
}

impl<T> Default for Timelines<T> {
    fn default() -> Self {
        Self { known: HashMap::new(), uses: 0 }
    }
}

impl<T> Timelines<T> {
    fn get(&mut self, timeline: i64) -> Option<&Remembered<T>> {
        self.uses += 1;
        let known = self.known.get_mut(&timeline)?;
        known.used = self.uses;
        Some(known)
    }

    /// Remembers a timeline in the place of what it was; where there is no room, what was not used for longest goes.
    fn keep(&mut self, timeline: i64, (activities, bytes): (T, usize), generation: u64, most: usize) {
        self.known.remove(&timeline);
        if bytes > most {
            return;
        }
        while self.bytes() + bytes > most {
            let oldest = self.known.iter().min_by_key(|(_, known)| known.used).map(|(id, _)| *id);
            let Some(oldest) = oldest else { break };
            self.known.remove(&oldest);
        }
        self.uses += 1;
        self.known.insert(timeline, Remembered { activities, bytes, generation, used: self.uses });
    }

    fn bytes(&self) -> usize {
        self.known.values().map(|known| known.bytes).sum()
    }
}

#[derive(Debug, Default)]
pub(super) struct State {
    pub(super) generation: u64,
    pub(super) file: Option<FileIdentity>,
    pub(super) idle: Vec<Reader>,
    pub(super) shape: Option<(i64, Arc<Shape>)>,
    pub(super) dimensions: Option<Arc<Dimensions>>,
    timelines: Timelines<Arc<Followed>>,
    /// How many rows of a timeline were read in parts since it was last read whole.
    pub(super) in_parts: HashMap<i64, i64>,
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

    /// Forgets everything that was read of the file, and the connections that it was read by.
    pub(super) fn distrust(&mut self) {
        *self = Self { file: self.file.take(), generation: self.generation + 1, ..Self::default() };
    }

    /// Forgets the timelines, which then have to be read anew.
    pub(super) fn forget_timelines(&mut self) {
        self.timelines.known.clear();
        self.in_parts.clear();
    }

    /// Keeps what names everything at the current generation. Where a group that was known stands for another one now, the
    /// activities may refer to another one too, and that shows in no number: then they are read anew.
    pub(super) fn keep_dimensions(&mut self, dimensions: &Arc<Dimensions>) {
        let links = &dimensions.links;
        if self.links.as_ref().is_some_and(|known| !known.hold_in(links)) {
            self.timelines.known.clear();
        }
        self.links = Some(links.clone());
        self.dimensions = Some(Arc::clone(dimensions));
    }

    /// What is remembered of a timeline, and whether it is as at that generation.
    pub(super) fn timeline(&mut self, generation: u64, timeline: i64) -> Option<(Arc<Followed>, bool)> {
        if generation != self.generation {
            return None;
        }
        let known = self.timelines.get(timeline)?;
        Some((Arc::clone(&known.activities), known.generation == generation))
    }

    pub(super) fn forget_timeline(&mut self, generation: u64, timeline: i64) {
        if generation == self.generation {
            self.timelines.known.remove(&timeline);
            self.in_parts.remove(&timeline);
        }
    }

    /// Remembers a timeline as it is at that generation, within `most` bytes.
    pub(super) fn remember(&mut self, generation: u64, timeline: i64, activities: &Arc<Followed>, most: usize) {
        if generation != self.generation {
            return;
        }
        self.in_parts.remove(&timeline);
        self.timelines.keep(timeline, (Arc::clone(activities), activities.bytes()), generation, most);
        if self.timelines.bytes() + self.kept_bytes > most {
            self.kept.clear();
            self.kept_bytes = 0;
        }
    }

    pub(super) fn kept_at(&self, generation: Option<u64>, scan: &Scan) -> Option<Batches> {
        self.kept.get(scan).filter(|_| generation == Some(self.generation)).map(Arc::clone)
    }

    pub(super) fn keep(&mut self, generation: Option<u64>, scan: &Scan, batches: &Batches, most: usize) {
        let bytes: usize = batches.iter().map(RecordBatch::get_array_memory_size).sum();
        let room = most.saturating_sub(self.timelines.bytes());
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_timeline_that_was_not_used_for_longest_makes_room() {
        let mut timelines = Timelines::default();
        for id in 1..=3 {
            timelines.keep(id, (id, 30), 7, 100);
        }
        assert!(timelines.get(1).is_some());
        timelines.keep(4, (4, 60), 7, 100);
        let there = [1, 2, 3, 4].map(|id| timelines.get(id).is_some());
        assert_eq!((there, timelines.bytes()), ([true, false, false, true], 90));
        // What is larger than all room leaves the others alone, and is not what it was.
        timelines.keep(4, (4, 101), 7, 100);
        let there = [1, 4].map(|id| timelines.get(id).is_some());
        assert_eq!((there, timelines.bytes()), ([true, false], 30));
    }
}
