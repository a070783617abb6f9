//! The processes in which a worker machine runs the tasks of statements. Each statement has its own process.
//!
//! This module starts the processes, limits their memory and ends them. The module `worker` assigns requests to
//! statements. The module `task_worker` runs in a process.
//!
//! Invariant: a process runs only while a request of its statement is open. So the process doesn't compute rows for a
//! caller that has stopped waiting.

use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use dayledger_engine::worker::{Launch, POLL_INTERVAL, Spawned, is_for_memory, process_memory};
use hyper_util::rt::TokioIo;
use tokio::process::Child;
use tokio::sync::{OnceCell, oneshot, watch};
use tokio::time::{MissedTickBehavior, interval, timeout};
use tonic::transport::{Channel, Endpoint};
use tower::service_fn;

/// The maximum number of statements that run simultaneously, each in its own process.
const MAX_STATEMENTS: usize = 64;

/// The maximum time that a request for rows waits for the plan of its statement.
const PLAN_TIMEOUT: Duration = Duration::from_secs(10);

/// The time that a process may take to end after it closed its connection. Ending a process with much memory takes
/// time.
const EXIT_TIMEOUT: Duration = Duration::from_secs(10);

/// The size of the buffer of a response, in bytes.
const STREAM_WINDOW: u32 = 1 << 20;

/// The ID of a statement.
pub(crate) type StatementId = Vec<u8>;

/// All processes of a worker machine that run statements.
#[derive(Debug)]
pub(crate) struct TaskProcesses {
    launch: Launch,
    /// The memory limit of all processes together, in bytes. It is also the highest limit that a single process can
    /// get.
    memory_bytes: u64,
    /// A process that was started without a statement. The next statement uses this process and doesn't have to wait.
    reserve: Mutex<Option<Spawned>>,
    running: Mutex<HashMap<StatementId, Weak<TaskProcess>>>,
    /// Notifies its subscribers when a statement starts.
    started: watch::Sender<()>,
    memory: Arc<MemoryUse>,
}

/// The reason why the process of a statement ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ProcessEnd {
    /// The process exceeded the memory limit of its statement.
    Memory,
    /// All processes together exceeded the memory limit of the machine, and this process used the most memory.
    MemoryOfAll,
    /// The process failed for another reason.
    Failed,
}

