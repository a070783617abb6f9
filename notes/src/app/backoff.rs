//! When to try again.

use std::time::Duration;

/// The longest pause, in seconds.
const MOST: u64 = 60;

/// Pauses between attempts to connect: a second, twice as long each time, and never more than a minute.
#[derive(Debug, Default)]
pub(super) struct Backoff {
    failures: u32,
}

impl Backoff {
    /// The pause after one more failure.
    pub(super) fn next(&mut self) -> Duration {
        let seconds = 1_u64.checked_shl(self.failures).map_or(MOST, |seconds| seconds.min(MOST));
        // Beyond this nothing grows.
        self.failures = (self.failures + 1).min(6);
        Duration::from_secs(seconds)
    }
}
