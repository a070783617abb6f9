//! Streams the rows of a statement, from this process or from a worker.

use std::pin::Pin;
use std::time::Duration;

use arrow::array::RecordBatch;
use arrow::datatypes::SchemaRef;
use tokio::sync::OwnedSemaphorePermit;
use tokio::sync::mpsc::Receiver;
use tokio::time::{Instant, timeout};

use crate::worker::RemoteStatement;
use crate::{CutBy, Error};

/// The rows of a statement as they arrive. Dropping the stream stops the statement.
pub struct TableStream {
    source: RowSource,
    schema: SchemaRef,
    /// The remaining time until the time limit. It passes only while the caller waits for rows.
    remaining: Duration,
    deadline: Duration,
    has_ended: bool,
    truncated: Option<CutBy>,
}

/// A part of a query result: first the columns, then the rows, then the end.
#[derive(Debug)]
pub(crate) enum Event {
    Schema(SchemaRef),
    Rows(RecordBatch),
    /// The limit that cut off the rows. `None` if no rows were cut off.
    End(Option<CutBy>),
}

/// The process that computes the rows.
pub(crate) enum RowSource {
    /// This process: the receiver of events, and the future that sends them. The future runs only while the caller
    /// waits for an event. After the future has ended, it is replaced by `None`.
    Local(Receiver<Event>, Option<Work>),
    /// A worker, and the permit that limits the number of parallel statements.
    Worker { running: Box<RemoteStatement>, _turn: OwnedSemaphorePermit },
}

pub(crate) type Work = Pin<Box<dyn Future<Output = Result<(), Error>> + Send>>;

impl RowSource {
    async fn next(&mut self) -> Result<Event, Error> {
        match self {
            Self::Worker { running, .. } => running.next().await,
            Self::Local(events, working) => {
                if let Some(work) = working {
                    tokio::select! {
                        biased;
                        // Events have priority. If the work fails after it has sent an event, this event isn't lost.
                        Some(event) = events.recv() => return Ok(event),
                        ended = work => {
                            *working = None;
                            ended?;
                        }
                    }
                }
                events.recv().await.ok_or(Error::Internal)
            }
        }
    }
}

impl TableStream {
    /// Creates the stream as soon as the columns of the result are known.
    pub(crate) async fn open(
        answer: impl Future<Output = Result<RowSource, Error>>,
        deadline: Duration,
    ) -> Result<Self, Error> {
        let begun = Instant::now();
        let first = async {
            let mut answer = answer.await?;
            match answer.next().await? {
                Event::Schema(schema) => Ok((answer, schema)),
                Event::Rows(_) | Event::End(_) => Err(Error::Internal),
            }
        };
        let (source, schema) = timeout(deadline, first).await.map_err(|_| timeout_error(deadline))??;
        let remaining = deadline.saturating_sub(begun.elapsed());
        Ok(Self { source, schema, remaining, deadline, has_ended: false, truncated: None })
    }

    /// Returns the columns.
    pub fn schema(&self) -> SchemaRef {
        SchemaRef::clone(&self.schema)
    }

    /// Returns the next rows, or `None` after the last rows or an error. If the caller drops the future early, it must
    /// also drop the stream.
    ///
    /// # Errors
    /// Fails in the same cases as [`Engine::stream`](crate::Engine::stream).
    pub async fn next(&mut self) -> Option<Result<RecordBatch, Error>> {
        if self.has_ended {
            return None;
        }
        let begun = Instant::now();
        let event = timeout(self.remaining, self.source.next()).await;
        self.remaining = self.remaining.saturating_sub(begun.elapsed());
        let event = event.unwrap_or_else(|_| Err(timeout_error(self.deadline)));
        self.has_ended = !matches!(event, Ok(Event::Rows(_)));
        match event {
            Ok(Event::Rows(batch)) => Some(Ok(batch)),
            Ok(Event::End(truncated)) => {
                self.truncated = truncated;
                None
            }
            Ok(Event::Schema(_)) => Some(Err(Error::Internal)),
            Err(error) => Some(Err(error)),
        }
    }

    /// Returns the limit that cut off the rows, or `None` if no rows were cut off. The limit is known only after the
    /// last rows.
    pub fn truncated_by(&self) -> Option<CutBy> {
        self.truncated
    }
}

fn timeout_error(deadline: Duration) -> Error {
    Error::TimedOut { seconds: deadline.as_secs_f64() }
}
