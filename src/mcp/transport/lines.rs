//! What comes from the client: lines of bounded length, read ahead a little by a task of their own.
//!
//! Reading ahead is what makes the end of input seen in time: the server may have stopped to take messages because the
//! client leaves responses unread.

use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, BufReader};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// The longest line that is kept while it is read.
pub(super) const LINE_BYTES: usize = 16 << 20;
/// How much is read ahead; a line that is longer is read ahead alone.
const AHEAD_BYTES: u32 = 1 << 20;
/// What a line costs beside its bytes.
const LINE_COST: usize = 64;

/// A line of the input.
pub(super) enum Line {
    /// The line, and its share of the bytes that are read ahead.
    Whole { text: Vec<u8>, _ahead: OwnedSemaphorePermit },
    /// It was longer than [`LINE_BYTES`] and is skipped.
    TooLong,
}

/// The lines of an input.
pub(super) struct Lines {
    queue: mpsc::UnboundedReceiver<Line>,
    over: CancellationToken,
    task: JoinHandle<()>,
}

impl Lines {
    /// Starts to read from `reader`. The conversation is over when `grace` has passed since the end of input.
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
            tokio::time::sleep(grace).await;
        });
        Self { queue, over, task }
    }

    /// The next line; none when the input has ended and every line of it was taken. Nothing is lost where the future is
    /// dropped.
    pub(super) async fn next(&mut self) -> Option<Line> {
        self.queue.recv().await
    }

    /// Cancelled when the conversation is over, even if lines are left.
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
    // Whether the bytes that follow belong to a line that is skipped.
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
            let cost = u32::try_from(text.len() + LINE_COST).unwrap_or(AHEAD_BYTES).min(AHEAD_BYTES);
            let Ok(share) = Arc::clone(&ahead).acquire_many_owned(cost).await else { return Ok(()) };
            // The connection may have closed already.
            let _ = lines.send(Line::Whole { text, _ahead: share });
        }
        skipping = is_too_long;
    }
}
