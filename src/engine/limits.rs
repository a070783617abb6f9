//! Limits for statements that users and models write: time, memory, rows.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// What one statement of [`super::Engine::query`] may take. It is stopped where it would take more; only rows beyond
/// what is returned are left out instead, and the answer says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QueryLimits {
    /// How long it may run; waiting for its turn counts apart, and may last as long.
    pub deadline: Duration,
    /// How many bytes its intermediate results may take together.
    pub memory_bytes: usize,
    /// How many rows are returned at most.
    pub rows: usize,
    /// How many bytes the returned rows may take.
    pub bytes: usize,
}

/// For a person at a terminal, who can be asked to wait and has the machine to herself.
impl Default for QueryLimits {
    fn default() -> Self {
        Self { deadline: Duration::from_mins(5), memory_bytes: 1 << 30, rows: 10_000_000, bytes: 1 << 30 }
    }
}

/// What ended the rows of an answer before their end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum CutBy {
    /// [`QueryLimits::rows`].
    Rows,
    /// [`QueryLimits::bytes`].
    Bytes,
}
