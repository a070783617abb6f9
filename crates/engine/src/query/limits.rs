//! Limits for statements that users and models write: time, memory, rows.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// The limits of one statement of [`crate::Engine::query`]. A statement that exceeds the time or the memory is stopped.
/// Rows beyond the maximum are left out, and the result reports which limit was exceeded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueryLimits {
    /// How long the statement may run. The time for which the statement may wait for its turn is just as long, and is
    /// counted separately.
    pub deadline: Duration,
    /// The maximum size of all intermediate results in bytes.
    pub memory_bytes: usize,
    /// The maximum number of returned rows.
    pub rows: usize,
    /// The maximum size of the returned rows in bytes.
    pub bytes: usize,
}

/// The limits at a terminal. These limits are high, because a user at a terminal can wait and usually doesn't share the
/// machine.
impl Default for QueryLimits {
    fn default() -> Self {
        Self { deadline: Duration::from_mins(5), memory_bytes: 1 << 30, rows: 10_000_000, bytes: 1 << 30 }
    }
}

/// The limit that cut off the rows of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum CutBy {
    /// The maximum number of rows, [`QueryLimits::rows`].
    Rows,
    /// The maximum size of the rows, [`QueryLimits::bytes`].
    Bytes,
}
