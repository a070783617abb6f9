//! Workers that are free for the next statement.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::oneshot;

use super::frame::StatementRequest;
use super::process::{Launch, Process};

/// The workers of an engine. A worker is started when it is needed, and ends after a few minutes without a statement.
#[derive(Debug)]
pub(crate) struct Workers {
    launch: Launch,
    idle: Mutex<Vec<Idle>>,
}

/// A free worker. A separate task owns the worker and waits until it ends, so that it doesn't become a zombie process.
#[derive(Debug)]
struct Idle(oneshot::Sender<oneshot::Sender<Process>>);

impl Workers {
    pub(crate) fn new(launch: Launch) -> Arc<Self> {
        Arc::new(Self { launch, idle: Mutex::default() })
    }

    /// Returns a worker for one statement: a free worker, or a new worker.
    ///
    /// # Errors
    /// Fails if the system can't start a process.
    pub(super) async fn take(&self) -> io::Result<Process> {
        while let Some(Idle(wanted)) = self.pop() {
            let (give, given) = oneshot::channel();
            if wanted.send(give).is_ok()
                && let Ok(process) = given.await
            {
                return Ok(process);
            }
        }
        Process::start(&self.launch).await
    }

    /// Starts a worker and sends it `request`.
    ///
    /// # Errors
    /// Fails if the system can't start a process.
    pub(super) async fn start_with(&self, request: &StatementRequest) -> io::Result<Process> {
        let mut process = Process::start(&self.launch).await?;
        // If the worker has already ended, `send` doesn't fail. Reading the next frame then returns the reason.
        process.send(request).await?;
        Ok(process)
    }

    /// Takes back a worker that has finished its statement.
    pub(super) fn put_back(&self, mut process: Process) {
        process.is_fresh = false;
        let (wanted, waiting) = oneshot::channel::<oneshot::Sender<Process>>();
        tokio::spawn(async move {
            tokio::select! {
                () = process.wait_for_end() => {}
                // If the engine is dropped, this task drops the worker.
                request = waiting => if let Ok(give) = request {
                    let _ = give.send(process);
                }
            }
        });
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(Idle(wanted));
    }

    fn pop(&self) -> Option<Idle> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.retain(|Idle(wanted)| !wanted.is_closed());
        // `pop` takes the most recently used worker, so that the other workers can reach their idle timeout.
        idle.pop()
    }
}
