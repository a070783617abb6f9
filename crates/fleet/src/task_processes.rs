//! The processes in which a worker machine runs the tasks of statements, one for each statement.
//!
//! This module starts, limits and ends such a process. `worker` assigns requests to statements, and `task_worker` is
//! the work of the process.
//!
//! Invariant: a process runs only while a request of its statement is open. So nothing is computed for a caller that
//! has stopped waiting.

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

/// The maximum number of statements that run simultaneously. Each has a process.
const MAX_STATEMENTS: usize = 64;

/// How long a request for rows waits for the plan that it belongs to.
const PLAN_TIMEOUT: Duration = Duration::from_secs(10);

/// How long a process that closed its connection may take to end. The system needs some time to end a large one.
const EXIT_TIMEOUT: Duration = Duration::from_secs(10);

/// The size of the buffer of one response, in bytes.
const STREAM_WINDOW: u32 = 1 << 20;

/// Identifies a statement.
pub(crate) type StatementId = Vec<u8>;

/// All processes of a worker machine.
#[derive(Debug)]
pub(crate) struct TaskProcesses {
    launch: Launch,
    /// The memory limit of all processes together, and of each process.
    memory_bytes: u64,
    /// A process that waits for a statement, so that the next statement doesn't wait for its start.
    reserve: Mutex<Option<Spawned>>,
    running: Mutex<HashMap<StatementId, Weak<TaskProcess>>>,
    /// Changes with each statement that starts.
    started: watch::Sender<()>,
    memory: Arc<MemoryUse>,
}

/// Why a statement's process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ProcessEnd {
    /// It exceeded the memory limit of the statement.
    Memory,
    /// All processes together exceeded the memory limit of the machine, and this one used the most.
    MemoryOfAll,
    /// It failed.
    Failed,
}

/// Why a request can't get a process.
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

    /// Returns the memory limit of a statement whose caller allows `wanted` bytes.
    pub(crate) fn limit(&self, wanted: Option<u64>) -> u64 {
        wanted.map_or(self.memory_bytes, |wanted| wanted.min(self.memory_bytes))
    }

    /// Returns the process of a statement that has sent a plan. The first plan starts it, with a limit of `limit`
    /// bytes.
    ///
    /// # Errors
    /// [`ProcessError::TooMany`].
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

    /// Returns the process of a statement whose rows are requested. The request may come before the plan.
    ///
    /// # Errors
    /// [`ProcessError::NoPlan`]: the statement has ended, or its caller has gone.
    pub(crate) async fn process_for_rows(&self, statement: &[u8]) -> Result<Arc<TaskProcess>, ProcessError> {
        // Subscribed before the first look, so that no start in between is missed.
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

    /// Starts the process that the next statement gets.
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
        // The process may have ended while it waited.
        if let Some(mut spawned) = reserve
            && matches!(spawned.child.try_wait(), Ok(None))
        {
            return Ok(spawned);
        }
        self.launch.spawn().await
    }
}

/// The process of one statement. Each open request of the statement keeps it alive; it is killed with the last one.
#[derive(Debug)]
pub(crate) struct TaskProcess {
    /// Its memory limit.
    pub(crate) limit: u64,
    process: OnceCell<Connected>,
}

/// A process and the connection to it.
#[derive(Debug)]
struct Connected {
    channel: Channel,
    end: watch::Receiver<Option<ProcessEnd>>,
    /// The process is killed when this is dropped.
    _running: oneshot::Sender<()>,
}

impl TaskProcess {
    /// Returns the connection to the process. The first call starts the process.
    ///
    /// # Errors
    /// If the process can't be started.
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

    /// Returns why the process closed its connection.
    pub(crate) async fn end(&self) -> ProcessEnd {
        let Some(process) = self.process.get() else { return ProcessEnd::Failed };
        let mut end = process.end.clone();
        let ended = timeout(EXIT_TIMEOUT, end.wait_for(Option::is_some)).await;
        ended.ok().and_then(Result::ok).and_then(|end| *end).unwrap_or(ProcessEnd::Failed)
    }
}

/// Connects over the pipes of a process.
async fn connect<P>(pipes: P) -> Result<Channel, ProcessError>
where
    P: tokio::io::AsyncRead + tokio::io::AsyncWrite + Send + Unpin + 'static,
{
    let pipes = Mutex::new(Some(TokioIo::new(pipes)));
    let connector = service_fn(move |_: http::Uri| {
        // `tonic` calls this again to reconnect, but a pipe can't be opened a second time.
        let pipes = lock(&pipes).take();
        async move { pipes.ok_or_else(|| io::Error::from(io::ErrorKind::NotConnected)) }
    });
    let channel = Endpoint::from_static("http://task-worker")
        .initial_stream_window_size(STREAM_WINDOW)
        // A response with a slow reader must not block the others.
        .initial_connection_window_size(STREAM_WINDOW << 10)
        .connect_with_connector(connector)
        .await?;
    Ok(channel)
}

/// A process whose memory is watched.
struct WatchedProcess {
    child: Child,
    id: u32,
    limit: u64,
    /// The memory limit of all processes together.
    all: u64,
}

impl WatchedProcess {
    /// Waits for the end of the process or of `stop`, and kills the process if it uses too much memory.
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
        // Its memory counts until the system has freed it.
        let _ = timeout(EXIT_TIMEOUT, self.child.wait()).await;
        held.forget(self.id);
    }
}

/// The last known memory use of each process.
#[derive(Debug, Default)]
struct MemoryUse(Mutex<HashMap<u32, u64>>);

impl MemoryUse {
    /// Whether all processes together use more than `most` bytes, and `process`, with `bytes`, uses the most of them.
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