/// The reason why a request can't get a process.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ProcessError {
    #[error("a worker machine is already running {MAX_STATEMENTS} statements")]
    TooMany,
    #[error("a worker machine has no plan for this request")]
    NoPlan,
    #[error("a worker machine cannot start a process: {0}")]
    System(#[from] io::Error),
    #[error("a worker machine cannot reach its process: {0}")]
    Connection(#[from] tonic::transport::Error),
}

impl TaskProcesses {
    pub(crate) fn new(launch: Launch, memory_bytes: u64) -> Arc<Self> {
        Arc::new(Self {
            launch,
            memory_bytes,
            reserve: Mutex::default(),
            running: Mutex::default(),
            started: watch::Sender::new(()),
            memory: Arc::default(),
        })
    }

    /// Returns the memory limit of a statement in bytes. `wanted` is the limit that the caller allows.
    pub(crate) fn limit(&self, wanted: Option<u64>) -> u64 {
        wanted.map_or(self.memory_bytes, |wanted| wanted.min(self.memory_bytes))
    }

    /// Returns the process that runs a plan of a statement. For the first plan of the statement, creates an entry for
    /// the process, with a memory limit of `limit` bytes.
    ///
    /// # Errors
    /// [`ProcessError::TooMany`] if too many statements are running.
    pub(crate) fn process_for_plan(&self, statement: &[u8], limit: u64) -> Result<Arc<TaskProcess>, ProcessError> {
        let mut running = lock(&self.running);
        if let Some(known) = running.get(statement).and_then(Weak::upgrade) {
            return Ok(known);
        }
        running.retain(|_, process| process.strong_count() > 0);
        if running.len() >= MAX_STATEMENTS {
            return Err(ProcessError::TooMany);
        }
        let process = Arc::new(TaskProcess { limit, process: OnceCell::new() });
        running.insert(statement.to_vec(), Arc::downgrade(&process));
        drop(running);
        self.started.send_replace(());
        Ok(process)
    }

    /// Returns the process of a statement whose rows are requested. Such a request can arrive before the plan, so the
    /// function waits for the plan.
    ///
    /// # Errors
    /// [`ProcessError::NoPlan`] if the statement has ended or its caller has disconnected.
    pub(crate) async fn process_for_rows(&self, statement: &[u8]) -> Result<Arc<TaskProcess>, ProcessError> {
        // The subscription begins before the first lookup, so that a statement that starts after the lookup is noticed.
        let mut started = self.started.subscribe();
        let known = async {
            loop {
                let known = lock(&self.running).get(statement).and_then(Weak::upgrade);
                if let Some(known) = known {
                    return Some(known);
                }
                started.changed().await.ok()?;
            }
        };
        timeout(PLAN_TIMEOUT, known).await.ok().flatten().ok_or(ProcessError::NoPlan)
    }

    /// Starts a process for the next statement and keeps it in reserve.
    pub(crate) async fn refill(&self) {
        match self.launch.spawn().await {
            Ok(spawned) => *lock(&self.reserve) = Some(spawned),
            Err(error) => tracing::error!(%error, "cannot start a process for the next statement"),
        }
    }

    async fn take_spawned(self: &Arc<Self>) -> io::Result<Spawned> {
        let reserve = lock(&self.reserve).take();
        let processes = Arc::clone(self);
        tokio::spawn(async move { processes.refill().await });
        // The process in reserve may have ended.
        if let Some(mut spawned) = reserve
            && matches!(spawned.child.try_wait(), Ok(None))
        {
            return Ok(spawned);
        }
        self.launch.spawn().await
    }
}

/// The process of a statement. Each open request of the statement keeps the process alive. When the last request ends,
/// the process is killed.
#[derive(Debug)]
pub(crate) struct TaskProcess {
    /// The memory limit of the process in bytes.
    pub(crate) limit: u64,
    process: OnceCell<Connected>,
}

/// A process and the connection to it.
#[derive(Debug)]
struct Connected {
    channel: Channel,
    end: watch::Receiver<Option<ProcessEnd>>,
    /// When this sender is dropped, the process is killed.
    _running: oneshot::Sender<()>,
}

impl TaskProcess {
    /// Returns the connection to the process. The first call gets a process and connects to it.
    ///
    /// # Errors
    /// Fails if a process can't be started.
    pub(crate) async fn channel(&self, processes: &Arc<TaskProcesses>) -> Result<Channel, ProcessError> {
        Ok(self.process.get_or_try_init(|| self.start(processes)).await?.channel.clone())
    }

    async fn start(&self, processes: &Arc<TaskProcesses>) -> Result<Connected, ProcessError> {
        let Spawned { child, id, input, output } = processes.take_spawned().await?;
        let (ends, end) = watch::channel(None);
        let (running, stop) = oneshot::channel();
        let watched = WatchedProcess { child, id, limit: self.limit, all: processes.memory_bytes };
        tokio::spawn(watched.watch(stop, ends, Arc::clone(&processes.memory)));
        let channel = connect(tokio::io::join(output, input)).await?;
        Ok(Connected { channel, end, _running: running })
    }

    /// Returns the reason why the process closed its connection.
    pub(crate) async fn end(&self) -> ProcessEnd {
        let Some(process) = self.process.get() else { return ProcessEnd::Failed };
        let mut end = process.end.clone();
        let ended = timeout(EXIT_TIMEOUT, end.wait_for(Option::is_some)).await;
        ended.ok().and_then(Result::ok).and_then(|end| *end).unwrap_or(ProcessEnd::Failed)
    }
}

/// Opens a connection over the standard input and output of a process.
async fn connect<P>(pipes: P) -> Result<Channel, ProcessError>
where
    P: tokio::io::AsyncRead + tokio::io::AsyncWrite + Send + Unpin + 'static,
{
    let pipes = Mutex::new(Some(TokioIo::new(pipes)));
    let connector = service_fn(move |_: http::Uri| {
        // `tonic` calls this function again to reconnect, but a pipe can't be opened a second time.
        let pipes = lock(&pipes).take();
        async move { pipes.ok_or_else(|| io::Error::from(io::ErrorKind::NotConnected)) }
    });
    let channel = Endpoint::from_static("http://task-worker")
        .initial_stream_window_size(STREAM_WINDOW)
        // The window of the connection is larger than the window of a response, so that a response with a slow reader
        // doesn't block other responses.
        .initial_connection_window_size(STREAM_WINDOW << 10)
        .connect_with_connector(connector)
        .await?;
    Ok(channel)
}

/// A process whose memory use is checked regularly.
struct WatchedProcess {
    child: Child,
    id: u32,
    limit: u64,
    /// The memory limit of all processes together, in bytes.
    all: u64,
}

impl WatchedProcess {
    /// Waits until the process ends or until `stop` is signalled. Kills the process if `stop` is signalled or if the
    /// process uses too much memory.
    async fn watch(
        mut self,
        mut stop: oneshot::Receiver<()>,
        ends: watch::Sender<Option<ProcessEnd>>,
        held: Arc<MemoryUse>,
    ) {
        let mut looks = interval(POLL_INTERVAL);
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let end = loop {
            tokio::select! {
                biased;
                _ = &mut stop => break None,
                ended = self.child.wait() => break Some(match ended {
                    Ok(status) if is_for_memory(status) => ProcessEnd::Memory,
                    ended => {
                        tracing::error!(?ended, "a process failed that carried out tasks; `DAYLEDGER_LOG=debug` shows its output");
                        ProcessEnd::Failed
                    }
                }),
                _ = looks.tick() => {
                    let bytes = process_memory(self.id).unwrap_or(0);
                    if bytes > self.limit {
                        break Some(ProcessEnd::Memory);
                    }
                    if held.is_over_limit(self.all, self.id, bytes) {
                        break Some(ProcessEnd::MemoryOfAll);
                    }
                }
            }
        };
        ends.send_replace(end);
        if let Err(error) = self.child.start_kill() {
            tracing::debug!(%error, "a process has ended already");
        }
        // The memory of the process counts until the system has freed the memory.
        let _ = timeout(EXIT_TIMEOUT, self.child.wait()).await;
        held.forget(self.id);
    }
}

/// The last measured memory use of each process, in bytes.
#[derive(Debug, Default)]
struct MemoryUse(Mutex<HashMap<u32, u64>>);

impl MemoryUse {
    /// Whether all processes together use more than `most` bytes, and `process` uses more memory than any other
    /// process. `bytes` is the memory use of `process`.
    fn is_over_limit(&self, most: u64, process: u32, bytes: u64) -> bool {
        let mut held = lock(&self.0);
        held.insert(process, bytes);
        held.values().sum::<u64>() > most && held.values().all(|other| *other <= bytes)
    }

    fn forget(&self, process: u32) {
        lock(&self.0).remove(&process);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn process_with_the_most_memory_is_ended() {
        let held = MemoryUse::default();
        assert!(!held.is_over_limit(100, 1, 60));
        assert!(!held.is_over_limit(100, 2, 50), "another process uses more");
        assert!(held.is_over_limit(100, 1, 60));
        held.forget(1);
        assert!(!held.is_over_limit(100, 2, 50));
        assert!(held.is_over_limit(100, 2, 101));
    }
}
