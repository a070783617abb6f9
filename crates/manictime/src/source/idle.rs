//! Connections that wait for the next question, and when they let go of the file.
//!
//! Windows lets nobody replace, rename or remove a file that is open, and `SQLite` opens it so that its name cannot go
//! meanwhile. `ManicTime` does so when it restores a backup, and a server may wait for weeks: so a connection that is not
//! asked for some seconds is closed. The next question opens a new one, which knows nothing of what was read before and so
//! starts a new generation.

use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::sqlite::Reader;

/// How many idle connections are kept; more are opened while more questions run at once.
const MAX_IDLE_CONNECTIONS: usize = 2;

/// The connections that nobody uses.
#[derive(Debug, Default)]
pub(super) struct IdleConnections {
    readers: Vec<Reader>,
    /// When the last of them was given back.
    since: Option<Instant>,
    /// While somebody sees to it that they are closed; who does so hears when this goes.
    closer: Option<Sender<()>>,
}

impl IdleConnections {
    pub(super) fn take(&mut self) -> Option<Reader> {
        self.readers.pop()
    }

    /// Keeps a connection for the next question; returns what somebody needs who has to [`attend`] to it and did not
    /// before.
    pub(super) fn keep(&mut self, reader: Reader) -> Option<Receiver<()>> {
        if self.readers.len() < MAX_IDLE_CONNECTIONS {
            self.readers.push(reader);
        }
        self.since = Some(Instant::now());
        if self.closer.is_some() {
            return None;
        }
        let (attendant, gone) = channel();
        self.closer = Some(attendant);
        Some(gone)
    }

    /// Closes all connections.
    pub(super) fn close(&mut self) {
        self.readers.clear();
    }

    /// Closes all connections where none was used for `patience` before `now`, and then needs nobody to attend any more;
    /// else returns for how long they may stay.
    pub(super) fn close_unused(&mut self, now: Instant, timeout: Duration) -> Option<Duration> {
        let unused = self.since.map(|since| now.saturating_duration_since(since));
        let left = unused.and_then(|unused| timeout.checked_sub(unused)).filter(|left| !left.is_zero());
        if left.is_none() {
            *self = Self::default();
        }
        left
    }
}

/// Starts a thread that calls `close_unused` after `patience`, and again for as long as that gives a time to wait for and
/// the connections are not `gone`.
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
