//! Reads lines of bounded length from the client. A separate task reads a little ahead.
//!
//! Because the task reads ahead, it detects the end of the input promptly. This also works while the server takes no
//! messages because the client leaves responses unread.

use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, BufReader};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// The maximum length of a line that is kept in memory, in bytes.
pub(super) const LINE_BYTES: usize = 16 << 20;
/// The maximum number of bytes that are read ahead. If a line is longer than this limit, only this line is read ahead.
const AHEAD_BYTES: u32 = 1 << 20;
/// The estimated number of bytes that a line takes in memory, in addition to its text.
const LINE_COST: usize = 64;

/// A line of the input.
pub(super) enum Line {
    /// A complete line. The permit is the line's share of the bytes that may be read ahead.
    Whole { text: Vec<u8>, _ahead: OwnedSemaphorePermit },
    /// The line was longer than [`LINE_BYTES`] and was skipped.
    TooLong,
}

/// The lines of an input.
pub(super) struct Lines {
    queue: mpsc::UnboundedReceiver<Line>,
    over: CancellationToken,
    task: JoinHandle<()>,
}

impl Lines {
    /// Starts to read lines from `reader`. The session ends `grace` after the end of the input.
    pub(super) fn new<R>(reader: R, grace: Duration) -> Self
    where
        R: AsyncRead + Send + Unpin + 'static,
    {
        let (sender, queue) = mpsc::unbounded_channel();
        let over = CancellationToken::new();
        let end = over.clone().drop_guard();
        let task = tokio::spawn(async move {
            let _end = end;
            if let Err(error) = read(BufReader::new(reader), sender).await {
                tracing::debug!(kind = ?error.kind(), "the input cannot be read any more");
            }
            // The task holds the guard until the grace period is over. Dropping the guard ends the session.
            tokio::time::sleep(grace).await;
        });
        Self { queue, over, task }
    }

    /// Returns the next line. Returns `None` when the input has ended and all lines were returned. If the future is
    /// dropped, no line is lost.
    pub(super) async fn next(&mut self) -> Option<Line> {
        self.queue.recv().await
    }

    /// Returns the token that is cancelled when the session has ended. Some lines may be unread at that time.
    pub(super) fn end_token(&self) -> CancellationToken {
        self.over.clone()
    }
}

impl Drop for Lines {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn read<R>(mut reader: BufReader<R>, lines: mpsc::UnboundedSender<Line>) -> std::io::Result<()>
where
    R: AsyncRead + Unpin,
{
    let ahead = Arc::new(Semaphore::new(AHEAD_BYTES as usize));
    // Whether the next bytes belong to a line that is too long and is skipped.
    let mut skipping = false;
    loop {
        let mut text = Vec::new();
        (&mut reader).take(LINE_BYTES as u64).read_until(b'\n', &mut text).await?;
        if text.is_empty() {
            return Ok(());
        }
        let is_too_long = text.len() == LINE_BYTES && !text.ends_with(b"\n");
        if is_too_long && !skipping {
            let _ = lines.send(Line::TooLong);
        }
        if !is_too_long && !skipping && !text.trim_ascii().is_empty() {
            // The cost is limited, because a line that needs more permits than exist would wait forever.
            let cost = u32::try_from(text.len() + LINE_COST).unwrap_or(AHEAD_BYTES).min(AHEAD_BYTES);
            let Ok(share) = Arc::clone(&ahead).acquire_many_owned(cost).await else { return Ok(()) };
            // The receiver may be gone, because the connection has closed.
            let _ = lines.send(Line::Whole { text, _ahead: share });
        }
        skipping = is_too_long;
    }
}
