//! The access of one read to the cached timelines.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};

use super::state::{State, lock_state};
use crate::tables::{TimelineCache, TimelineMemory};

/// The access of a read to the cached timelines. A read can use the cache only while the cache is at
/// the generation of the read.
pub(super) struct GenerationMemory<'r> {
    state: &'r Mutex<State>,
    /// The generation of the read. `None` if the read must not use the cache.
    generation: Option<u64>,
    /// The maximum memory for timelines and results, in bytes.
    max_bytes: usize,
    /// The timelines that this read has loaded. They are also stored here, because the cache can be too small for them.
    loaded: RefCell<HashMap<i64, Arc<TimelineCache>>>,
}

impl<'r> GenerationMemory<'r> {
    pub(super) fn new(state: &'r Mutex<State>, generation: Option<u64>, max_bytes: usize) -> Self {
        Self { state, generation, max_bytes, loaded: RefCell::default() }
    }

    /// Whether the cache is still at the generation of the read, so that it has kept the timelines of the read.
    pub(super) fn is_current(&self) -> bool {
        self.state().is_some()
    }

    /// Locks the state. Returns `None` if the state isn't at the generation of the read.
    fn state(&self) -> Option<MutexGuard<'r, State>> {
        let state = lock_state(self.state);
        (self.generation == Some(state.generation)).then_some(state)
    }
}

impl TimelineMemory for GenerationMemory<'_> {
    fn is_usable(&self) -> bool {
        self.generation.is_some()
    }

    fn timeline(&self, id: i64) -> Option<(Arc<TimelineCache>, bool)> {
        if let Some(loaded) = self.loaded.borrow().get(&id) {
            return Some((Arc::clone(loaded), true));
        }
        let mut state = self.state()?;
        let known = state.timelines.get(id)?;
        Some((Arc::clone(&known.timeline), self.generation == Some(known.generation)))
    }

    fn keep(&self, id: i64, timeline: &Arc<TimelineCache>) {
        self.loaded.borrow_mut().insert(id, Arc::clone(timeline));
        if let Some(mut state) = self.state() {
            state.keep_timeline(id, timeline, self.max_bytes);
        }
    }

    fn forget(&self, id: i64) {
        self.loaded.borrow_mut().remove(&id);
        if let Some(mut state) = self.state() {
            state.timelines.forget(id);
        }
    }

    fn rows_in_parts(&self, id: i64) -> i64 {
        lock_state(self.state).timelines.rows_in_parts(id)
    }

    fn add_rows_in_parts(&self, id: i64, rows: i64) {
        lock_state(self.state).timelines.add_rows_in_parts(id, rows);
    }
}
