//! Controls the calls of a server: their maximum number, deadlines, cancellation, and progress notifications.
//!
//! Each server has one [`Flow`]. The transport reports the amount of output that the client hasn't read yet, and the
//! end of the input. Calls wait or end accordingly.
//!
//! Invariants: this module never waits for the engine's threads, so a deadline fires on time even if the threads are
//! busy. A stopped call drops its request, which stops the work (`engine`). A client that doesn't read the server's
//! output gets no notifications, and can't start calls.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use dayledger_core::code::TIMED_OUT;
use dayledger_engine::{MAX_PARALLEL_REQUESTS, MAX_PARALLEL_STATEMENTS, Progress};
use dayledger_request::Error;
use rmcp::{RoleServer, model::ProgressNotificationParam, service::RequestContext};
use tokio::sync::{Semaphore, watch};
use tokio::time::{MissedTickBehavior, interval_at, timeout};
use tokio_util::sync::CancellationToken;

/// The maximum number of bytes that the client may leave unread. Above this limit, no call begins and no message is
/// read.
const MAX_UNREAD_BYTES: usize = 8 << 20;

/// The maximum number of notes that language models process simultaneously.
const MAX_PARALLEL_MODELS: usize = 2;

/// The time limits of a server.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// The maximum duration of a call, without its time in the queue.
    pub deadline: Duration,
    /// The maximum duration of a call to a language model.
    pub model_deadline: Duration,
    /// The time between two progress notifications, and between the start of a call and its first notification.
    pub report_every: Duration,
    /// The time for which calls may continue after the end of the input.
    pub grace: Duration,
    /// After `grace`, the maximum time that the client may take to read each of the remaining responses.
    pub drain_timeout: Duration,
    /// The time between two checks of the history while a client is subscribed to changes.
    pub poll_interval: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            deadline: Duration::from_mins(1),
            model_deadline: Duration::from_mins(10),
            report_every: Duration::from_secs(1),
            // With this grace period, the process ends within a second if the client reads the output.
            grace: Duration::from_millis(500),
            // On a busy machine, a client may read late. With a shorter limit, the last line of the output would be cut
            // off.
            drain_timeout: Duration::from_secs(10),
            // A tracker writes every few seconds. A model that is notified of each write could do no other work.
            poll_interval: Duration::from_secs(30),
        }
    }
}

/// The queue in which a call waits for its turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lane {
    /// Requests. The engine runs them in this process.
    Requests,
    /// Statements of users and models. They run in separate processes, so they never delay requests.
    Statements,
    /// Calls that use a language model. Without a graphics card, each call takes minutes.
    Models,
}

/// The shared state of the calls of one server. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Flow(Arc<State>);

#[derive(Debug)]
struct State {
    limits: Limits,
    has_begun: AtomicBool,
    turns: Semaphore,
    statement_turns: Semaphore,
    model_turns: Semaphore,
    unread: watch::Sender<usize>,
    closing: CancellationToken,
}

impl Flow {
    pub(super) fn new(limits: Limits) -> Self {
        Self(Arc::new(State {
            limits,
            has_begun: AtomicBool::new(false),
            turns: Semaphore::new(MAX_PARALLEL_REQUESTS),
            statement_turns: Semaphore::new(MAX_PARALLEL_STATEMENTS),
            model_turns: Semaphore::new(MAX_PARALLEL_MODELS),
            unread: watch::Sender::new(0),
            closing: CancellationToken::new(),
        }))
    }

    pub(super) fn limits(&self) -> Limits {
        self.0.limits
    }

    /// Records that the client and the server have agreed on a protocol version.
    pub(super) fn begin(&self) {
        self.0.has_begun.store(true, Ordering::Release);
    }

    /// Whether the client and the server have agreed on a protocol version.
    pub(super) fn has_begun(&self) -> bool {
        self.0.has_begun.load(Ordering::Acquire)
    }

    /// Returns the token that is cancelled when calls must end because the client has left.
    pub fn closing(&self) -> &CancellationToken {
        &self.0.closing
    }

    /// Records that `bytes` more bytes were sent to the client.
    pub(super) fn add_unread(&self, bytes: usize) {
        self.0.unread.send_modify(|unread| *unread += bytes);
    }

    /// Records that the client has read `bytes`.
    pub(super) fn remove_unread(&self, bytes: usize) {
        self.0.unread.send_modify(|unread| *unread -= bytes);
    }

    /// Waits until the client has read enough of the output.
    pub(super) async fn wait_for_reader(&self) {
        // The sender exists as long as `self`, so waiting can't fail.
        let _ = self.0.unread.subscribe().wait_for(|unread| *unread <= MAX_UNREAD_BYTES).await;
    }

    /// Runs `work` for the call of `context`. `work` records its progress in `progress`, and the client is notified of
    /// the progress.
    ///
    /// # Errors
    /// Fails if the call is stopped at its deadline, by the client, or at the end of the input. `work` is dropped when
    /// the call is stopped.
    pub(super) async fn run<T>(
        &self,
        context: &RequestContext<RoleServer>,
        lane: Lane,
        progress: &Progress,
        work: impl Future<Output = T>,
    ) -> Result<T, Error> {
        let limits = self.0.limits;
        let (turns, deadline) = match lane {
            Lane::Requests => (&self.0.turns, limits.deadline),
            Lane::Statements => (&self.0.statement_turns, limits.deadline),
            Lane::Models => (&self.0.model_turns, limits.model_deadline),
        };
        let call = async {
            // The queue and the engine have the same limit, so a call that leaves the queue never waits inside the
            // engine while its deadline runs. The semaphore is never closed, so `acquire` can't fail.
            let _turn = turns.acquire().await;
            self.wait_for_reader().await;
            timeout(deadline, work).await.map_err(|_| {
                let message = format!("the call was stopped: it took longer than {} seconds", deadline.as_secs_f64());
                let hint = "use a shorter range; if a short range also takes this long, run `dayledger doctor`";
                Error::new(TIMED_OUT, message, hint)
            })
        };
        tokio::select! {
            biased;
            // If the result is ready and the call is cancelled at the same moment, the result is returned.
            outcome = call => outcome,
            () = context.ct.cancelled() => {
                Err(Error::new(TIMED_OUT, "the call was cancelled", "call again if you still need the response"))
            }
            () = self.0.closing.cancelled() => {
                let hint = "keep the server's input open until every response has arrived";
                Err(Error::new(TIMED_OUT, "the input ended before the response was ready", hint))
            }
            never = self.report(context, progress) => match never {},
        }
    }

    /// Sends progress notifications at an interval, if the client requested them. Never returns.
    async fn report(&self, context: &RequestContext<RoleServer>, progress: &Progress) -> std::convert::Infallible {
        let Some(token) = context.meta.get_progress_token() else { return std::future::pending().await };
        let begun = Instant::now();
        let every = self.0.limits.report_every;
        let mut ticks = interval_at(tokio::time::Instant::now() + every, every);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            // The client hasn't read the last output yet, so more notifications would only fill the queue.
            if *self.0.unread.borrow() > 0 {
                continue;
            }
            // The protocol requires a number that grows with each notification. The elapsed seconds grow even if the
            // request makes no progress.
            let report = ProgressNotificationParam::new(token.clone(), begun.elapsed().as_secs_f64());
            // If the client can't be notified, writing the response also fails, and that failure is handled.
            let _ = context.peer.notify_progress(report.with_message(progress.to_string())).await;
        }
    }
}
