//! A cache of timelines in memory. If there isn't enough memory for a new timeline, the least recently used timelines
//! are removed.

use std::collections::HashMap;

#[derive(Debug)]
pub(super) struct Timelines<T> {
    known: HashMap<i64, CachedTimeline<T>>,
    uses: u64,
    /// For each timeline, the number of rows that scans have read directly from the file. Counting starts again when
    /// the timeline is removed or replaced.
    rows_in_parts: HashMap<i64, i64>,
}

/// A cached timeline, and the number of the generation in which it was read.
#[derive(Debug)]
pub(super) struct CachedTimeline<T> {
    pub(super) timeline: T,
    bytes: usize,
    pub(super) generation: u64,
    /// The number of the last use of this timeline. Later uses have greater numbers.
    used: u64,
}

impl<T> Default for Timelines<T> {
    fn default() -> Self {
        Self { known: HashMap::new(), uses: 0, rows_in_parts: HashMap::new() }
    }
}

impl<T> Timelines<T> {
    pub(super) fn get(&mut self, id: i64) -> Option<&CachedTimeline<T>> {
        self.uses += 1;
        let known = self.known.get_mut(&id)?;
        known.used = self.uses;
        Some(known)
    }

    /// Adds or replaces a timeline. `most` is the maximum memory of all timelines together, in bytes. A larger timeline
    /// isn't added. If there isn't enough memory, removes the least recently used timelines.
    pub(super) fn keep(&mut self, id: i64, (timeline, bytes): (T, usize), generation: u64, most: usize) {
        self.forget(id);
        if bytes > most {
            return;
        }
        while self.bytes() + bytes > most {
            let oldest = self.known.iter().min_by_key(|(_, known)| known.used).map(|(id, _)| *id);
            let Some(oldest) = oldest else { break };
            self.known.remove(&oldest);
        }
        self.uses += 1;
        self.known.insert(id, CachedTimeline { timeline, bytes, generation, used: self.uses });
    }

    pub(super) fn bytes(&self) -> usize {
        self.known.values().map(|known| known.bytes).sum()
    }

    /// Removes a timeline, and its number of rows that were read directly from the file.
    pub(super) fn forget(&mut self, id: i64) {
        self.known.remove(&id);
        self.rows_in_parts.remove(&id);
    }

    /// Removes all timelines, but keeps the numbers of rows that were read directly from the file.
    pub(super) fn forget_contents(&mut self) {
        self.known.clear();
    }

    /// Removes all timelines, and the numbers of rows that were read directly from the file.
    pub(super) fn clear(&mut self) {
        self.known.clear();
        self.rows_in_parts.clear();
    }

    /// Returns the number of rows of the timeline that scans have read directly from the file. Counting starts again
    /// when the timeline is removed or replaced.
    pub(super) fn rows_in_parts(&self, id: i64) -> i64 {
        self.rows_in_parts.get(&id).copied().unwrap_or(0)
    }

    /// Adds `rows` to the number that [`Self::rows_in_parts`] returns.
    pub(super) fn add_rows_in_parts(&mut self, id: i64, rows: i64) {
        *self.rows_in_parts.entry(id).or_default() += rows;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn least_recently_used_timelines_are_removed() {
        let mut timelines = Timelines::default();
        for id in 1..=3 {
            timelines.keep(id, (id, 30), 7, 100);
        }
        assert!(timelines.get(1).is_some());
        timelines.keep(4, (4, 60), 7, 100);
        let there = [1, 2, 3, 4].map(|id| timelines.get(id).is_some());
        assert_eq!((there, timelines.bytes()), ([true, false, false, true], 90));
        // A timeline that is larger than the limit isn't cached. The cached older version of this timeline is removed,
        // but other timelines stay in the cache.
        timelines.keep(4, (4, 101), 7, 100);
        let there = [1, 4].map(|id| timelines.get(id).is_some());
        assert_eq!((there, timelines.bytes()), ([true, false], 30));
    }
}
