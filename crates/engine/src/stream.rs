//! Streams the rows of a statement, from this process or from a worker.

use std::pin::Pin;
use std::time::Duration;

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::SchemaRef;
use tokio::sync::OwnedSemaphorePermit;
use tokio::sync::mpsc::Receiver;
use tokio::time::{Instant, timeout};

use super::event::Event;
use super::worker::RemoteStatement;
use super::{CutBy, Error};

/// The rows of a statement as they come. The statement ends when this is dropped.
pub struct TableStream {
    source: RowSource,
    schema: SchemaRef,
    /// How long the statement may still run; while nobody asks for its rows, no time passes.
    remaining: Duration,
    deadline: Duration,
    has_ended: bool,
    truncated: Option<CutBy>,
}

/// Where rows come from.
pub(super) enum RowSource {
    /// This process: what the work has sent, and the work itself until it is done, which goes on while it is waited for.
    Local(Receiver<Event>, Option<Work>),
    /// A worker, beside which only a few others may run.
    Worker { running: Box<RemoteStatement>, _turn: OwnedSemaphorePermit },
}

pub(super) type Work = Pin<Box<dyn Future<Output = Result<(), Error>> + Send>>;

impl RowSource {
    async fn next(&mut self) -> Result<Event, Error> {
        match self {
            Self::Worker { running, .. } => running.next().await,
            Self::Local(events, working) => {
                if let Some(work) = working {
                    tokio::select! {
                        biased;
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
    /// Waits for the columns of an answer.
    pub(super) async fn open(
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

    /// The columns.
    pub fn schema(&self) -> SchemaRef {
        SchemaRef::clone(&self.schema)
    }

    /// The next rows; none after the last, and none after an error. Who drops the future has to drop the stream.
    ///
    /// # Errors
    /// Those of [`Engine::stream`](super::Engine::stream).
    pub async fn next(&mut self) -> Option<Result<RecordBatch, Error>> {
        if self.has_ended {
            return None;
        }
        let begun = Instant::now();
        let event = timeout(self.remaining, self.source.next()).await;
        self.remaining = self.remaining.saturating_sub(begun.elapsed());
        match event.unwrap_or_else(|_| Err(timeout_error(self.deadline))) {
            Ok(Event::Rows(batch)) => Some(Ok(batch)),
            Ok(Event::End(truncated)) => {
                (self.has_ended, self.truncated) = (true, truncated);
                None
            }
            Ok(Event::Schema(_)) => {
                self.has_ended = true;
                Some(Err(Error::Internal))
            }
            Err(error) => {
                self.has_ended = true;
                Some(Err(error))
            }
        }
    }

    /// What ended the rows before their end, known once there are no more; `None` where all have come.
    pub fn truncated_by(&self) -> Option<CutBy> {
        self.truncated
    }
}

fn timeout_error(deadline: Duration) -> Error {
    Error::TimedOut { seconds: deadline.as_secs_f64() }
}
