//! Workers that wait for their next statement.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::oneshot;

use super::frame::StatementRequest;
use super::process::{Launch, Process};

/// The workers of an engine. They are started when they are wanted, and end by themselves when nobody asks them any more.
#[derive(Debug)]
pub(crate) struct Workers {
    launch: Launch,
    idle: Mutex<Vec<Idle>>,
}

/// A worker that waits; a task of its own looks after it, so that one that ends leaves nothing behind.
#[derive(Debug)]
struct Idle(oneshot::Sender<oneshot::Sender<Process>>);

impl Workers {
    pub(crate) fn new(launch: Launch) -> Arc<Self> {
        Arc::new(Self { launch, idle: Mutex::default() })
    }

    /// A worker for one statement: one that waits, or else a new one.
    ///
    /// # Errors
    /// When the system starts no process.
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

    /// A new worker that was asked `request`.
    ///
    /// # Errors
    /// When the system starts no process.
    pub(super) async fn start_with(&self, request: &StatementRequest) -> io::Result<Process> {
        let mut process = Process::start(&self.launch).await?;
        // Why one has ended before it was asked is heard from it, like every other end.
        let _ = process.send(request).await?;
        Ok(process)
    }

    /// Takes back a worker that has carried out its statement.
    pub(super) fn put_back(&self, mut process: Process) {
        process.is_fresh = false;
        let (wanted, waiting) = oneshot::channel::<oneshot::Sender<Process>>();
        tokio::spawn(async move {
            tokio::select! {
                () = process.wait_for_end() => {}
                // Where the engine has gone, the worker goes too.
                asked = waiting => if let Ok(give) = asked {
                    let _ = give.send(process);
                }
            }
        });
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(Idle(wanted));
    }

    fn pop(&self) -> Option<Idle> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.retain(|Idle(wanted)| !wanted.is_closed());
        idle.pop()
    }
}
