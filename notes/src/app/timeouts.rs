//! How long the application is waited for.

use std::time::Duration;

/// How long the application is waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    /// For an answer, from the question on.
    pub request: Duration,
    /// For a connection, with the handshake.
    pub connect: Duration,
    /// For any frame. The application pings every 30 seconds.
    pub silence: Duration,
}

impl Default for Timeouts {
    /// 30, 10 and 60 seconds.
    fn default() -> Self {
        Self { request: Duration::from_secs(30), connect: Duration::from_secs(10), silence: Duration::from_mins(1) }
    }
}
