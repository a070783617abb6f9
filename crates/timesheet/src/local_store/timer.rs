//! The timer for running work. At most one timer is running, and all programs share it.

use chrono::{DateTime, Utc};
use rusqlite::{OptionalExtension, Row, Transaction, named_params};

use super::{Failure, LocalStore};
use crate::refusal::Refusal;

/// Running work that is logged when it stops. Its project and task haven't been checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunningTimer {
    /// The project's code.
    pub project_code: String,
    /// The name of the task.
    pub task: String,
    /// A description of the work.
    pub description: Option<String>,
    /// The start in UTC. The store keeps milliseconds.
    pub since: DateTime<Utc>,
}

/// Stopped work. The store no longer contains this work, so the caller must log it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoppedTimer {
    /// The work, including its start.
    pub work: RunningTimer,
    /// The end in UTC, never before the start. The caller splits the time at the start of days, because this start
    /// depends on the time zone.
    pub until: DateTime<Utc>,
}

impl LocalStore {
    /// Starts work. Any running work stops at the start of the new work and is returned. If the running work started
    /// after the new work, its duration is zero.
    ///
    /// # Errors
    ///
    /// `INTERNAL_ERROR` if the file can't be written. The running work then continues. The same applies to
    /// `stop_timer`.
    pub async fn start_timer(&self, work: RunningTimer) -> Result<Option<StoppedTimer>, Refusal> {
        self.write(move |transaction| {
            let stopped = stop(transaction, work.since)?;
            insert(transaction, &work)?;
            Ok(stopped)
        })
        .await
    }

    /// Stops the running work and returns it, if work is running. If `at` is before the start of the work, for example
    /// because the clock was set back, the duration is zero.
    pub async fn stop_timer(&self, at: DateTime<Utc>) -> Result<Option<StoppedTimer>, Refusal> {
        self.write(move |transaction| stop(transaction, at)).await
    }

    /// Returns the running work, if any.
    ///
    /// # Errors
    ///
    /// `INTERNAL_ERROR` if the file can't be read.
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
