//! Handles Ctrl-C while work is running. While the user types a line, the line editor handles Ctrl-C as a key.

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::sync::watch;
use tokio::task::JoinError;

/// Receives Ctrl-C, so that Ctrl-C stops only the running work and not the program.
#[derive(Debug, Clone)]
pub struct Interrupts(watch::Receiver<()>);

impl Interrupts {
    /// Starts to receive Ctrl-C. From now on, Ctrl-C doesn't end the program.
    pub async fn listen() -> Self {
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
        // The task must run once before it can receive a Ctrl-C.
        tokio::task::yield_now().await;
        Self(interrupts)
    }

    /// Returns an instance that receives nothing, so that Ctrl-C ends the program.
    pub(super) fn inactive() -> Self {
        Self(watch::channel(()).1)
    }

    /// Ignores each Ctrl-C that was pressed until now.
    pub(super) fn forget(&mut self) {
        self.0.mark_unchanged();
    }

    /// Returns at the first Ctrl-C that [`Self::forget`] hasn't ignored.
    pub(super) async fn wait(&self) {
        // Each wait uses a clone of the receiver. So a Ctrl-C stays unseen until `forget`, and one Ctrl-C ends all
        // waits. The channel is closed if nothing listens for Ctrl-C. In that case, a wait must never end.
        if self.0.clone().changed().await.is_err() {
            std::future::pending::<()>().await;
        }
    }

    /// Runs the blocking function `work` on another thread, so that Ctrl-C can be received in the meantime. Ctrl-C sets
    /// the flag that is passed to `work`. Returns the result of `work`, and whether the flag was set.
    ///
    /// # Errors
    /// Fails if `work` panics.
    pub async fn run_stoppable<T: Send + 'static>(
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
                // A task that blocks can't be aborted. If this function didn't wait, the task could still write to the
                // terminal while the user types again.
                Ok((working.await?, true))
            }
            done = &mut working => Ok((done?, false)),
        }
    }

    /// Calls `round` immediately, and again whenever `pause` has passed, until Ctrl-C. Ctrl-C also interrupts a running
    /// round. If a later round fails, the error is passed to `tell` and the next round runs as usual.
    ///
    /// # Errors
    /// Fails if the first round fails.
    pub async fn repeat<E>(
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

    /// Waits until `work` ends or Ctrl-C is pressed. If Ctrl-C comes first, drops `work` and returns `None`.
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
    async fn work_repeats_until_an_interrupt_and_fails_only_if_the_first_round_does() {
        let (noticed, receiver) = watch::channel(());
        let (interrupts, begun, pause) = (Interrupts(receiver), Instant::now(), Duration::from_mins(15));
        let (mut rounds, mut messages) = (0, Vec::new());
        let round = async || {
            rounds += 1;
            match rounds {
                2 => return Err("it is away"),
                4 => noticed.send(()).unwrap(),
                _ => {}
            }
            Ok(())
        };
        interrupts.repeat(pause, round, |error| messages.push(error)).await.unwrap();
        assert_eq!((rounds, begun.elapsed()), (4, 3 * pause));
        assert_eq!(messages, ["it is away"]);

        let (_noticed, receiver) = watch::channel(());
        let failed = Interrupts(receiver).repeat(pause, async || Err("no folder"), |_| {}).await;
        assert_eq!((failed, begun.elapsed()), (Err("no folder"), 3 * pause));
    }

    #[tokio::test]
    async fn work_ends_at_an_interrupt_but_not_at_an_ignored_one() {
        let (noticed, receiver) = watch::channel(());
        let mut interrupts = Interrupts(receiver);
        assert_eq!(interrupts.until_interrupt(async { 1 }).await, Some(1));
        noticed.send(()).unwrap();
        assert_eq!(interrupts.until_interrupt(std::future::pending::<()>()).await, None);
        assert_eq!(interrupts.until_interrupt(async { 1 }).await, None, "an interrupt counts until `forget` is called");
        interrupts.forget();
        assert_eq!(interrupts.until_interrupt(async { 1 }).await, Some(1));
    }
}
