//! The timer: the running work, at most one, shared by all programs.

use chrono::{DateTime, Utc};
use rusqlite::{OptionalExtension, Row, Transaction, named_params};

use super::{Failure, LocalStore};
use crate::refusal::Refusal;

/// Running work, to be logged when it stops. It hasn't been validated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunningTimer {
    /// The project's code.
    pub project_code: String,
    /// The name of a task of the project.
    pub task: String,
    /// A description of the work.
    pub description: Option<String>,
    /// The start in UTC, stored to the millisecond.
    pub since: DateTime<Utc>,
}

/// Stopped work. It isn't stored any more: the caller logs it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoppedTimer {
    /// The work and its start.
    pub work: RunningTimer,
    /// The end in UTC, never before the start. The caller splits the time at midnight, because that depends on the
    /// time zone.
    pub until: DateTime<Utc>,
}

impl LocalStore {
    /// Starts work. Stops running work at the start of the new work and returns it. If it started later, its
    /// duration is 0.
    ///
    /// # Errors
    ///
    /// `INTERNAL_ERROR` if the file can't be written, as for `stop_timer`; everything is then unchanged.
    pub async fn start_timer(&self, work: RunningTimer) -> Result<Option<StoppedTimer>, Refusal> {
        self.write(move |transaction| {
            let stopped = stop(transaction, work.since)?;
            insert(transaction, &work)?;
            Ok(stopped)
        })
        .await
    }

    /// Stops the running work, if any. If the time is before its start, for example because a clock was set back, its
    /// duration is 0.
    pub async fn stop_timer(&self, at: DateTime<Utc>) -> Result<Option<StoppedTimer>, Refusal> {
        self.write(move |transaction| stop(transaction, at)).await
    }

    /// Returns the running work.
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
