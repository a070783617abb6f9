//! Ctrl-C while something runs. While a line is typed it is a key, which the editor reads.

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::sync::watch;
use tokio::task::JoinError;

/// Notices Ctrl-C, so that it stops what runs and not the program.
#[derive(Debug, Clone)]
pub(super) struct Interrupts(watch::Receiver<()>);

impl Interrupts {
    /// Begins to notice; from now on Ctrl-C does not end the program.
    pub(super) async fn listen() -> Self {
        let (noticed, interrupts) = watch::channel(());
        tokio::spawn(async move {
            loop {
                if let Err(error) = tokio::signal::ctrl_c().await {
                    tracing::warn!(%error, "cannot listen for Ctrl-C");
                    return;
                }
                if noticed.send(()).is_err() {
                    return;
                }
            }
        });
        // The task has to run once before it notices anything.
        tokio::task::yield_now().await;
        Self(interrupts)
    }

    /// Notices nothing: Ctrl-C ends the program.
    pub(super) fn inactive() -> Self {
        Self(watch::channel(()).1)
    }

    /// Leaves out what was noticed so far.
    pub(super) fn forget(&mut self) {
        self.0.mark_unchanged();
    }

    /// Ends at the first Ctrl-C that is not forgotten.
    pub(super) async fn wait(&self) {
        if self.0.clone().changed().await.is_err() {
            std::future::pending::<()>().await;
        }
    }

    /// Runs what blocks beside the loop that notices Ctrl-C, after which the flag that `work` is handed is set. Returns
    /// what it gives, and whether it was told to stop.
    pub(super) async fn run_stoppable<T: Send + 'static>(
        &self,
        work: impl FnOnce(&AtomicBool) -> T + Send + 'static,
    ) -> Result<(T, bool), JoinError> {
        let stop = Arc::new(AtomicBool::new(false));
        let stopping = Arc::clone(&stop);
        let mut working = tokio::task::spawn_blocking(move || work(&stopping));
        tokio::select! {
            biased;
            () = self.wait() => {
                stop.store(true, Ordering::Relaxed);
                Ok((working.await?, true))
            }
            done = &mut working => Ok((done?, false)),
        }
    }

    /// Does `round` at once, and again each time that `pause` has passed since it was done, until Ctrl-C, which ends a round
    /// in its midst too. What goes wrong in a later round is handed to `tell`, and tried again.
    ///
    /// # Errors
    /// What goes wrong in the first round.
    pub(super) async fn repeat<E>(
        &self,
        pause: Duration,
        mut round: impl AsyncFnMut() -> Result<(), E>,
        mut tell: impl FnMut(E),
    ) -> Result<(), E> {
        let Some(first) = self.until_interrupt(round()).await else { return Ok(()) };
        first?;
        while self.until_interrupt(tokio::time::sleep(pause)).await.is_some() {
            match self.until_interrupt(round()).await {
                None => break,
                Some(Ok(())) => {}
                Some(Err(error)) => tell(error),
            }
        }
        Ok(())
    }

    /// Waits for `work` or Ctrl-C, whichever is first; `work` is dropped then.
    pub(super) async fn until_interrupt<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        tokio::select! {
            biased;
            () = self.wait() => None,
            done = work => Some(done),
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::Instant;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn rounds_go_on_until_an_interrupt_and_only_the_first_may_fail() {
        let (noticed, receiver) = watch::channel(());
        let (interrupts, begun, pause) = (Interrupts(receiver), Instant::now(), Duration::from_mins(15));
        let (mut rounds, mut told) = (0, Vec::new());
        let round = async || {
            rounds += 1;
            match rounds {
                2 => return Err("it is away"),
                4 => noticed.send(()).unwrap(),
                _ => {}
            }
            Ok(())
        };
        interrupts.repeat(pause, round, |error| told.push(error)).await.unwrap();
        assert_eq!((rounds, begun.elapsed()), (4, 3 * pause));
        assert_eq!(told, ["it is away"]);

        let (_noticed, receiver) = watch::channel(());
        let failed = Interrupts(receiver).repeat(pause, async || Err("no folder"), |_| {}).await;
        assert_eq!((failed, begun.elapsed()), (Err("no folder"), 3 * pause));
    }

    #[tokio::test]
    async fn work_ends_at_an_interrupt_and_an_old_one_is_forgotten() {
        let (noticed, receiver) = watch::channel(());
        let mut interrupts = Interrupts(receiver);
        assert_eq!(interrupts.until_interrupt(async { 1 }).await, Some(1));
        noticed.send(()).unwrap();
        assert_eq!(interrupts.until_interrupt(std::future::pending::<()>()).await, None);
        assert_eq!(interrupts.until_interrupt(async { 1 }).await, None, "until it is forgotten");
        interrupts.forget();
        assert_eq!(interrupts.until_interrupt(async { 1 }).await, Some(1));
    }
}
