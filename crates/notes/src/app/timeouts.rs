//! Timeouts of the application.

use std::time::Duration;

/// Timeouts of the application.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    /// The time for a response, from the request on.
    pub request: Duration,
    /// The time to connect, including the handshake.
    pub connect: Duration,
    /// The longest time without any frame. The application pings every 30 seconds.
    pub silence: Duration,
}

impl Default for Timeouts {
    /// 30, 10 and 60 seconds.
    fn default() -> Self {
        Self { request: Duration::from_secs(30), connect: Duration::from_secs(10), silence: Duration::from_mins(1) }
    }
}
