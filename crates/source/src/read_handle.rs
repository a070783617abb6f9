//! Observes a running read: its number of rows so far, and a way to stop it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// One read of the history, shared by who reads and who watches or stops it. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct ReadHandle(Arc<State>);

#[derive(Debug, Default)]
struct State {
    rows: Arc<AtomicU64>,
    stopped: AtomicBool,
}

impl ReadHandle {
    /// A read that adds each row it meets to `rows`.
    pub fn with_counter(rows: Arc<AtomicU64>) -> Self {
        Self(Arc::new(State { rows, stopped: AtomicBool::new(false) }))
    }

    /// Stops the read, also between two statements or before it begins: it ends with an error soon.
    pub fn stop(&self) {
        self.0.stopped.store(true, Ordering::Relaxed);
    }

    /// Whether the read has to end.
    pub fn is_stopped(&self) -> bool {
        self.0.stopped.load(Ordering::Relaxed)
    }

    /// Counts a row.
    pub fn count_row(&self) {
        self.0.rows.fetch_add(1, Ordering::Relaxed);
    }
}
