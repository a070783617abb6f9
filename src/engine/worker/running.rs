//! A statement that a worker carries out, as who asked sees it: rows as they come, or why there are none.

use std::fmt::Display;
use std::sync::Arc;

use datafusion::arrow::datatypes::SchemaRef;
use datafusion::arrow::ipc::reader::StreamReader;

use super::frame::{self, Frame, Kind, Request, Told};
use super::pool::Workers;
use super::process::{Heard, Process, not_understood};
use crate::engine::event::Event;
use crate::engine::{Error, Progress, QueryLimits};

/// A statement that a worker carries out; the worker is ended when this is dropped before the statement's end.
#[derive(Debug)]
pub(crate) struct Running {
    workers: Arc<Workers>,
    request: Request,
    progress: Progress,
    /// None once the statement has ended.
    process: Option<Process>,
    answer: Answer,
}

impl Running {
    /// Hands a statement to a worker. `history_bytes` is what the rows of the history may take beside what the statement
    /// may take.
    ///
    /// # Errors
    /// [`Error::Internal`] where the system starts no process.
    pub(crate) async fn start(
        workers: &Arc<Workers>,
        sql: String,
        limits: &QueryLimits,
        history_bytes: u64,
        progress: &Progress,
    ) -> Result<Self, Error> {
        let request = Request {
            sql,
            memory_bytes: limits.memory_bytes,
            held_bytes: (limits.memory_bytes as u64).saturating_add(history_bytes),
            rows: limits.rows,
            bytes: limits.bytes,
        };
        let mut process = workers.take().await.map_err(not_started)?;
        let told = process.send(&request).await.map_err(not_started)?;
        if told.is_err() && !process.is_fresh {
            // It had waited for so long that it ended just now.
            process = workers.start_for(&request).await.map_err(not_started)?;
        }
        let (workers, progress) = (Arc::clone(workers), progress.clone());
        Ok(Self { workers, request, progress, process: Some(process), answer: Answer::default() })
    }

    /// What comes next of the answer. Who drops the future has to drop the whole.
    ///
    /// # Errors
    /// What the worker says is wrong; [`Error::OutOfMemory`] where it held more than it may.
    pub(crate) async fn next(&mut self) -> Result<Event, Error> {
        let most = frame::most_answered(self.request.bytes);
        loop {
            let process = self.process.as_mut().ok_or(Error::Internal)?;
            let is_fresh = process.is_fresh;
            let told = match process.hear(self.request.held_bytes, most).await {
                Heard::Frame(frame) => self.take_in(&frame),
                Heard::End(cause) => {
                    self.process = None;
                    Err(cause)
                }
            };
            match told {
                Ok(None) => {}
                Ok(Some(event)) => return Ok(event),
                // What earlier statements left behind may have taken the room of this one.
                Err(cause) if cause.may_be_of_process() && !is_fresh && !self.answer.has_rows => {
                    let process = self.workers.start_for(&self.request).await;
                    self.process = Some(process.map_err(not_started)?);
                }
                Err(cause) => return Err(cause),
            }
        }
    }

    fn take_in(&mut self, frame: &Frame) -> Result<Option<Event>, Error> {
        if frame.kind == Kind::Rows {
            return self.answer.decode(&frame.bytes);
        }
        let told: Told = frame.read_json().map_err(not_understood)?;
        match told {
            Told::Progress { stage, rows } => {
                self.progress.is_told(stage, rows);
                Ok(None)
            }
            Told::End { truncated } => {
                self.end();
                Ok(Some(Event::End(truncated)))
            }
            Told::Failure(error) => {
                if error.may_be_of_process() {
                    self.process = None;
                } else {
                    self.end();
                }
                Err(error)
            }
        }
    }

    /// Lets the worker wait for another statement.
    fn end(&mut self) {
        if let Some(process) = self.process.take() {
            self.workers.put_back(process);
        }
    }
}

/// What has come of an answer.
#[derive(Debug, Default)]
struct Answer {
    /// The columns, once they were handed on.
    schema: Option<SchemaRef>,
    has_rows: bool,
}

impl Answer {
    /// What a frame of rows tells that is new.
    fn decode(&mut self, bytes: &[u8]) -> Result<Option<Event>, Error> {
        let mut reader = StreamReader::try_new(bytes, None).map_err(not_understood)?;
        let schema = reader.schema();
        let Some(known) = &self.schema else {
            self.schema = Some(SchemaRef::clone(&schema));
            return Ok(Some(Event::Schema(schema)));
        };
        if *known != schema {
            return Err(not_understood("the history has got another shape between two attempts"));
        }
        let Some(batch) = reader.next() else { return Ok(None) };
        self.has_rows = true;
        Ok(Some(Event::Rows(batch.map_err(not_understood)?)))
    }
}

fn not_started(error: impl Display) -> Error {
    tracing::error!(%error, "no worker could be started for a statement");
    Error::Internal
}
