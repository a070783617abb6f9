//! Attempts to log an entry. A key is stored before anything is sent, and its result before the caller gets it, so
//! that a retry doesn't log twice. Entries that were sent to the API for a key are stored too, so that they can be
//! recognised there if the response is lost.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use rusqlite::{OptionalExtension, Transaction, named_params};

use super::{Failure, LocalStore, insert_evidence, to_json_list};
use crate::entry::NewEntry;
use crate::id::{EntryId, IdempotencyKey};
use crate::refusal::Refusal;

/// The state of a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Attempt {
    /// The key is new, or was released.
    New,
    /// The outcome is unknown: the request may have been sent and its response lost. Contains the request.
    Unknown(Box<NewEntry>),
    /// The key logged this entry, which may have been deleted since.
    Logged(EntryId),
}

/// An attempt with an unknown outcome.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PendingAttempt {
    /// Its key.
    pub key: IdempotencyKey,
    /// The request.
    pub entry: NewEntry,
}

impl LocalStore {
    /// Returns the state of the key, and stores the key with its request if it is new.
    ///
    /// # Errors
    ///
    /// `INTERNAL_ERROR` if the file can't be written, as for all of these functions.
    pub async fn begin(&self, key: IdempotencyKey, entry: NewEntry) -> Result<Attempt, Refusal> {
        self.write(move |transaction| {
            let known = attempt(transaction, key)?;
            if known == Attempt::New {
                insert_key(transaction, key, &entry)?;
            }
            Ok(known)
        })
        .await
    }

    /// Releases the key of an attempt that certainly logged nothing. A key that logged an entry is kept.
    pub async fn release(&self, key: IdempotencyKey) -> Result<(), Refusal> {
        self.write(move |transaction| {
            let mut statement = transaction.prepare(include_str!("../../sql/keys/release.sql"))?;
            statement.execute(named_params! {":key": key})?;
            Ok(())
        })
        .await
    }

    /// Returns the entry that a key logged, even if it was deleted since, or `None` if it logged nothing or the
    /// outcome is unknown.
    pub async fn logged_entry(&self, key: IdempotencyKey) -> Result<Option<EntryId>, Refusal> {
        self.read(move |transaction| {
            Ok(match attempt(transaction, key)? {
                Attempt::Logged(id) => Some(id),
                Attempt::New | Attempt::Unknown(_) => None,
            })
        })
        .await
    }

    /// Returns the attempts with an unknown outcome, oldest first.
    pub async fn pending_attempts(&self) -> Result<Vec<PendingAttempt>, Refusal> {
        self.read(|transaction| {
            let mut statement = transaction.prepare(include_str!("../../sql/keys/pending.sql"))?;
            let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get::<_, String>(1)?)))?;
            rows.map(|row| {
                let (key, request) = row?;
                Ok(PendingAttempt { key, entry: serde_json::from_str(&request)? })
            })
            .collect()
        })
        .await
    }

    /// Returns which of the entries were logged under a key of this store, so that no other attempt can have logged
    /// them.
    pub async fn filter_settled(&self, ids: &[EntryId]) -> Result<BTreeSet<EntryId>, Refusal> {
        let ids = ids.to_vec();
        self.read(move |transaction| {
            let mut statement = transaction.prepare(include_str!("../../sql/keys/settled.sql"))?;
            let rows = statement.query_map(named_params! {":ids": to_json_list(&ids)?}, |row| row.get(0))?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
        .await
    }
}

/// Returns the state of the key.
pub(crate) fn attempt(transaction: &Transaction<'_>, key: IdempotencyKey) -> Result<Attempt, Failure> {
    let mut statement = transaction.prepare(include_str!("../../sql/keys/by_key.sql"))?;
    let row = |row: &rusqlite::Row<'_>| Ok((row.get::<_, Option<EntryId>>(0)?, row.get::<_, Option<String>>(1)?));
    Ok(match statement.query_row(named_params! {":key": key}, row).optional()? {
        Some((Some(id), _)) => Attempt::Logged(id),
        Some((None, Some(request))) => Attempt::Unknown(serde_json::from_str(&request)?),
        _ => Attempt::New,
    })
}

/// Stores a key with its request.
fn insert_key(transaction: &Transaction<'_>, key: IdempotencyKey, entry: &NewEntry) -> Result<(), Failure> {
    let mut statement = transaction.prepare(include_str!("../../sql/keys/insert.sql"))?;
    let request = serde_json::to_string(entry)?;
    statement.execute(named_params! {":key": key, ":request": request, ":now": Utc::now().timestamp_millis()})?;
    Ok(())
}

/// Stores which entry a key logged.
pub(crate) fn settle(transaction: &Transaction<'_>, key: IdempotencyKey, id: EntryId) -> Result<(), Failure> {
    let mut statement = transaction.prepare(include_str!("../../sql/keys/settle.sql"))?;
    statement.execute(named_params! {":key": key, ":entry": id, ":now": Utc::now().timestamp_millis()})?;
    Ok(())
}

/// One sending of an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SentAttempt {
    /// The id of the user in the company's directory, if the token contained it.
    pub owner: Option<String>,
    /// Identical entries that existed before the sending. None of them is the sent entry.
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
