//! Entries that were sent to the API for a key, so that they can be recognised there if the response is lost.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use rusqlite::{OptionalExtension, named_params};

use super::{Attempt, LocalStore, attempt, insert_evidence, settle, to_json_list};
use crate::id::{EntryId, IdempotencyKey};
use crate::refusal::Refusal;

/// One sending of an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SentAttempt {
    /// The id of the user in the company's directory, if the token contained it.
    pub owner: Option<String>,
    /// The equal entries that existed before, which therefore aren't the sent one.
    pub known_entries: BTreeSet<EntryId>,
    /// The time of the sending.
    pub sent_at: DateTime<Utc>,
}

impl LocalStore {
    /// Stores the attempt that is about to be sent for a key.
    ///
    /// # Errors
    ///
    /// `INTERNAL_ERROR` if the file can't be written, as for all of these functions.
    pub async fn save_sent_attempt(&self, key: IdempotencyKey, sending: SentAttempt) -> Result<(), Refusal> {
        self.write(move |transaction| {
            let SentAttempt { owner, known_entries, sent_at } = sending;
            let known = to_json_list(&known_entries.into_iter().collect::<Vec<_>>())?;
            transaction.prepare(include_str!("../../sql/sent_attempts/put.sql"))?.execute(named_params! {
                ":key": key,
                ":owner": owner,
                ":known": known,
                ":now": sent_at.timestamp_millis(),
            })?;
            Ok(())
        })
        .await
    }

    /// Returns the last sent attempt for a key. `None` means that nothing was sent, and so nothing was logged.
    pub async fn sent_attempt(&self, key: IdempotencyKey) -> Result<Option<SentAttempt>, Refusal> {
        self.read(move |transaction| {
            let mut statement = transaction.prepare(include_str!("../../sql/sent_attempts/by_key.sql"))?;
            let row = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get::<_, String>(1)?, row.get(2)?));
            let Some((owner, known, sent_at)) = statement.query_row(named_params! {":key": key}, row).optional()?
            else {
                return Ok(None);
            };
            let sent_at = DateTime::from_timestamp_millis(sent_at).unwrap_or_default();
            Ok(Some(SentAttempt { owner, known_entries: serde_json::from_str(&known)?, sent_at }))
        })
        .await
    }

    /// Stores which entry a sending logged, with its evidence, unless another key logged that entry. Returns whether
    /// the entry belongs to this key now.
    pub async fn bind(&self, key: IdempotencyKey, id: EntryId) -> Result<bool, Refusal> {
        self.write(move |transaction| {
            let mut statement = transaction.prepare(include_str!("../../sql/keys/settled.sql"))?;
            if statement.exists(named_params! {":ids": to_json_list(&[id])?})? {
                return Ok(attempt(transaction, key)? == Attempt::Logged(id));
            }
            if let Attempt::Unknown(entry) = attempt(transaction, key)? {
                insert_evidence(transaction, id, &entry)?;
            }
            settle(transaction, key, id)?;
            transaction
                .prepare(include_str!("../../sql/sent_attempts/delete.sql"))?
                .execute(named_params! {":key": key})?;
            Ok(true)
        })
        .await
    }
}
