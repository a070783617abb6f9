//! Observes and stops a running read.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// A read of the history. The reader and its observers share it. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct ReadHandle(Arc<State>);

#[derive(Debug, Default)]
struct State {
    rows: Arc<AtomicU64>,
    stopped: AtomicBool,
}

impl ReadHandle {
    /// Creates a handle that counts the rows in `rows`.
    pub fn with_counter(rows: Arc<AtomicU64>) -> Self {
        Self(Arc::new(State { rows, stopped: AtomicBool::new(false) }))
    }

    /// Stops the read, which then fails soon. This also works before the read begins and between
    /// two statements.
    pub fn stop(&self) {
        self.0.stopped.store(true, Ordering::Relaxed);
    }

    /// Whether the read must stop.
    pub fn is_stopped(&self) -> bool {
        self.0.stopped.load(Ordering::Relaxed)
    }

    /// Counts a row.
    pub fn count_row(&self) {
        self.0.rows.fetch_add(1, Ordering::Relaxed);
    }
}
