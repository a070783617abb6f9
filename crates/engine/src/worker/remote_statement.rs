//! A statement that a worker runs, on the side of the process that sent it. Returns the rows as they arrive, or an
//! error.

use std::fmt::Display;
use std::sync::Arc;

use arrow::datatypes::SchemaRef;
use arrow::ipc::reader::StreamReader;

use super::frame::{self, Frame, Kind, Report, StatementRequest};
use super::pool::Workers;
use super::process::{Process, protocol_error};
use crate::query::stream::Event;
use crate::query::user_statement::UserStatement;
use crate::{Error, Progress, QueryLimits};

/// A statement that a worker runs. If this value is dropped before the end of the statement, the worker is ended.
#[derive(Debug)]
pub(crate) struct RemoteStatement {
    workers: Arc<Workers>,
    request: StatementRequest,
    progress: Progress,
    /// `None` after the end of the statement.
    process: Option<Process>,
    answer: AnswerDecoder,
}

impl RemoteStatement {
    /// Sends a statement to a worker. `history_bytes` is the memory limit for the rows of the history, in addition to
    /// the memory of the statement.
    ///
    /// # Errors
    /// [`Error::Internal`] if the system can't start a process.
    pub(crate) async fn start(
        workers: &Arc<Workers>,
        statement: UserStatement,
        limits: &QueryLimits,
        history_bytes: u64,
        progress: &Progress,
    ) -> Result<Self, Error> {
        let process_bytes = (limits.memory_bytes as u64).saturating_add(history_bytes);
        let request = StatementRequest { statement, limits: *limits, process_bytes };
        let mut process = workers.take().await.map_err(start_error)?;
        let sent = process.send(&request).await.map_err(start_error)?;
        if !sent && !process.is_fresh {
            // The free worker didn't accept the statement, because it has just ended. So a new worker replaces it.
            process = workers.start_with(&request).await.map_err(start_error)?;
        }
        let (workers, progress) = (Arc::clone(workers), progress.clone());
        Ok(Self { workers, request, progress, process: Some(process), answer: AnswerDecoder::default() })
    }

    /// Returns the next columns, rows or end of the result. If the caller drops the future early, it must drop the
    /// whole statement.
    ///
    /// # Errors
    /// Fails with the error that the worker reports, and with [`Error::OutOfMemory`] if the worker exceeded its memory
    /// limit.
    pub(crate) async fn next(&mut self) -> Result<Event, Error> {
        let most = frame::max_answer_bytes(self.request.limits.bytes);
        loop {
            let process = self.process.as_mut().ok_or(Error::Internal)?;
            let is_fresh = process.is_fresh;
            let event = match process.receive(self.request.process_bytes, most).await {
                Ok(frame) => self.handle_frame(&frame),
                Err(cause) => {
                    self.process = None;
                    Err(cause)
                }
            };
            match event {
                Ok(None) => {}
                Ok(Some(event)) => return Ok(event),
                // Earlier statements may have used much of this worker's memory. So the statement is tried again in a
                // new worker.
                Err(cause) if cause.may_be_process_failure() && !is_fresh && !self.answer.has_rows => {
                    let process = self.workers.start_with(&self.request).await;
                    self.process = Some(process.map_err(start_error)?);
                }
                Err(cause) => return Err(cause),
            }
        }
    }

    fn handle_frame(&mut self, frame: &Frame) -> Result<Option<Event>, Error> {
        if frame.kind == Kind::Rows {
            return self.answer.decode(&frame.bytes);
        }
        let report: Report = frame.read_json().map_err(protocol_error)?;
        match report {
            Report::Progress { stage, rows } => {
                self.progress.update(stage, rows);
                Ok(None)
            }
            Report::End { truncated } => {
                self.end();
                Ok(Some(Event::End(truncated)))
            }
            Report::Failure(error) => {
                if error.may_be_process_failure() {
                    self.process = None;
                } else {
                    self.end();
                }
                Err(error)
            }
        }
    }

    /// Makes the worker available for another statement.
    fn end(&mut self) {
        if let Some(process) = self.process.take() {
            self.workers.put_back(process);
        }
    }
}

/// Decodes the frames of a result in order.
#[derive(Debug, Default)]
struct AnswerDecoder {
    /// The columns. `None` until the first frame was decoded.
    schema: Option<SchemaRef>,
    has_rows: bool,
}

impl AnswerDecoder {
    /// Returns the columns or rows in a frame. Each frame contains the columns. Returns `None` if the frame only
    /// repeats columns that were returned before.
    fn decode(&mut self, bytes: &[u8]) -> Result<Option<Event>, Error> {
        let mut reader = StreamReader::try_new(bytes, None).map_err(protocol_error)?;
        let schema = reader.schema();
        let Some(known) = &self.schema else {
            self.schema = Some(SchemaRef::clone(&schema));
            return Ok(Some(Event::Schema(schema)));
        };
        if *known != schema {
            return Err(protocol_error("the columns of the result changed between two attempts"));
        }
        let Some(batch) = reader.next() else { return Ok(None) };
        self.has_rows = true;
        Ok(Some(Event::Rows(batch.map_err(protocol_error)?)))
    }
}

fn start_error(error: impl Display) -> Error {
    tracing::error!(%error, "cannot start a worker for a statement");
    Error::Internal
}
