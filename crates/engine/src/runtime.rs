//! The threads on which queries run. They limit the number of simultaneous queries, and stop a query when its caller
//! stops waiting.

use std::future::Future;
use std::sync::Arc;
use std::thread::available_parallelism;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::{JoinError, JoinHandle};

use super::Error;
use super::error::is_too_many_bytes_message;
use dayledger_source::{self as source, ReadHandle};

/// Planning recurses once per level of a plan, and a table function's file is planned in the midst of its caller's.
pub const STACK_BYTES: usize = 16 << 20;
/// What must be left at DataFusion's own checks of the stack, else it goes on on a new one. Its default of 128 KiB is
/// less than planning needs between two checks when files are nested.
const STACK_MINIMUM: usize = 4 << 20;

/// How many questions run at once; the others wait. Each may hold a history's worth of rows.
pub const MAX_PARALLEL_REQUESTS: usize = 4;

/// How many statements of users and models run at once, beside the project's own questions.
pub const MAX_PARALLEL_STATEMENTS: usize = 2;

/// What the threads of an engine are called. A panic in one is an error to who waits for it.
pub const ENGINE_THREADS: &str = "dayledger-engine";

/// How many threads compute at once.
pub fn cores() -> usize {
    available_parallelism().map_or(1, usize::from)
}

/// The right to run. It goes back when its last holder ends: a read that nobody waits for any more holds its share until
/// it has let go of the file.
pub(super) type Turn = Arc<OwnedSemaphorePermit>;

/// The engine's threads, and who may run on them.
#[derive(Debug)]
pub(super) struct Runtime {
    threads: Arc<Threads>,
    turns: Arc<Semaphore>,
    statement_turns: Arc<Semaphore>,
}

/// The threads; what still runs when the last engine goes is left to end by itself. Empty once it has gone.
#[derive(Debug)]
pub struct Threads(pub Option<tokio::runtime::Runtime>);

impl Runtime {
    pub(super) fn new() -> Result<Self, std::io::Error> {
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

    /// The same threads with turns of their own: whoever holds a turn here may wait for one there.
    pub(super) fn with_own_turns(&self) -> Self {
        Self::from_threads(Arc::clone(&self.threads))
    }

    /// The turn of a statement that somebody wrote; to be held by its task, so that it counts until it has ended.
    pub(super) async fn statement_turn(&self) -> Result<OwnedSemaphorePermit, Error> {
        Arc::clone(&self.statement_turns).acquire_owned().await.map_err(|_| Error::Internal)
    }

    /// Runs `work` when its turn comes; a panic in it is [`Error::Internal`]. Who drops the future stops the work.
    pub(super) async fn run<T, F>(&self, work: impl FnOnce(Turn) -> F) -> Result<T, Error>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, Error>> + Send + 'static,
    {
        let Some(threads) = &self.threads.0 else { return Err(Error::Internal) };
        let turn = Arc::clone(&self.turns).acquire_owned().await.map_err(|_| Error::Internal)?;
        let mut task = AbortOnDrop(threads.spawn(work(Arc::new(turn))));
        (&mut task.0).await.unwrap_or_else(|ended| Err(task_error(ended)))
    }
}

/// Why a task did not come to its end.
fn task_error(ended: JoinError) -> Error {
    let Ok(panic) = ended.try_into_panic() else { return Error::Internal };
    let words = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    match words {
        // `Result::expect` adds its error to what it says.
        Some(words) if words.split(": ").any(is_too_many_bytes_message) => Error::OutOfMemory,
        // What the runtime says where a stack cannot be had.
        Some(words) if words.starts_with("OS can't spawn worker thread") => Error::OutOfMemory,
        _ => Error::Internal,
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        if let Some(threads) = self.0.take() {
            threads.shutdown_background();
        }
    }
}

/// Runs what waits for the file beside the queries; a panic in it is [`Error::Internal`].
pub(super) async fn run_blocking<T: Send + 'static>(
    turn: Turn,
    work: impl FnOnce() -> Result<T, source::Error> + Send + 'static,
) -> Result<T, Error> {
    let work = move || {
        let _turn = turn;
        work()
    };
    Ok(tokio::task::spawn_blocking(work).await.map_err(|_| Error::Internal)??)
}

/// A task that ends with whoever waits for it.
pub struct AbortOnDrop<T>(pub JoinHandle<T>);

impl<T> Drop for AbortOnDrop<T> {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Stops a read when the question that asked for it goes.
pub(super) struct StopOnDrop(pub(super) ReadHandle);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.stop();
    }
}

#[cfg(test)]
mod tests {
    use datafusion::arrow::error::ArrowError;
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
