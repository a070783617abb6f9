//! Stores cached data. Results are cached until the next commit to the file. Complete timelines are
//! cached for as long as they can be updated.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::idle::IdleConnections;
use super::result_cache::ResultCache;
use super::timelines::Timelines;
use crate::dimensions::Links;
use crate::shape::Shape;
use crate::snapshot::Commit;
use crate::tables::TimelineCache;
use dayledger_source::{Batches, ScanRequest};
use dayledger_sqlite::FileIdentity;

#[derive(Debug, Default)]
pub(super) struct State {
    pub(super) generation: u64,
    pub(super) file: Option<FileIdentity>,
    pub(super) idle: IdleConnections,
    pub(super) shape: Option<(i64, Arc<Shape>)>,
    pub(super) commit: Option<Arc<Commit>>,
    /// The links between groups, from the last commit whose names were read.
    links: Option<Links>,
    pub(super) timelines: Timelines<Arc<TimelineCache>>,
    results: ResultCache,
}

/// Locks the state.
pub(super) fn lock_state(state: &Mutex<State>) -> MutexGuard<'_, State> {
    // Ignore a poisoned lock. A change of the state consists of a few assignments, which can't panic, so the state is
    // still valid.
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

impl State {
    /// Removes all cached data, and remembers that `file` is now the database.
    pub(super) fn reset_to(&mut self, file: FileIdentity) {
        self.file = Some(file);
        self.forget_all();
    }

    pub(super) fn start_generation(&mut self) {
        self.generation += 1;
        self.commit = None;
        self.results.clear();
    }

    /// Removes all data that was read from the file, and closes the idle connections.
    pub(super) fn forget_all(&mut self) {
        self.idle.close();
        let (file, idle) = (self.file.take(), std::mem::take(&mut self.idle));
        // The generation must not start again at 0. Otherwise, a later generation could get the same number as the
        // generation of a read that is still running. The read would then add its old rows to the later generation.
        *self = Self { file, idle, generation: self.generation + 1, ..Self::default() };
    }

    /// Caches the names of the current generation. If a group has another common group than before, its activities may
    /// also have changed, but without new change numbers. In this case, all timelines are removed from the cache.
    pub(super) fn keep_commit(&mut self, commit: &Arc<Commit>, links: Links) {
        if self.links.as_ref().is_some_and(|known| !known.remain_valid_in(&links)) {
            self.timelines.forget_contents();
        }
        self.links = Some(links);
        self.commit = Some(Arc::clone(commit));
    }

    /// Caches a timeline of the current generation. `most` is the maximum memory for timelines and
    /// results together, in bytes.
    pub(super) fn keep_timeline(&mut self, id: i64, timeline: &Arc<TimelineCache>, most: usize) {
        self.timelines.keep(id, (Arc::clone(timeline), timeline.bytes()), self.generation, most);
        // Timelines have priority over results, because only timelines stay useful after the next commit.
        if self.timelines.bytes() + self.results.bytes() > most {
            self.results.clear();
        }
    }

    /// Returns the cached result of a scan, if the cache is at `generation`.
    pub(super) fn result(&self, generation: Option<u64>, scan: &ScanRequest) -> Option<Batches> {
        if generation == Some(self.generation) { self.results.get(scan) } else { None }
    }

    /// Caches the result of a scan, if the cache is at `generation` and the result fits. `most` is
    /// the maximum memory for timelines and results together, in bytes.
    pub(super) fn keep_result(&mut self, generation: Option<u64>, scan: &ScanRequest, batches: &Batches, most: usize) {
        if generation == Some(self.generation) {
            self.results.keep(scan, batches, most.saturating_sub(self.timelines.bytes()));
        }
    }
}
