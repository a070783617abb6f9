//! Attempts to log an entry, so that none logs twice: a key is kept before anything is sent, and what it has logged
//! before anybody is told.

use std::collections::BTreeSet;

use chrono::Utc;
use rusqlite::{OptionalExtension, Transaction, named_params};

use super::{Failure, LocalStore, to_json_list};
use crate::entry::NewEntry;
use crate::id::{EntryId, IdempotencyKey};
use crate::refusal::Refusal;

/// What is known of a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Attempt {
    /// Nothing: it was not seen before, or was released.
    New,
    /// Whether it has logged is unknown: it may have been sent, and the answer lost. Here is what was to be logged.
    Unknown(Box<NewEntry>),
    /// It has logged that entry, which may have been deleted since.
    Logged(EntryId),
}

/// An attempt of which nobody knows whether it has logged anything.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PendingAttempt {
    /// Its key.
    pub key: IdempotencyKey,
    /// What was to be logged.
    pub entry: NewEntry,
}

impl LocalStore {
    /// Says what is known of the key, and keeps it, with what is to be logged, if that is nothing.
    ///
    /// # Errors
    ///
    /// `INTERNAL_ERROR` where the file cannot be written, as with all of these.
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

    /// Forgets an attempt that certainly has logged nothing; one that has logged something stays.
    pub async fn release(&self, key: IdempotencyKey) -> Result<(), Refusal> {
        self.write(move |transaction| {
            let mut statement = transaction.prepare(include_str!("../../sql/keys/release.sql"))?;
            statement.execute(named_params! {":key": key})?;
            Ok(())
        })
        .await
    }

    /// What a key has logged, which may have been deleted since; nothing where it has logged nothing, or nobody knows.
    pub async fn logged_entry(&self, key: IdempotencyKey) -> Result<Option<EntryId>, Refusal> {
        self.read(move |transaction| {
            Ok(match attempt(transaction, key)? {
                Attempt::Logged(id) => Some(id),
                Attempt::New | Attempt::Unknown(_) => None,
            })
        })
        .await
    }

    /// The attempts of which nobody knows whether they have logged anything, the oldest first.
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

    /// Which of those entries were logged under a key of this store: another attempt cannot have logged them.
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

/// What is known of the key.
pub(crate) fn attempt(transaction: &Transaction<'_>, key: IdempotencyKey) -> Result<Attempt, Failure> {
    let mut statement = transaction.prepare(include_str!("../../sql/keys/by_key.sql"))?;
    let row = |row: &rusqlite::Row<'_>| Ok((row.get::<_, Option<EntryId>>(0)?, row.get::<_, Option<String>>(1)?));
    Ok(match statement.query_row(named_params! {":key": key}, row).optional()? {
        Some((Some(id), _)) => Attempt::Logged(id),
        Some((None, Some(request))) => Attempt::Unknown(serde_json::from_str(&request)?),
        _ => Attempt::New,
    })
}

/// Keeps a key with what is to be logged.
fn insert_key(transaction: &Transaction<'_>, key: IdempotencyKey, entry: &NewEntry) -> Result<(), Failure> {
    let mut statement = transaction.prepare(include_str!("../../sql/keys/insert.sql"))?;
    let request = serde_json::to_string(entry)?;
    statement.execute(named_params! {":key": key, ":request": request, ":now": Utc::now().timestamp_millis()})?;
    Ok(())
}

/// Keeps what a key has logged.
pub(crate) fn settle(transaction: &Transaction<'_>, key: IdempotencyKey, id: EntryId) -> Result<(), Failure> {
    let mut statement = transaction.prepare(include_str!("../../sql/keys/settle.sql"))?;
    statement.execute(named_params! {":key": key, ":entry": id, ":now": Utc::now().timestamp_millis()})?;
    Ok(())
}
