//! Reports the progress of a request to its caller.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use serde::{Deserialize, Serialize};

tokio::task_local! {
    /// The progress of the current work, set by [`Progress::track`].
    static CURRENT: Progress;
}

/// The stage of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stage {
    /// The request waits for other requests.
    Waiting,
    /// The statements of the request are planned.
    Planning,
    /// Rows are read from the history.
    Reading,
    /// The rows are read, and the response is computed.
    Computing,
}

/// The progress of a request. It can be read while the request runs. Clones are cheap and share their state.
#[derive(Debug, Clone, Default)]
pub struct Progress(Arc<State>);

#[derive(Debug, Default)]
struct State {
    stage: AtomicU8,
    rows: Arc<AtomicU64>,
}

impl Progress {
    const STAGES: [Stage; 4] = [Stage::Waiting, Stage::Planning, Stage::Reading, Stage::Computing];

    /// Runs `work`. The queries that `work` starts update this progress. If `work` spawns a task, the task needs its
    /// own call of `track`.
    pub fn track<F: Future>(&self, work: F) -> impl Future<Output = F::Output> + use<F> {
        CURRENT.scope(self.clone(), work)
    }

    /// Returns the progress of the work that the current task runs ([`Progress::track`]). Otherwise, returns a new
    /// progress.
    pub fn current() -> Self {
        CURRENT.try_with(Self::clone).unwrap_or_default()
    }

    /// Returns the current stage.
    pub fn stage(&self) -> Stage {
        let stage = self.0.stage.load(Ordering::Relaxed);
        Self::STAGES.get(usize::from(stage)).copied().unwrap_or(Stage::Waiting)
    }

    /// Returns the number of rows read from the history so far, in all statements of the request.
    pub fn rows(&self) -> u64 {
        self.0.rows.load(Ordering::Relaxed)
    }

    pub(crate) fn set_stage(&self, stage: Stage) {
        self.0.stage.store(stage as u8, Ordering::Relaxed);
    }

    /// Copies the progress that another process has reported.
    pub(crate) fn update(&self, stage: Stage, rows: u64) {
        self.set_stage(stage);
        self.0.rows.store(rows, Ordering::Relaxed);
    }

    /// Returns the counter of rows. The reader of the history's file increases it.
    pub(crate) fn row_counter(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.0.rows)
    }
}

/// Writes a short text for users. Apart from a number of rows, it doesn't contain data of the history.
impl fmt::Display for Progress {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = self.rows();
        match self.stage() {
            Stage::Waiting => out.write_str("waiting for other requests"),
            Stage::Planning => out.write_str("preparing the request"),
            Stage::Reading => write!(out, "reading the history, {rows} rows so far"),
            Stage::Computing => write!(out, "computing results from {rows} rows"),
        }
    }
}
