//! Pushes entries to another tracker through its API.
//!
//! [`rows`] converts entries to the rows of a tracker, with the names from the configuration. [`plan`] compares these
//! rows with the rows that were pushed before, and sends no request. [`Pusher`] sends the new rows. Each tracker has
//! its own module, which implements [`PushTarget`]. The module `api` sends a single request.
//!
//! Invariants: each row is stored before it is sent, with the tracker's IDs of its task. The ID of the tracker's entry
//! is stored before the next row is sent. If the outcome of a request is unknown, the tracker is searched for the row
//! before the row is sent again. The search doesn't use the configuration, which may have changed. So the tracker never
//! has a row twice. Rows are stored separately for each user of each account. Pushing only creates entries in the
//! tracker, and never changes or deletes an entry. Messages never contain the token. They contain descriptions only if
//! the tracker's own messages contain them.

mod api;
mod harvest;
mod kimai;
mod pusher;
mod rows;
mod settings;

use std::fmt;
use std::time::Duration;

use async_trait::async_trait;
use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};

pub use crate::http::Options;
pub use api::{ApiToken, Failure, Rejection};
pub use pusher::{PushPlan, Pushed, Pusher, plan};
pub use rows::{PushRow, TaskNames, rows};
pub use settings::PushSettings;

use crate::export::Tracker;

/// A tracker to which hours can be pushed through its API.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum PushTracker {
    /// Harvest.
    Harvest,
    /// Kimai.
    Kimai,
}

impl PushTracker {
    /// Returns the name of the tracker's table in `[timesheet.push]`.
    pub fn key(self) -> &'static str {
        match self {
            Self::Harvest => "harvest",
            Self::Kimai => "kimai",
        }
    }

    /// Returns the name of the environment variable that contains the tracker's token.
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

/// A task of the tracker on which the user can log hours.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemoteTask {
    /// The names of the client, the project and the task.
    pub names: TaskNames,
    /// The IDs of the project and the task.
    pub ids: TaskIds,
    /// The first day on which the project accepts hours, if the tracker limits the days.
    pub first_day: Option<NaiveDate>,
    /// The last day on which the project accepts hours, if the tracker limits the days.
    pub last_day: Option<NaiveDate>,
    /// Whether the tracker bills the hours on this task by default.
    pub is_billable: bool,
}

impl RemoteTask {
    /// Whether the project accepts hours on a day.
    pub(super) fn is_open_on(&self, day: NaiveDate) -> bool {
        self.first_day.is_none_or(|first| first <= day) && self.last_day.is_none_or(|last| day <= last)
    }
}

/// The tracker's IDs of a task and its project. They stay the same if the project or the task is renamed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TaskIds {
    /// The ID of the project.
    pub project: i64,
    /// The ID of the task, which Kimai calls an activity.
    pub task: i64,
}

/// An entry of the tracker that may be a pushed row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemoteEntry {
    /// The ID of the entry in the tracker.
    pub id: String,
    /// The similarity of the entry and the row.
    pub similarity: Similarity,
}

/// The similarity of a row and an entry of the tracker. A greater value means that they are more similar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Similarity {
    /// The entry has the same task and text, but other times. The tracker may have rounded the times.
    Similar,
    /// Like [`Self::Similar`], and dayledger created the entry.
    Own,
    /// The entry is the row: it has the row's key, or the same task, text and times.
    Equal,
}

/// An entry that the tracker created.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CreatedEntry {
    /// The ID of the entry in the tracker.
    pub id: String,
    /// Whether the tracker changed the times or hours that were sent, for example because it rounds them.
    pub is_altered: bool,
}

/// A user's account at a tracker, to which hours are pushed. No function of this trait changes or deletes an entry of
/// the tracker.
#[async_trait]
pub trait PushTarget: Send + Sync {
    /// Returns the tracker.
    fn tracker(&self) -> PushTracker;

    /// Returns the ID of the user to whom the token belongs.
    async fn user(&self) -> Result<i64, Failure>;

    /// Returns the tasks on which the user can log hours. Fails if the settings of the account don't allow rows in
    /// dayledger's form.
    async fn tasks(&self) -> Result<Vec<RemoteTask>, Failure>;

    /// Returns the entries of a user on a task that may be this row. Also finds entries on a task that doesn't accept
    /// hours any more.
    async fn find(&self, row: &PushRow, user: i64, task: TaskIds) -> Result<Vec<RemoteEntry>, Failure>;

    /// Creates an entry for the row, with one request.
    async fn create(&self, row: &PushRow, task: &RemoteTask) -> Result<CreatedEntry, Failure>;
}

/// Provides the current time, and waits.
#[async_trait]
pub trait Clock: Send + Sync {
    /// Returns the current time.
    fn now(&self) -> DateTime<Utc>;

    /// Waits. `why` is the reason to show to the user, such as `Harvest limits the number of requests`.
    async fn wait(&self, duration: Duration, why: &str);
}

/// The clock of this machine. It reports each wait before the wait begins.
#[derive(Debug, Clone, Copy)]
pub struct SystemClock {
    /// Receives the duration and the reason of each wait.
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
