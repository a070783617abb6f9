//! Rows of entries that were sent to other trackers. A row is stored before it is sent, so that a retry doesn't send it
//! twice.

use chrono::{DateTime, Utc};
use rusqlite::named_params;

use super::LocalStore;
use crate::id::IdempotencyKey;
use crate::push::PushRow;
use crate::refusal::Refusal;

/// A row that was sent to a tracker, or is about to be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SentRow {
    /// The row as it was sent.
    pub(crate) row: PushRow,
    /// The ID of the tracker's entry, or `None` while it is unknown whether the row arrived.
    pub(crate) remote_id: Option<String>,
    /// The time of sending, to the millisecond.
    pub(crate) sent_at: DateTime<Utc>,
}

impl LocalStore {
    /// Returns the rows that were sent to an account, oldest first.
    ///
    /// # Errors
    ///
    /// This function and the other functions of this block fail with `INTERNAL_ERROR` if the file can't be read or
    /// written.
    pub(crate) async fn sent_rows(&self, account: &str) -> Result<Vec<SentRow>, Refusal> {
        let account = account.to_owned();
        self.read(move |transaction| {
            let mut statement = transaction.prepare(include_str!("../../sql/pushes/all.sql"))?;
            let rows = statement.query_map(named_params! {":account": account}, |row| {
                Ok((row.get::<_, String>(0)?, row.get(1)?, row.get(2)?))
            })?;
            let sent = rows.map(|row| {
                let (row, remote_id, sent_at) = row?;
                let sent_at = DateTime::from_timestamp_millis(sent_at).unwrap_or_default();
                Ok(SentRow { row: serde_json::from_str(&row)?, remote_id, sent_at })
            });
            sent.collect()
        })
        .await
    }

    /// Stores a row that is about to be sent. Returns `false` if another program has stored it in the meantime.
    pub(crate) async fn begin_push(&self, account: &str, row: &PushRow, now: DateTime<Utc>) -> Result<bool, Refusal> {
        let (account, row) = (account.to_owned(), row.clone());
        self.write(move |transaction| {
            let content = serde_json::to_string(&row)?;
            let mut statement = transaction.prepare(include_str!("../../sql/pushes/insert.sql"))?;
            let inserted = statement.execute(named_params! {
                ":account": account,
                ":key": row.key(),
                ":row": content,
                ":now": now.timestamp_millis(),
            })?;
            Ok(inserted == 1)
        })
        .await
    }

    /// Stores the ID of the tracker's entry for a row.
    pub(crate) async fn settle_push(
        &self,
        account: &str,
        key: IdempotencyKey,
        remote_id: String,
    ) -> Result<(), Refusal> {
        let account = account.to_owned();
        self.write(move |transaction| {
            let mut statement = transaction.prepare(include_str!("../../sql/pushes/settle.sql"))?;
            statement.execute(named_params! {":account": account, ":key": key, ":remote_id": remote_id})?;
            Ok(())
        })
        .await
    }

    /// Deletes a row that certainly did not arrive, unless the row was sent again since.
    pub(crate) async fn release_push(
        &self,
        account: &str,
        key: IdempotencyKey,
        sent_at: DateTime<Utc>,
    ) -> Result<(), Refusal> {
        let account = account.to_owned();
        self.write(move |transaction| {
            let mut statement = transaction.prepare(include_str!("../../sql/pushes/release.sql"))?;
            statement
                .execute(named_params! {":account": account, ":key": key, ":sent_at": sent_at.timestamp_millis()})?;
            Ok(())
        })
        .await
    }
}
