//! Threads for slow work: reading or writing files, or long computations. SQL statements run on other threads.

use std::io;
use std::sync::Arc;

use tokio::runtime::Builder;
use tokio::task::JoinSet;

use super::Error;
use dayledger_engine as engine;
use dayledger_engine::Threads;

/// A limited number of threads. Work waits until a thread is free. Cheap to clone. After the last clone is dropped,
/// work that is already running still finishes.
///
/// The runtime has no I/O driver, because only blocking work runs on it.
#[derive(Debug, Clone)]
pub struct Pool(Arc<Threads>);

impl Pool {
    /// Creates a pool of at most `threads` threads. A thread starts only when there is work for it.
    ///
    /// # Errors
    /// Fails if the operating system can't start a thread.
    pub fn new(threads: usize) -> io::Result<Self> {
        let runtime =
            Builder::new_current_thread().max_blocking_threads(threads).thread_name("dayledger-files").build()?;
        Ok(Self(Arc::new(Threads(Some(runtime)))))
    }

    /// Runs `work` when a thread is free. If the future is dropped before `work` starts, `work` never runs.
    ///
    /// # Errors
    /// Fails with `INTERNAL` if `work` panics.
    pub async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, Error> {
        let Some(runtime) = &self.0.0 else { return Err(engine::Error::Internal.into()) };
        // If the set is dropped, work that hasn't started never runs.
        let mut tasks = JoinSet::new();
        tasks.spawn_blocking_on(work, runtime.handle());
        tasks.join_next().await.and_then(Result::ok).ok_or_else(|| engine::Error::Internal.into())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::mpsc;

    use tokio::sync::oneshot;

    use super::*;
    use dayledger_core::code::INTERNAL;

    #[tokio::test]
    async fn panic_fails_only_its_own_work() {
        let pool = Pool::new(1).unwrap();
        let failed = pool.run(|| panic!("on purpose")).await.map(|(): ()| ()).unwrap_err();
        assert_eq!(failed.code, INTERNAL);
        assert_eq!(pool.run(|| 7).await, Ok(7));
    }

    #[tokio::test]
    async fn cancelled_work_never_starts() {
        let (pool, began) = (Pool::new(1).unwrap(), Arc::new(AtomicBool::new(false)));
        let ((release, held), (tell, is_held)) = (mpsc::channel::<()>(), oneshot::channel());
        let holder = pool.clone();
        let holding = tokio::spawn(async move {
            let work = move || {
                tell.send(()).unwrap();
                held.recv()
            };
            holder.run(work).await
        });
        is_held.await.unwrap();
        let begins = Arc::clone(&began);
        let waiting = pool.run(move || begins.store(true, Ordering::Relaxed));
        tokio::select! {
            biased;
            _ = waiting => panic!("the only thread is busy"),
            () = std::future::ready(()) => {}
        }
        release.send(()).unwrap();
        holding.await.unwrap().unwrap().unwrap();
        assert_eq!((pool.run(|| 7).await, began.load(Ordering::Relaxed)), (Ok(7), false));
    }
}
