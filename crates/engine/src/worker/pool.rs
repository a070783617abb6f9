//! Workers that are free for the next statement.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::oneshot;

use super::frame::StatementRequest;
use super::process::{Launch, Process};

/// The workers of an engine. They are started when they are needed, and end after a few minutes without a statement.
#[derive(Debug)]
pub(crate) struct Workers {
    launch: Launch,
    idle: Mutex<Vec<Idle>>,
}

/// A free worker. A task of its own waits for its end, so that a worker that ends doesn't become a zombie
/// process.
#[derive(Debug)]
struct Idle(oneshot::Sender<oneshot::Sender<Process>>);

impl Workers {
    pub(crate) fn new(launch: Launch) -> Arc<Self> {
        Arc::new(Self { launch, idle: Mutex::default() })
    }

    /// Returns a worker for one statement: a free one, or a new one.
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
        // If the worker has already ended, its next frame reports why.
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
                // If the engine is dropped, the worker is dropped with it.
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
        // The worker that was used last is taken, so the others can reach their idle timeout.
        idle.pop()
    }
}
