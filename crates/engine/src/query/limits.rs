//! Limits for statements that users and models write: time, memory, rows.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// The limits of one statement of [`crate::Engine::query`]. A statement that exceeds the time or the memory is stopped.
/// Rows beyond the maximum are left out, and the result reports it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueryLimits {
    /// How long it may run. Waiting for its turn is not included, and may take the same time again.
    pub deadline: Duration,
    /// The maximum size of all intermediate results in bytes.
    pub memory_bytes: usize,
    /// The maximum number of returned rows.
    pub rows: usize,
    /// The maximum size of the returned rows in bytes.
    pub bytes: usize,
}

/// The limits at a terminal: its user can wait longer and doesn't share the machine.
impl Default for QueryLimits {
    fn default() -> Self {
        Self { deadline: Duration::from_mins(5), memory_bytes: 1 << 30, rows: 10_000_000, bytes: 1 << 30 }
    }
}

/// The limit at which rows were cut off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum CutBy {
    /// [`QueryLimits::rows`].
    Rows,
    /// [`QueryLimits::bytes`].
    Bytes,
}
