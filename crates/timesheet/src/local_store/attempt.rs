//! Attempts to log an entry. The key is stored before a request is sent, and the result is stored before the caller
//! receives it. A retry with the same key therefore doesn't log the entry twice. For a request to the API, the store
//! also keeps data that helps to find the entry at the API if the response is lost.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use rusqlite::{OptionalExtension, Transaction, named_params};

use super::{Failure, LocalStore, insert_evidence, to_json_list};
use crate::entry::NewEntry;
use crate::id::{EntryId, IdempotencyKey};
use crate::refusal::Refusal;

/// The state of an idempotency key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Attempt {
    /// The key is unknown, or was released.
    New,
    /// The outcome is unknown: the request may have been sent and its response lost. Contains the requested entry.
    Unknown(Box<NewEntry>),
    /// The key logged this entry, which may have been deleted later.
    Logged(EntryId),
}

/// An attempt with an unknown outcome.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PendingAttempt {
    /// The key of the attempt.
    pub key: IdempotencyKey,
    /// The requested entry.
    pub entry: NewEntry,
}

impl LocalStore {
    /// Returns the state of the key. A new key is stored with its request.
    ///
    /// # Errors
    ///
    /// This function and the other functions of this block fail with `INTERNAL_ERROR` if the file can't be read or
    /// written.
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

    /// Releases the key of an attempt that certainly logged no entry. A key that logged an entry isn't released.
    pub async fn release(&self, key: IdempotencyKey) -> Result<(), Refusal> {
        self.write(move |transaction| {
            let mut statement = transaction.prepare(include_str!("../../sql/keys/release.sql"))?;
            statement.execute(named_params! {":key": key})?;
            Ok(())
        })
        .await
    }

    /// Returns the entry that the key logged, even if the entry was deleted later. Returns `None` if the key logged no
    /// entry or the outcome is unknown.
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

    /// Returns the subset of `ids` that were logged under a key of this store. Another attempt can't have logged these
    /// entries.
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

/// Returns the state of the key, without storing a new key.
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

/// Records that a key logged an entry.
pub(crate) fn settle(transaction: &Transaction<'_>, key: IdempotencyKey, id: EntryId) -> Result<(), Failure> {
    let mut statement = transaction.prepare(include_str!("../../sql/keys/settle.sql"))?;
    statement.execute(named_params! {":key": key, ":entry": id, ":now": Utc::now().timestamp_millis()})?;
    Ok(())
}

/// Data about a request that was sent to the API for an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SentAttempt {
    /// The user's id in the company's directory, if the access token contains it.
    pub owner: Option<String>,
    /// Entries with identical content that existed before the request was sent. None of them is the entry of this
    /// request.
    pub known_entries: BTreeSet<EntryId>,
    /// The time at which the request was sent.
    pub sent_at: DateTime<Utc>,
}

impl LocalStore {
    /// Stores the data about a request that is about to be sent for a key.
    ///
    /// # Errors
    ///
    /// This function and the other functions of this block fail with `INTERNAL_ERROR` if the file can't be read or
    /// written.
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

    /// Returns the data about the last request that was sent for a key. If the outcome of the key is unknown, `None`
    /// means that no request was sent and no entry was logged.
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

    /// Records that the key logged the entry, and stores the entry's evidence, unless another key logged the entry.
    /// Returns whether the entry now belongs to this key.
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
