//! Timeouts of a model.

use std::time::Duration;

/// Timeouts of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    /// The time to connect.
    pub connect: Duration,
    /// The time for the whole call, from the connection to the last byte of the response. A model without a graphics
    /// card takes minutes.
    pub call: Duration,
    /// The pause before the second attempt; it doubles before the third.
    pub pause: Duration,
}

impl Default for Timeouts {
    /// Five seconds, ten minutes, and two seconds.
    fn default() -> Self {
        Self { connect: Duration::from_secs(5), call: Duration::from_mins(10), pause: Duration::from_secs(2) }
    }
}
