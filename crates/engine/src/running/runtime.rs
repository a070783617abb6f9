//! The threads on which queries run. This module limits the number of simultaneous queries, and stops a query when its
//! caller stops waiting.

use std::future::Future;
use std::sync::Arc;
use std::thread::available_parallelism;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::{JoinError, JoinSet};

use crate::Error;
use crate::error::is_too_many_bytes_message;
use dayledger_source::{self as source, ReadHandle};

/// The stack size of the engine's threads in bytes. Planning recurses for each level of a plan. If a plan calls a table
/// function, planning the function's file needs the same stack at the same time.
pub const STACK_BYTES: usize = 16 << 20;
/// The minimum free stack in bytes. DataFusion sometimes checks the free stack. If less than this is free, it continues
/// on a new stack. The default of 128 KiB is too small: for nested files, planning needs more between two checks.
const STACK_MINIMUM: usize = 4 << 20;

/// The maximum number of requests that run simultaneously. Other requests wait, because each request can need memory
/// for all rows of a history.
pub const MAX_PARALLEL_REQUESTS: usize = 4;

/// The maximum number of statements by users and models that run simultaneously, in addition to the project's own
/// requests.
pub const MAX_PARALLEL_STATEMENTS: usize = 2;

/// The name of the engine's threads. A panic on one of them becomes an error of its request.
pub const ENGINE_THREADS: &str = "dayledger-engine";

/// Returns the number of threads that compute simultaneously.
pub fn cores() -> usize {
    available_parallelism().map_or(1, usize::from)
}

/// A permit to run a request. The permit is released when its last owner is dropped. A read of the history's file is
/// also an owner: it keeps the permit until it has closed the file, even if the caller no longer waits.
pub(crate) type Turn = Arc<OwnedSemaphorePermit>;

/// The engine's threads, and the limits on the number of requests that use them.
#[derive(Debug)]
pub(crate) struct Runtime {
    threads: Arc<Threads>,
    turns: Arc<Semaphore>,
    statement_turns: Arc<Semaphore>,
}

/// The threads. Dropping this value doesn't wait for work that still runs. The runtime is `None` only during this drop.
#[derive(Debug)]
pub struct Threads(pub Option<tokio::runtime::Runtime>);

impl Runtime {
    pub(crate) fn new() -> Result<Self, std::io::Error> {
        recursive::set_minimum_stack_size(STACK_MINIMUM);
        recursive::set_stack_allocation_size(STACK_BYTES);
        let threads = tokio::runtime::Builder::new_multi_thread()
            .thread_name(ENGINE_THREADS)
            .thread_stack_size(STACK_BYTES)
            .enable_all()
            .build()?;
        Ok(Self::from_threads(Arc::new(Threads(Some(threads)))))
    }

    fn from_threads(threads: Arc<Threads>) -> Self {
        let turns = Arc::new(Semaphore::new(MAX_PARALLEL_REQUESTS));
        Self { threads, turns, statement_turns: Arc::new(Semaphore::new(MAX_PARALLEL_STATEMENTS)) }
    }

    /// Returns a runtime with the same threads and its own limits. Work that holds a turn of this runtime can wait for
    /// a turn of the new runtime.
    pub(crate) fn with_own_turns(&self) -> Self {
        Self::from_threads(Arc::clone(&self.threads))
    }

    /// Waits for the turn of a statement that a user or a model wrote. The task of the statement has to keep the turn
    /// until the statement has ended.
    pub(crate) async fn statement_turn(&self) -> Result<OwnedSemaphorePermit, Error> {
        Arc::clone(&self.statement_turns).acquire_owned().await.map_err(|_| Error::Internal)
    }

    /// Runs work that blocks. The work doesn't use the threads for queries and doesn't need a turn, and nothing waits
    /// for its end.
    pub(crate) fn spawn_blocking(&self, work: impl FnOnce() + Send + 'static) {
        if let Some(threads) = &self.threads.0 {
            threads.spawn_blocking(work);
        }
    }

    /// Runs `work` when its turn comes. A panic becomes [`Error::Internal`]. Dropping the future stops the work.
    pub(crate) async fn run<T, F>(&self, work: impl FnOnce(Turn) -> F) -> Result<T, Error>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, Error>> + Send + 'static,
    {
        let Some(threads) = &self.threads.0 else { return Err(Error::Internal) };
        let turn = Arc::clone(&self.turns).acquire_owned().await.map_err(|_| Error::Internal)?;
        // Dropping the set stops the work.
        let mut tasks = JoinSet::new();
        tasks.spawn_on(work(Arc::new(turn)), threads.handle());
        let Some(ended) = tasks.join_next().await else { return Err(Error::Internal) };
        ended.unwrap_or_else(|error| Err(task_error(error)))
    }
}

/// Returns the error for a task that didn't finish.
fn task_error(ended: JoinError) -> Error {
    let Ok(panic) = ended.try_into_panic() else { return Error::Internal };
    let words = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    match words {
        // `Result::expect` panics with a message such as `text: error`. So each part between colons is checked.
        Some(words) if words.split(": ").any(is_too_many_bytes_message) => Error::OutOfMemory,
        // This is Tokio's message if it can't allocate the stack of a thread.
        Some(words) if words.starts_with("OS can't spawn worker thread") => Error::OutOfMemory,
        _ => Error::Internal,
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        // Without this call, dropping the runtime would wait for its tasks, and would panic within an async task.
        if let Some(threads) = self.0.take() {
            threads.shutdown_background();
        }
    }
}

/// Runs work that blocks on the file. The work doesn't use the threads for queries. A panic becomes
/// [`Error::Internal`].
pub(crate) async fn run_blocking<T: Send + 'static>(
    turn: Turn,
    work: impl FnOnce() -> Result<T, source::Error> + Send + 'static,
) -> Result<T, Error> {
    let work = move || {
        let _turn = turn;
        work()
    };
    Ok(tokio::task::spawn_blocking(work).await.map_err(|_| Error::Internal)??)
}

/// Stops a read when the request that started it is dropped.
pub(crate) struct StopOnDrop(pub(crate) ReadHandle);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.stop();
    }
}

#[cfg(test)]
mod tests {
    use arrow::error::ArrowError;
    use datafusion::common::DataFusionError;

    use super::*;

    #[tokio::test]
    async fn array_overflow_is_reported_as_out_of_memory() {
        let words = [
            "capacity overflow",
            "byte array offset overflow",
            "byte array offset overflow: Execution(\"byte array offset overflow\")",
            "offset exceeds i32::MAX: TryFromIntError(())",
        ];
        for words in words {
            let ended = tokio::spawn(async move { std::panic::panic_any(words) }).await.unwrap_err();
            assert!(matches!(task_error(ended), Error::OutOfMemory), "{words}");
        }
        let ended = tokio::spawn(async { std::panic::panic_any("something else") }).await.unwrap_err();
        assert!(matches!(task_error(ended), Error::Internal));
        let overflow = DataFusionError::ArrowError(Box::new(ArrowError::OffsetOverflowError(1 << 31)), None);
        assert!(matches!(Error::from(overflow), Error::OutOfMemory));
        let words = || "byte array offset overflow".to_owned();
        let overflow = DataFusionError::ArrowError(Box::new(ArrowError::ArithmeticOverflow(words())), None);
        assert!(matches!(Error::from(overflow), Error::OutOfMemory));
        assert!(matches!(Error::from(DataFusionError::Execution(words())), Error::OutOfMemory));
    }
}
