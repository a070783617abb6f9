//! What one read may use and keep of the timelines that are remembered.

use std::sync::Arc;

use super::Source;
use crate::manictime::tables::Followed;

/// What is remembered of the timelines' activities, as far as one read may use it.
pub(crate) struct Memory<'r> {
    pub(super) source: &'r Source,
    /// The generation of the read; nothing for one that neither uses nor keeps anything.
    pub(super) generation: Option<u64>,
}

impl Memory<'_> {
    /// Whether the read may use and keep anything.
    pub(crate) fn is_usable(&self) -> bool {
        self.generation.is_some()
    }

    /// What is remembered of a timeline, and whether it is as at the snapshot's commit; else it is older.
    pub(crate) fn timeline(&self, id: i64) -> Option<(Arc<Followed>, bool)> {
        self.source.lock().timeline(self.generation?, id)
    }

    /// Remembers a timeline as it is at the snapshot's commit.
    pub(crate) fn keep(&self, id: i64, activities: &Arc<Followed>) {
        if let Some(generation) = self.generation {
            self.source.lock().remember(generation, id, activities, self.source.memory);
        }
    }

    /// How many rows of a timeline were read in parts since it was last read whole.
    pub(crate) fn rows_in_parts(&self, id: i64) -> i64 {
        self.source.lock().in_parts.get(&id).copied().unwrap_or(0)
    }

    pub(crate) fn add_rows_in_parts(&self, id: i64, rows: i64) {
        *self.source.lock().in_parts.entry(id).or_default() += rows;
    }

    /// Forgets a timeline.
    pub(crate) fn forget(&self, id: i64) {
        if let Some(generation) = self.generation {
            self.source.lock().forget_timeline(generation, id);
        }
    }
}
