//! How long a model is waited for.

use std::time::Duration;

/// How long a model is waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    /// For a connection.
    pub connect: Duration,
    /// For everything from the connection to the last byte of the answer: a model without a graphics card takes minutes.
    pub call: Duration,
    /// Before the second attempt; twice as long before the third.
    pub pause: Duration,
}

impl Default for Timeouts {
    /// Five seconds, ten minutes, and two seconds.
    fn default() -> Self {
        Self { connect: Duration::from_secs(5), call: Duration::from_mins(10), pause: Duration::from_secs(2) }
    }
}
