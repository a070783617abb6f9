//! What was read already: results for as long as nobody commits to the file, whole timelines for as long as they can
//! follow it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::idle::IdleConnections;
use super::result_cache::ResultCache;
use super::timelines::Timelines;
use crate::dimensions::Links;
use crate::shape::Shape;
use crate::snapshot::Commit;
use crate::sqlite::FileIdentity;
use crate::tables::TimelineCache;
use dayledger_source::{Batches, ScanRequest};

#[derive(Debug, Default)]
pub(super) struct State {
    pub(super) generation: u64,
    pub(super) file: Option<FileIdentity>,
    pub(super) idle: IdleConnections,
    pub(super) shape: Option<(i64, Arc<Shape>)>,
    pub(super) commit: Option<Arc<Commit>>,
    /// Which groups stood for which at the last commit of which the names were read.
    links: Option<Links>,
    pub(super) timelines: Timelines<Arc<TimelineCache>>,
    results: ResultCache,
}

/// The state while nobody else uses it.
pub(super) fn lock_state(state: &Mutex<State>) -> MutexGuard<'_, State> {
    // Every change of the state is a few assignments that cannot panic half-way.
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

impl State {
    /// Begins with a file of which nothing was read yet.
    pub(super) fn reset_to(&mut self, file: FileIdentity) {
        self.file = Some(file);
        self.forget_all();
    }

    pub(super) fn start_generation(&mut self) {
        self.generation += 1;
        self.commit = None;
        self.results.clear();
    }

    /// Forgets everything that was read of the file, and the connections that it was read by.
    pub(super) fn forget_all(&mut self) {
        self.idle.close();
        let (file, idle) = (self.file.take(), std::mem::take(&mut self.idle));
        *self = Self { file, idle, generation: self.generation + 1, ..Self::default() };
    }

    /// Keeps what is known of the current generation. Where a group that was known stands for another one now, the
    /// activities may refer to another one too, and that shows in no number: then they are read anew.
    pub(super) fn keep_commit(&mut self, commit: &Arc<Commit>, links: Links) {
        if self.links.as_ref().is_some_and(|known| !known.remain_valid_in(&links)) {
            self.timelines.forget_contents();
        }
        self.links = Some(links);
        self.commit = Some(Arc::clone(commit));
    }

    /// Remembers a timeline as it is at the current generation, within `most` bytes.
    pub(super) fn keep_timeline(&mut self, id: i64, timeline: &Arc<TimelineCache>, most: usize) {
        self.timelines.keep(id, (Arc::clone(timeline), timeline.bytes()), self.generation, most);
        if self.timelines.bytes() + self.results.bytes() > most {
            self.results.clear();
        }
    }

    /// The result of a scan at that generation, where it is still known.
    pub(super) fn result(&self, generation: Option<u64>, scan: &ScanRequest) -> Option<Batches> {
        if generation == Some(self.generation) { self.results.get(scan) } else { None }
    }

    /// Keeps the result of a scan at that generation, where timelines leave room in `most` bytes.
    pub(super) fn keep_result(&mut self, generation: Option<u64>, scan: &ScanRequest, batches: &Batches, most: usize) {
        if generation == Some(self.generation) {
            self.results.keep(scan, batches, most.saturating_sub(self.timelines.bytes()));
        }
    }
}
