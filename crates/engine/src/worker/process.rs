//! A worker as who asks it sees it: a process and its pipes.

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
use super::memory::{self, POLL_INTERVAL};
use crate::Error;

/// How a worker is started: a program that calls [`serve`](super::serve) and is told on its standard input how to make
/// its engine.
#[derive(Debug, Clone)]
pub struct Launch {
    /// The program.
    pub program: PathBuf,
    /// The name that it is shown by.
    pub name: &'static str,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// What is set in its environment, beside what is set here.
    pub environment: Vec<(&'static str, &'static str)>,
    /// The setup of its engine, from [`write_setup`](super::write_setup).
    pub setup: Vec<u8>,
}

/// A console of its own, which nobody sees.
#[cfg(windows)]
const CREATE_NO_WINDOW: u32 = 0x0800_0000;

/// How long a worker that says nothing any more is waited for; a busy system needs some time to end one that held much.
const EXIT_TIMEOUT: Duration = Duration::from_secs(10);

/// A process that was started and got its setup. It is killed when the child is dropped.
#[derive(Debug)]
pub struct Spawned {
    /// The process.
    pub child: Child,
    /// Its id while it runs.
    pub id: u32,
    /// Its standard input, after the setup. The process ends when this is closed.
    pub input: ChildStdin,
    /// Its standard output.
    pub output: ChildStdout,
}

/// A worker. It is ended when this is dropped.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    id: u32,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    /// Whether it has not carried out any statement yet.
    pub(super) is_fresh: bool,
}

/// That a worker takes nothing any more; [`Process::receive`] tells why.
#[derive(Debug)]
pub(super) struct Disconnected;

impl Launch {
    /// Starts the process and sends it the setup. A process that ends immediately is not an error here.
    ///
    /// # Errors
    /// If the system doesn't start the process.
    pub async fn spawn(&self) -> io::Result<Spawned> {
        let mut command = Command::new(&self.program);
        command
            .args(&self.arguments)
            .envs(self.environment.iter().copied())
            // It asks no model, and what it carries out is written by others.
            .env_remove("ANTHROPIC_API_KEY")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        // Ctrl-C at a terminal is for who asks.
        #[cfg(unix)]
        command.arg0(self.name).process_group(0);
        // Nor does a window open where who asks has none.
        #[cfg(windows)]
        command.creation_flags(CREATE_NO_WINDOW);
        let mut child = command.spawn()?;
        let (Some(id), Some(mut input), Some(output), Some(complaints)) =
            (child.id(), child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        tokio::spawn(log(complaints));
        let setup = Frame { kind: Kind::Json, bytes: self.setup.clone() }.to_bytes()?;
        if let Err(error) = input.write_all(&setup).await {
            tracing::debug!(%error, "a worker does not read its setup");
        }
        Ok(Spawned { child, id, input, output })
    }
}

impl Process {
    /// Starts a worker. One that ends at once is told by [`hear`](Self::hear), as one that ends later is.
    ///
    /// # Errors
    /// When the system starts no process.
    pub(super) async fn start(launch: &Launch) -> io::Result<Self> {
        let Spawned { child, id, input, output } = launch.spawn().await?;
        Ok(Self { child, id, input, output: BufReader::new(output), is_fresh: true })
    }

    /// Waits until the worker ends by itself.
    pub(super) async fn wait_for_end(&mut self) {
        if let Err(error) = self.child.wait().await {
            tracing::debug!(%error, "a worker cannot be waited for");
        }
    }

    /// Hands a statement to the worker.
    ///
    /// # Errors
    /// A statement that is longer than a frame may be; inside, where the worker has ended.
    pub(super) async fn send(&mut self, request: &StatementRequest) -> io::Result<Result<(), Disconnected>> {
        let request = Frame::from_json(request)?.to_bytes()?;
        Ok(self.input.write_all(&request).await.map_err(|error| {
            tracing::debug!(%error, "a worker listens no more");
            Disconnected
        }))
    }

    /// Receives the worker's next frame, of at most `most` bytes. Ends with an error if the worker uses more than
    /// `process_bytes` of memory before that.
    pub(super) async fn receive(&mut self, process_bytes: u64, most: u64) -> Received {
        let mut looks = interval_at(Instant::now() + POLL_INTERVAL, POLL_INTERVAL);
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let said = {
            let mut said = pin!(Frame::read_from(&mut self.output, most));
            loop {
                tokio::select! {
                    biased;
                    _ = looks.tick() => if memory::exceeds(self.id, process_bytes) {
                        return Received::End(Error::OutOfMemory);
                    },
                    said = &mut said => break said,
                }
            }
        };
        match said {
            Ok(Some(frame)) => Received::Frame(frame),
            Ok(None) => Received::End(self.cause_of_end().await),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Received::End(self.cause_of_end().await),
            Err(error) => Received::End(protocol_error(error)),
        }
    }

    /// Why the worker says nothing any more.
    async fn cause_of_end(&mut self) -> Error {
        let ended = timeout(EXIT_TIMEOUT, self.child.wait()).await;
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
pub fn is_for_memory(status: ExitStatus) -> bool {
    use std::os::unix::process::ExitStatusExt;
    const SIGABRT: i32 = 6;
    const SIGKILL: i32 = 9;
    matches!(status.signal(), Some(SIGABRT | SIGKILL))
}

/// Whether a process was ended for the memory that it wanted: what Rust does where memory or stack cannot be had.
#[cfg(not(unix))]
pub fn is_for_memory(status: ExitStatus) -> bool {
    /// `STATUS_STACK_BUFFER_OVERRUN`, which every fast failure ends with, and `STATUS_STACK_OVERFLOW`.
    const CODES: [u32; 2] = [0xC000_0409, 0xC000_00FD];
    status.code().is_some_and(|code| CODES.contains(&code.cast_unsigned()))
}

/// What comes of listening to a worker.
pub(super) enum Received {
    Frame(Frame),
    /// It has ended, or was ended, for that reason.
    End(Error),
}

pub(super) fn protocol_error(error: impl Display) -> Error {
    tracing::error!(%error, "a worker could not be understood");
    Error::Internal
}
