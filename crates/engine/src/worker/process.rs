//! A worker process and its pipes, on the side of the process that sends statements.

use std::ffi::OsString;
use std::fmt::Display;
use std::io;
use std::path::PathBuf;
use std::pin::pin;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};
use tokio::time::{Instant, MissedTickBehavior, interval_at, timeout};

use super::frame::{Frame, Kind, StatementRequest};
use super::memory::{POLL_INTERVAL, process_memory};
use crate::Error;

/// How to start a worker. The program reads the setup of its engine from standard input and calls
/// [`serve`](super::serve).
#[derive(Debug, Clone)]
pub struct Launch {
    /// The program.
    pub program: PathBuf,
    /// The name that process lists show.
    pub name: &'static str,
    /// The arguments.
    pub arguments: Vec<OsString>,
    /// Additional environment variables.
    pub environment: Vec<(&'static str, &'static str)>,
    /// The setup of the engine, from [`write_setup`](super::write_setup).
    pub setup: Vec<u8>,
}

/// A flag that gives the process its own console without a window.
#[cfg(windows)]
const CREATE_NO_WINDOW: u32 = 0x0800_0000;

/// If a worker has closed its output, this is the maximum wait for the end of its process. On a busy system, a process
/// with much memory can take a while to end.
const EXIT_TIMEOUT: Duration = Duration::from_secs(10);

/// A process that was started and received its setup. It is killed when `child` is dropped.
#[derive(Debug)]
pub struct Spawned {
    /// The process.
    pub child: Child,
    /// The process ID. It is valid while the process runs.
    pub id: u32,
    /// The standard input of the process, after the setup. The process ends when its standard input is closed.
    pub input: ChildStdin,
    /// The standard output of the process.
    pub output: ChildStdout,
}

/// A worker. Dropping it ends the process.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    id: u32,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    /// Whether the worker hasn't run any statement yet.
    pub(super) is_fresh: bool,
}

impl Launch {
    /// Starts the process and sends it the setup. If the process ends immediately, this function doesn't return an
    /// error.
    ///
    /// # Errors
    /// Fails if the system can't start the process.
    pub async fn spawn(&self) -> io::Result<Spawned> {
        let mut command = Command::new(&self.program);
        command
            .args(&self.arguments)
            .envs(self.environment.iter().copied())
            // A worker doesn't call a language model, so it doesn't need this key. It must not have the key, because an
            // untrusted author may have written its statements.
            .env_remove("ANTHROPIC_API_KEY")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        // Ctrl-C in a terminal must reach only the parent process.
        #[cfg(unix)]
        command.arg0(self.name).process_group(0);
        // On Windows, this flag prevents a console window.
        #[cfg(windows)]
        command.creation_flags(CREATE_NO_WINDOW);
        let mut child = command.spawn()?;
        let (Some(id), Some(mut input), Some(output), Some(complaints)) =
            (child.id(), child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        // Standard error must be read. Otherwise, a worker that fills this pipe would hang.
        tokio::spawn(log(complaints));
        let setup = Frame { kind: Kind::Json, bytes: self.setup.clone() }.to_bytes()?;
        if let Err(error) = input.write_all(&setup).await {
            tracing::debug!(%error, "cannot send the setup to a worker");
        }
        Ok(Spawned { child, id, input, output })
    }
}

impl Process {
    /// Starts a worker. If the worker ends immediately, this function still succeeds, and [`receive`](Self::receive)
    /// returns the error.
    ///
    /// # Errors
    /// Fails if the system can't start a process.
    pub(super) async fn start(launch: &Launch) -> io::Result<Self> {
        let Spawned { child, id, input, output } = launch.spawn().await?;
        Ok(Self { child, id, input, output: BufReader::new(output), is_fresh: true })
    }

    /// Waits until the worker ends.
    pub(super) async fn wait_for_end(&mut self) {
        if let Err(error) = self.child.wait().await {
            tracing::debug!(%error, "cannot wait for a worker to end");
        }
    }

    /// Sends a statement to the worker. Returns whether the worker accepted the statement. If not, [`Self::receive`]
    /// returns the reason.
    ///
    /// # Errors
    /// Fails if the statement is too long for a frame.
    pub(super) async fn send(&mut self, request: &StatementRequest) -> io::Result<bool> {
        let request = Frame::from_json(request)?.to_bytes()?;
        let sent = self.input.write_all(&request).await;
        Ok(sent.inspect_err(|error| tracing::debug!(%error, "cannot send a statement to a worker")).is_ok())
    }

    /// Receives the worker's next frame, of at most `most` bytes.
    ///
    /// # Errors
    /// Fails with the reason if the worker has ended. Fails with [`Error::OutOfMemory`] if the worker uses more than
    /// `process_bytes` of memory before the frame arrives.
    pub(super) async fn receive(&mut self, process_bytes: u64, most: u64) -> Result<Frame, Error> {
        let mut polls = interval_at(Instant::now() + POLL_INTERVAL, POLL_INTERVAL);
        polls.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let read = {
            let mut read = pin!(Frame::read_from(&mut self.output, most));
            loop {
                tokio::select! {
                    biased;
                    _ = polls.tick() => if process_memory(self.id).is_some_and(|held| held > process_bytes) {
                        return Err(Error::OutOfMemory);
                    },
                    read = &mut read => break read,
                }
            }
        };
        match read {
            Ok(Some(frame)) => Ok(frame),
            Ok(None) => Err(self.cause_of_end().await),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Err(self.cause_of_end().await),
            Err(error) => Err(protocol_error(error)),
        }
    }

    /// Returns the reason why the worker has closed its output.
    async fn cause_of_end(&mut self) -> Error {
        let ended = timeout(EXIT_TIMEOUT, self.child.wait()).await;
        match ended {
            Ok(Ok(status)) if is_for_memory(status) => Error::OutOfMemory,
            outcome => {
                tracing::error!(?outcome, "a worker ended unexpectedly; `DAYLEDGER_LOG=debug` shows its messages");
                Error::Internal
            }
        }
    }
}

/// Logs the standard error of a worker. The level is only `debug`, because the text can contain parts of the statement.
/// In addition, system libraries also write messages when a worker is ended on purpose.
async fn log(complaints: ChildStderr) {
    let mut lines = BufReader::new(complaints).lines();
    while let Ok(Some(line)) = lines.next_line().await {
        tracing::debug!("a worker: {line}");
    }
}

/// Whether a process ended because of a lack of memory. A Rust program ends if it can't allocate memory or a stack. The
/// system ends a process if the whole machine runs out of memory.
#[cfg(unix)]
pub fn is_for_memory(status: ExitStatus) -> bool {
    use std::os::unix::process::ExitStatusExt;
    const SIGABRT: i32 = 6;
    const SIGKILL: i32 = 9;
    matches!(status.signal(), Some(SIGABRT | SIGKILL))
}

/// Whether a process ended because of a lack of memory. A Rust program ends if it can't allocate memory or a stack.
#[cfg(not(unix))]
pub fn is_for_memory(status: ExitStatus) -> bool {
    /// The exit code of every fast fail, `STATUS_STACK_BUFFER_OVERRUN`, and the exit code `STATUS_STACK_OVERFLOW`.
    const CODES: [u32; 2] = [0xC000_0409, 0xC000_00FD];
    status.code().is_some_and(|code| CODES.contains(&code.cast_unsigned()))
}

pub(super) fn protocol_error(error: impl Display) -> Error {
    tracing::error!(%error, "cannot read the response of a worker");
    Error::Internal
}
