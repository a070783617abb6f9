//! A worker as who asks it sees it: a process, its pipes, and a statement that it carries out.

use std::io;
use std::pin::pin;
use std::process::{ExitStatus, Stdio};
use std::sync::Arc;
use std::time::Duration;

use datafusion::arrow::datatypes::SchemaRef;
use datafusion::arrow::ipc::reader::StreamReader;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};
use tokio::time::{Instant, MissedTickBehavior, interval_at, timeout};

use super::frame::{self, End, Frame, Kind, Report, Request};
use super::memory::{self, LOOK_EVERY};
use super::pool::{Launch, Workers};
use crate::engine::stream::Event;
use crate::engine::{Error, Progress, QueryLimits};

/// How long a worker that says nothing any more is waited for.
const FAREWELL: Duration = Duration::from_secs(1);

/// A worker. It is ended when this is dropped.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    id: u32,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    /// Whether it has not carried out any statement yet.
    is_fresh: bool,
}

impl Process {
    pub(super) async fn start(launch: &Launch) -> io::Result<Self> {
        let mut command = Command::new(&launch.program);
        command
            .args(&launch.arguments)
            .envs(launch.environment.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        // Ctrl-C at a terminal is for who asks.
        #[cfg(unix)]
        command.arg0(launch.name).process_group(0);
        let mut child = command.spawn()?;
        let (Some(id), Some(mut input), Some(output), Some(complaints)) =
            (child.id(), child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        tokio::spawn(log(complaints));
        let setup = Frame { kind: Kind::Setup, bytes: launch.setup.clone() };
        input.write_all(&setup.to_bytes()?).await?;
        Ok(Self { child, id, input, output: BufReader::new(output), is_fresh: true })
    }

    /// Waits until the worker ends by itself.
    pub(super) async fn ended(&mut self) {
        if let Err(error) = self.child.wait().await {
            tracing::debug!(%error, "a worker cannot be waited for");
        }
    }

    async fn send(&mut self, request: &Request) -> io::Result<()> {
        self.input.write_all(&Frame::json(Kind::Request, request)?.to_bytes()?).await
    }

    /// What the worker says next, of at most `most` bytes, unless it holds more than `held_bytes` before it says anything.
    async fn hear(&mut self, held_bytes: u64, most: u64) -> Heard {
        let mut looks = interval_at(Instant::now() + LOOK_EVERY, LOOK_EVERY);
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let said = {
            let mut said = pin!(Frame::read_from(&mut self.output, most));
            loop {
                tokio::select! {
                    biased;
                    _ = looks.tick() => if memory::exceeds(self.id, held_bytes) {
                        return Heard::End(Error::OutOfMemory);
                    },
                    said = &mut said => break said,
                }
            }
        };
        match said {
            Ok(Some(frame)) => Heard::Frame(frame),
            Ok(None) => Heard::End(self.cause_of_end().await),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Heard::End(self.cause_of_end().await),
            Err(error) => Heard::End(not_understood(error)),
        }
    }

    /// Why the worker says nothing any more.
    async fn cause_of_end(&mut self) -> Error {
        let ended = timeout(FAREWELL, self.child.wait()).await;
        match ended {
            Ok(Ok(status)) if is_for_memory(status) => Error::OutOfMemory,
            outcome => {
                tracing::error!(?outcome, "a worker ended by itself; `DAYLEDGER_LOG=debug` tells what it says");
                Error::Internal
            }
        }
    }
}

/// What a worker says beside its answers. Its words may be about the statement, and what the system's libraries say of an
/// end that was wanted is no concern of anybody.
async fn log(complaints: ChildStderr) {
    let mut lines = BufReader::new(complaints).lines();
    while let Ok(Some(line)) = lines.next_line().await {
        tracing::debug!("a worker: {line}");
    }
}

/// Whether a process was ended for the memory that it wanted: by Rust, where memory or stack cannot be had, or by the
/// system, which has too little for all.
#[cfg(unix)]
fn is_for_memory(status: ExitStatus) -> bool {
    use std::os::unix::process::ExitStatusExt;
    const SIGABRT: i32 = 6;
    const SIGKILL: i32 = 9;
    matches!(status.signal(), Some(SIGABRT | SIGKILL))
}

/// Whether a process was ended for the memory that it wanted: what Rust does where memory or stack cannot be had.
#[cfg(not(unix))]
fn is_for_memory(status: ExitStatus) -> bool {
    /// `STATUS_STACK_BUFFER_OVERRUN`, which every fast failure ends with, and `STATUS_STACK_OVERFLOW`.
    const CODES: [u32; 2] = [0xC000_0409, 0xC000_00FD];
    status.code().is_some_and(|code| CODES.contains(&code.cast_unsigned()))
}

/// What comes of listening to a worker.
enum Heard {
    Frame(Frame),
    /// It has ended, or was ended, for that reason.
    End(Error),
}

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
        if process.send(&request).await.is_err() {
            // It had waited for so long that it ended just now.
            process = workers.start_for(&request).await?;
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
                    self.process = Some(self.workers.start_for(&self.request).await?);
                }
                Err(cause) => return Err(cause),
            }
        }
    }

    fn take_in(&mut self, frame: &Frame) -> Result<Option<Event>, Error> {
        match frame.kind {
            Kind::Rows => return self.answer.decode(&frame.bytes),
            Kind::Progress => {
                let Report { stage, rows } = frame.read_json().map_err(not_understood)?;
                self.progress.is_told(stage, rows);
            }
            Kind::End => {
                let End { truncated } = frame.read_json().map_err(not_understood)?;
                self.end();
                return Ok(Some(Event::End(truncated)));
            }
            Kind::Failure => {
                let error: Error = frame.read_json().map_err(not_understood)?;
                if error.may_be_of_process() {
                    self.process = None;
                } else {
                    self.end();
                }
                return Err(error);
            }
            Kind::Setup | Kind::Request => return Err(not_understood("a worker asks")),
        }
        Ok(None)
    }

    /// Lets the worker wait for another statement.
    fn end(&mut self) {
        if let Some(process) = self.process.take() {
            self.workers.put_back(Process { is_fresh: false, ..process });
        }
    }
}

impl Workers {
    async fn start_for(&self, request: &Request) -> Result<Process, Error> {
        let mut process = self.start().await.map_err(not_started)?;
        process.send(request).await.map_err(not_started)?;
        Ok(process)
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

fn not_started(error: impl std::fmt::Display) -> Error {
    tracing::error!(%error, "no worker could be started for a statement");
    Error::Internal
}

fn not_understood(error: impl std::fmt::Display) -> Error {
    tracing::error!(%error, "a worker could not be understood");
    Error::Internal
}
