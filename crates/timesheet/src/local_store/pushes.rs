//! Rows of entries that were sent to other trackers. A row is stored before it is sent, so that a retry doesn't send it
//! twice.

use chrono::{DateTime, Utc};
use rusqlite::{OptionalExtension, named_params};

use super::LocalStore;
use crate::id::IdempotencyKey;
use crate::push::{PushRow, TaskIds};
use crate::refusal::Refusal;

/// A user's account at a tracker. Rows are stored separately for each user of each account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct AccountUser<'a> {
    /// The name of the account, see [`PushSettings::account`](crate::push::PushSettings::account).
    pub(crate) account: &'a str,
    /// The ID of the user in the tracker.
    pub(crate) user: i64,
}

/// A row that was sent to a tracker, or is about to be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SentRow {
    /// The row as it was sent.
    pub(crate) row: PushRow,
    /// The task to which the row was sent.
    pub(crate) task: TaskIds,
    /// The ID of the tracker's entry, or `None` while it is unknown whether the row arrived.
    pub(crate) remote_id: Option<String>,
    /// The time of sending, to the millisecond.
    pub(crate) sent_at: DateTime<Utc>,
}

impl LocalStore {
    /// Returns the user who sent the newest row to an account, or `None` if no row was sent.
    ///
    /// # Errors
    ///
    /// This function and the other functions of this block fail with `INTERNAL_ERROR` if the file can't be read or
    /// written.
    pub(crate) async fn last_push_user(&self, account: &str) -> Result<Option<i64>, Refusal> {
        let account = account.to_owned();
        self.read(move |transaction| {
            let mut statement = transaction.prepare(include_str!("../../sql/pushes/last_user.sql"))?;
            Ok(statement.query_row(named_params! {":account": account}, |row| row.get(0)).optional()?)
        })
        .await
    }

    /// Returns the rows that a user sent to an account, oldest first.
    pub(crate) async fn sent_rows(&self, of: AccountUser<'_>) -> Result<Vec<SentRow>, Refusal> {
        let (account, user) = (of.account.to_owned(), of.user);
        self.read(move |transaction| {
            let mut statement = transaction.prepare(include_str!("../../sql/pushes/all.sql"))?;
            let rows = statement.query_map(named_params! {":account": account, ":user": user}, |row| {
                let task = TaskIds { project: row.get("project_id")?, task: row.get("task_id")? };
                Ok((row.get::<_, String>("row")?, task, row.get("remote_id")?, row.get("sent_at")?))
            })?;
            let sent = rows.map(|row| {
                let (row, task, remote_id, sent_at) = row?;
                let sent_at = DateTime::from_timestamp_millis(sent_at).unwrap_or_default();
                Ok(SentRow { row: serde_json::from_str(&row)?, task, remote_id, sent_at })
            });
            sent.collect()
        })
        .await
    }

    /// Stores a row that is about to be sent to a task. Returns `false` if another program has stored it in the
    /// meantime.
    pub(crate) async fn begin_push(
        &self,
        by: AccountUser<'_>,
        row: &PushRow,
        task: TaskIds,
        now: DateTime<Utc>,
    ) -> Result<bool, Refusal> {
        let (account, user, row) = (by.account.to_owned(), by.user, row.clone());
        self.write(move |transaction| {
            let content = serde_json::to_string(&row)?;
            let mut statement = transaction.prepare(include_str!("../../sql/pushes/insert.sql"))?;
            let inserted = statement.execute(named_params! {
                ":account": account,
                ":user": user,
                ":key": row.key(),
                ":row": content,
                ":project": task.project,
                ":task": task.task,
                ":now": now.timestamp_millis(),
            })?;
            Ok(inserted == 1)
        })
        .await
    }

    /// Stores the ID of the tracker's entry for a row.
    pub(crate) async fn settle_push(
        &self,
        by: AccountUser<'_>,
        key: IdempotencyKey,
        remote_id: String,
    ) -> Result<(), Refusal> {
        let (account, user) = (by.account.to_owned(), by.user);
        self.write(move |transaction| {
            let mut statement = transaction.prepare(include_str!("../../sql/pushes/settle.sql"))?;
            statement
                .execute(named_params! {":account": account, ":user": user, ":key": key, ":remote_id": remote_id})?;
            Ok(())
        })
        .await
    }

    /// Deletes a row that certainly did not arrive, unless the row was sent again since.
    pub(crate) async fn release_push(
        &self,
        by: AccountUser<'_>,
        key: IdempotencyKey,
        sent_at: DateTime<Utc>,
    ) -> Result<(), Refusal> {
        let (account, user) = (by.account.to_owned(), by.user);
        self.write(move |transaction| {
            let mut statement = transaction.prepare(include_str!("../../sql/pushes/release.sql"))?;
            let sent_at = sent_at.timestamp_millis();
            statement.execute(named_params! {":account": account, ":user": user, ":key": key, ":sent_at": sent_at})?;
            Ok(())
        })
        .await
    }
}
