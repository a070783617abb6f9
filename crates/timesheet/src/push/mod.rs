//! Pushes entries to another tracker through its API.
//!
//! [`rows`] converts entries to the rows of a tracker, with the names of the configuration. [`plan`] compares them with
//! the rows that were pushed before, without any request, and [`Pusher`] sends the new ones. Each tracker has one file,
//! which implements [`PushTarget`], and `api` sends one request.
//!
//! Invariants: a row is stored before it is sent, and the ID that the tracker gave it before the next one is sent. If
//! the outcome of a request is unknown, the tracker is searched for the row before it is sent again, so that no row is
//! there twice. Entries of the tracker are only created, never changed or deleted. Messages contain no token and no
//! description, except for the tracker's own messages.

mod api;
mod harvest;
mod kimai;
mod pusher;
mod rows;
mod settings;

use std::fmt;
use std::time::Duration;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

pub use crate::http::Options;
pub use api::{ApiToken, Failure, Rejection};
pub use pusher::{PushPlan, Pushed, Pusher, plan};
pub use rows::{PushRow, TaskNames, rows};
pub use settings::PushSettings;

use crate::export::Tracker;

/// A tracker with an API that hours can be pushed to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum PushTracker {
    /// Harvest.
    Harvest,
    /// Kimai.
    Kimai,
}

impl PushTracker {
    /// The name of its table in `[timesheet.push]`.
    pub fn key(self) -> &'static str {
        match self {
            Self::Harvest => "harvest",
            Self::Kimai => "kimai",
        }
    }

    /// The environment variable that contains its token.
    pub fn token_variable(self) -> &'static str {
        match self {
            Self::Harvest => "DAYLEDGER_HARVEST_TOKEN",
            Self::Kimai => "DAYLEDGER_KIMAI_TOKEN",
        }
    }
}

impl From<PushTracker> for Tracker {
    fn from(tracker: PushTracker) -> Self {
        match tracker {
            PushTracker::Harvest => Self::Harvest,
            PushTracker::Kimai => Self::Kimai,
        }
    }
}

impl fmt::Display for PushTracker {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        Tracker::from(*self).fmt(formatter)
    }
}

/// A task of the tracker that accepts hours of the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemoteTask {
    /// The names of the client, the project and the task.
    pub names: TaskNames,
    /// The ID of the project.
    pub project: i64,
    /// The ID of the task.
    pub task: i64,
    /// Whether the tracker bills its hours by default.
    pub is_billable: bool,
}

/// An entry of the tracker that can be a pushed row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemoteEntry {
    /// Its ID in the tracker.
    pub id: String,
    /// How similar it is to the row.
    pub similarity: Similarity,
}

/// How similar an entry of the tracker is to a row. The greater, the more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Similarity {
    /// It has the same task and text, but other times, which the tracker may have rounded.
    Similar,
    /// Like [`Self::Similar`], and dayledger created it.
    Own,
    /// It is the row: it has its key, or the same task, text and times.
    Equal,
}

/// An entry that the tracker created.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CreatedEntry {
    /// Its ID in the tracker.
    pub id: String,
    /// Whether the tracker changed the times or hours that were sent, for example because it rounds them.
    pub is_altered: bool,
}

/// A user's account at a tracker, to which hours are pushed. No function changes or deletes an entry of the tracker.
#[async_trait]
pub trait PushTarget: Send + Sync {
    /// Returns the tracker.
    fn tracker(&self) -> PushTracker;

    /// Returns the tasks on which the user can log hours. Fails if the account can't have rows of this form.
    async fn tasks(&self) -> Result<Vec<RemoteTask>, Failure>;

    /// Returns the user's entries that can be this row.
    async fn find(&self, row: &PushRow, task: &RemoteTask) -> Result<Vec<RemoteEntry>, Failure>;

    /// Creates an entry for the row, with one request.
    async fn create(&self, row: &PushRow, task: &RemoteTask) -> Result<CreatedEntry, Failure>;
}

/// The time, and waiting.
#[async_trait]
pub trait Clock: Send + Sync {
    /// Returns the current time.
    fn now(&self) -> DateTime<Utc>;

    /// Waits. `why` is the reason for the user, such as `Harvest limits the number of requests`.
    async fn wait(&self, duration: Duration, why: &str);
}

/// The clock of this machine, which reports before it waits.
#[derive(Debug, Clone, Copy)]
pub struct SystemClock {
    /// Gets the duration and the reason of each wait.
    pub report: fn(Duration, &str),
}

#[async_trait]
impl Clock for SystemClock {
    fn now(&self) -> DateTime<Utc> {
        Utc::now()
    }

    async fn wait(&self, duration: Duration, why: &str) {
        (self.report)(duration, why);
        tokio::time::sleep(duration).await;
    }
}
