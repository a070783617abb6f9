//! Workers that wait for their next statement, and how a new one is started.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::oneshot;

use super::process::Process;

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
    /// What it has to know to make its engine; [`setup`](super::setup) gives it to the program.
    pub setup: Vec<u8>,
}

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
        self.start().await
    }

    /// A new worker.
    ///
    /// # Errors
    /// When the system starts no process.
    pub(super) async fn start(&self) -> io::Result<Process> {
        Process::start(&self.launch).await
    }

    /// Takes back a worker that has carried out its statement.
    pub(super) fn put_back(&self, mut process: Process) {
        let (wanted, waiting) = oneshot::channel::<oneshot::Sender<Process>>();
        tokio::spawn(async move {
            tokio::select! {
                () = process.ended() => {}
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
