//! Writes lines to the client in order, in a separate task.
//!
//! A call that responds never waits for the client. This module reports the number of unread bytes to the [`Flow`]. The
//! flow starts no new calls if this number is too high.

use std::io;

use serde::Serialize;
use tokio::io::{AsyncWrite, AsyncWriteExt};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::super::flow::Flow;

/// The queue of lines to the client.
pub(super) struct Outgoing {
    lines: mpsc::UnboundedSender<Vec<u8>>,
    flow: Flow,
    /// Cancelled when the client doesn't accept output any more.
    broken: CancellationToken,
}

/// The task that writes. It ends when the queue is closed and all lines were written, or when the client has left.
pub(in super::super) struct Writing(JoinHandle<()>);

impl Outgoing {
    /// Starts a task that writes to `writer`.
    pub(super) fn new<W>(writer: W, flow: Flow) -> (Self, Writing)
    where
        W: AsyncWrite + Send + Unpin + 'static,
    {
        let (lines, queue) = mpsc::unbounded_channel();
        let broken = CancellationToken::new();
        let writing = tokio::spawn(write(writer, queue, flow.clone(), broken.clone()));
        (Self { lines, flow, broken }, Writing(writing))
    }

    /// Adds one message to the queue.
    ///
    /// # Errors
    /// Fails if the client doesn't accept output any more.
    pub(super) fn send(&self, message: &impl Serialize) -> io::Result<()> {
        let mut line = serde_json::to_vec(message)?;
        line.push(b'\n');
        let bytes = line.len();
        self.flow.add_unread(bytes);
        self.lines.send(line).map_err(|_| {
            self.flow.remove_unread(bytes);
            io::ErrorKind::BrokenPipe.into()
        })
    }

    /// Waits until the client doesn't accept output any more.
    pub(super) async fn wait_until_broken(&self) {
        self.broken.cancelled().await;
    }
}

impl Writing {
    /// Waits until every response was written. Stops waiting if the client takes longer than `drain_timeout` to read
    /// one of them.
    pub(in super::super) async fn end(self) {
        if let Err(error) = self.0.await {
            tracing::debug!(%error, "the task that writes failed");
        }
    }
}

async fn write<W>(mut writer: W, mut queue: mpsc::UnboundedReceiver<Vec<u8>>, flow: Flow, broken: CancellationToken)
where
    W: AsyncWrite + Unpin,
{
    let _told = broken.drop_guard();
    while let Some(line) = queue.recv().await {
        let mut written = unless_gone(&flow, writer.write_all(&line)).await;
        // If more lines follow, the flush can wait until the last line.
        if written.is_ok() && queue.is_empty() {
            written = unless_gone(&flow, writer.flush()).await;
        }
        flow.remove_unread(line.len());
        if let Err(error) = written {
            tracing::debug!(kind = ?error.kind(), "the client takes no more output");
            break;
        }
    }
    // The remaining lines count as read, so that no call waits for a client that has left.
    queue.close();
    while let Some(line) = queue.recv().await {
        flow.remove_unread(line.len());
    }
}

/// Waits until `write` has finished. After the end of the input, fails if the client takes longer than `drain_timeout`.
async fn unless_gone<T>(flow: &Flow, write: impl Future<Output = io::Result<T>>) -> io::Result<T> {
    let gone = async {
        flow.closing().cancelled().await;
        tokio::time::sleep(flow.limits().drain_timeout).await;
    };
    tokio::select! {
        biased;
        written = write => written,
        () = gone => Err(io::ErrorKind::TimedOut.into()),
    }
}
