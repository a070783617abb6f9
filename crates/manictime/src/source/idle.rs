//! Keeps idle connections for the next request, and closes them after a timeout.
//!
//! On Windows, an open file can't be replaced, renamed or removed. But when `ManicTime` restores a backup, it replaces
//! its database. A server may wait for weeks between two requests. So all connections are closed after a timeout
//! without requests. The next request opens a new connection. A new connection can't detect whether there was a commit
//! before it was opened. So it starts a new generation (see [`super`]).

use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::sqlite::Reader;

/// The maximum number of idle connections. If more requests run simultaneously, more connections are opened. These
/// additional connections are closed after their request.
const MAX_IDLE_CONNECTIONS: usize = 2;

/// The connections that no request is using.
#[derive(Debug, Default)]
pub(super) struct IdleConnections {
    readers: Vec<Reader>,
    /// The time when the last request returned its connection.
    since: Option<Instant>,
    /// The sender for the thread that waits to close the connections. Dropping the sender stops the thread. `None` if
    /// there isn't such a thread.
    closer: Option<Sender<()>>,
}

impl IdleConnections {
    pub(super) fn take(&mut self) -> Option<Reader> {
        self.readers.pop()
    }

    /// Keeps a connection for the next request. Returns a receiver for [`close_after_timeout`] if no
    /// thread is waiting to close the connections. In this case, the caller must start such a thread.
    pub(super) fn keep(&mut self, reader: Reader) -> Option<Receiver<()>> {
        if self.readers.len() < MAX_IDLE_CONNECTIONS {
            self.readers.push(reader);
        }
        self.since = Some(Instant::now());
        if self.closer.is_some() {
            return None;
        }
        let (stopper, gone) = channel();
        self.closer = Some(stopper);
        Some(gone)
    }

    /// Closes all idle connections.
    pub(super) fn close(&mut self) {
        self.readers.clear();
    }

    /// If no connection was used during the last `timeout` before `now`, closes all connections. In this case, returns
    /// `None`, which ends the waiting thread. Otherwise, returns the time to wait before the next call.
    pub(super) fn close_unused(&mut self, now: Instant, timeout: Duration) -> Option<Duration> {
        let unused = self.since.map(|since| now.saturating_duration_since(since));
        let left = unused.and_then(|unused| timeout.checked_sub(unused)).filter(|left| !left.is_zero());
        if left.is_none() {
            *self = Self::default();
        }
        left
    }
}

/// Starts a thread that calls `close_unused` after `timeout`. If `close_unused` returns a time, the thread repeats the
/// call after this time. The thread stops if `close_unused` returns `None`, or if the sender of `gone` is dropped.
pub(super) fn close_after_timeout(
    timeout: Duration,
    gone: Receiver<()>,
    close_unused: impl Fn() -> Option<Duration> + Send + 'static,
) -> io::Result<()> {
    let attending = move || {
        let mut left = Some(timeout);
        while let Some(wait) = left
            && gone.recv_timeout(wait) == Err(RecvTimeoutError::Timeout)
        {
            left = close_unused();
        }
    };
    thread::Builder::new().name("history".to_owned()).spawn(attending).map(drop)
}
