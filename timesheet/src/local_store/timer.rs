//! The work that goes on, of which there is one at most, whichever program began it.

use chrono::{DateTime, Utc};
use rusqlite::{OptionalExtension, Row, Transaction, named_params};

use super::{Failure, LocalStore};
use crate::refusal::Refusal;

/// Work that goes on, as it is to be logged once it stops. No rule has looked at it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunningTimer {
    /// The project's code.
    pub project_code: String,
    /// The name of a task of the project.
    pub task: String,
    /// What is done.
    pub description: Option<String>,
    /// Since when, UTC. Kept to the millisecond.
    pub since: DateTime<Utc>,
}

/// Work that has stopped. Nothing of it is kept any more: whoever stops it logs it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoppedTimer {
    /// What went on, and since when.
    pub work: RunningTimer,
    /// Until when, UTC; never before it began. Where midnights lie between, which depends on the time zone, the days are
    /// the caller's to tell apart.
    pub until: DateTime<Utc>,
}

impl LocalStore {
    /// Begins work. What went on before stops at the moment at which the new work begins, and is handed back; where that
    /// is before its own beginning, it has taken no time.
    ///
    /// # Errors
    ///
    /// `INTERNAL_ERROR` where the file cannot be written, as with `stop`; then all is as it was.
    pub async fn start_timer(&self, work: RunningTimer) -> Result<Option<StoppedTimer>, Refusal> {
        self.write(move |transaction| {
            let stopped = stop(transaction, work.since)?;
            insert(transaction, &work)?;
            Ok(stopped)
        })
        .await
    }

    /// Stops the work that goes on, if any does, at that moment; where that is before its beginning, as when a clock was
    /// set back, it has taken no time.
    pub async fn stop_timer(&self, at: DateTime<Utc>) -> Result<Option<StoppedTimer>, Refusal> {
        self.write(move |transaction| stop(transaction, at)).await
    }

    /// The work that goes on.
    ///
    /// # Errors
    ///
    /// `INTERNAL_ERROR` where the file cannot be read.
    pub async fn running_timer(&self) -> Result<Option<RunningTimer>, Refusal> {
        self.read(find_timer).await
    }
}

fn find_timer(transaction: &Transaction<'_>) -> Result<Option<RunningTimer>, Failure> {
    let mut statement = transaction.prepare(include_str!("../../sql/timer/current.sql"))?;
    Ok(statement.query_row([], read).optional()?)
}

fn stop(transaction: &Transaction<'_>, at: DateTime<Utc>) -> Result<Option<StoppedTimer>, Failure> {
    let stopped = find_timer(transaction)?.map(|work| StoppedTimer { until: at.max(work.since), work });
    transaction.prepare(include_str!("../../sql/timer/delete.sql"))?.execute([])?;
    Ok(stopped)
}

fn insert(transaction: &Transaction<'_>, work: &RunningTimer) -> Result<(), Failure> {
    let mut statement = transaction.prepare(include_str!("../../sql/timer/insert.sql"))?;
    statement.execute(named_params! {
        ":project": work.project_code,
        ":task": work.task,
        ":description": work.description,
        ":since": work.since.timestamp_millis(),
    })?;
    Ok(())
}

fn read(row: &Row<'_>) -> rusqlite::Result<RunningTimer> {
    Ok(RunningTimer {
        project_code: row.get("project_code")?,
        task: row.get("task")?,
        description: row.get("description")?,
        since: row.get("since").map(|millis| DateTime::from_timestamp_millis(millis).unwrap_or_default())?,
    })
}
