//! Threads for work that waits for files or computes for long, apart from those on which statements run.

use std::io;
use std::sync::Arc;

use tokio::runtime::{Builder, Runtime};

use super::Error;
use crate::engine::{self, AbortOnDrop};

/// A few threads of its own; more work waits. Cheap to clone. What still runs when the last clone goes is left to end by
/// itself.
#[derive(Debug, Clone)]
pub struct Pool(Arc<Threads>);

/// Nothing but work that blocks runs on it, so that nobody has to drive it.
#[derive(Debug)]
struct Threads(Option<Runtime>);

impl Pool {
    /// At most `threads` threads, which begin with their first work.
    ///
    /// # Errors
    /// When the operating system gives none.
    pub fn new(threads: usize) -> io::Result<Self> {
        let runtime =
            Builder::new_current_thread().max_blocking_threads(threads).thread_name("dayledger-files").build()?;
        Ok(Self(Arc::new(Threads(Some(runtime)))))
    }

    /// Runs `work` when a thread is free. Work that has not begun when the future is dropped never does.
    ///
    /// # Errors
    /// `INTERNAL` where it panics.
    pub async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, Error> {
        let Some(runtime) = &self.0.0 else { return Err(engine::Error::Internal.into()) };
        let mut task = AbortOnDrop(runtime.spawn_blocking(work));
        (&mut task.0).await.map_err(|_| engine::Error::Internal.into())
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}
