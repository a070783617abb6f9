//! What one read may use and keep of the timelines in memory.

use std::sync::{Arc, Mutex};

use super::state::{State, locked};
use crate::manictime::tables::{TimelineCache, TimelineMemory};

/// The timelines in memory, as one read at one generation sees them.
pub(super) struct GenerationMemory<'r> {
    pub(super) state: &'r Mutex<State>,
    /// The generation of the read; nothing for one that neither uses nor keeps anything.
    pub(super) generation: Option<u64>,
    /// How many bytes timelines and results may take together.
    pub(super) most: usize,
}

impl TimelineMemory for GenerationMemory<'_> {
    fn is_usable(&self) -> bool {
        self.generation.is_some()
    }

    fn timeline(&self, id: i64) -> Option<(Arc<TimelineCache>, bool)> {
        locked(self.state).timeline(self.generation?, id)
    }

    fn keep(&self, id: i64, timeline: &Arc<TimelineCache>) {
        if let Some(generation) = self.generation {
            locked(self.state).keep_timeline(generation, id, timeline, self.most);
        }
    }

    fn forget(&self, id: i64) {
        if let Some(generation) = self.generation {
            locked(self.state).forget_timeline(generation, id);
        }
    }

    fn rows_in_parts(&self, id: i64) -> i64 {
        locked(self.state).timelines.rows_in_parts(id)
    }

    fn add_rows_in_parts(&self, id: i64, rows: i64) {
        locked(self.state).timelines.add_rows_in_parts(id, rows);
    }
}
