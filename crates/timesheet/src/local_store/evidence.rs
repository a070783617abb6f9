//! The evidence of entries: the active time that an entry covers, and the files, sites and applications used in this
//! time.

use std::collections::BTreeMap;

use rusqlite::{Rows, Transaction, named_params};

use super::{Failure, LocalStore, to_json_list};
use crate::entry::{Evidence, NewEntry, UsedItem};
use crate::id::EntryId;
use crate::refusal::Refusal;

impl LocalStore {
    /// Returns the evidence of each entry in time order. Entries without evidence are missing from the result.
    ///
    /// # Errors
    ///
    /// `INTERNAL_ERROR` if the file can't be read.
    pub async fn evidence(&self, ids: &[EntryId]) -> Result<BTreeMap<EntryId, Vec<Evidence>>, Refusal> {
        let ids = ids.to_vec();
        self.read(move |transaction| read_evidence(transaction, &ids)).await
    }

    /// Returns the evidence that overlaps `[start_utc, end_utc)`, grouped by entry. The evidence of each entry is in
    /// time order. The evidence isn't clipped to that range.
    ///
    /// # Errors
    ///
    /// `INTERNAL_ERROR` if the file can't be read.
    pub async fn evidence_in(&self, start_utc: i64, end_utc: i64) -> Result<BTreeMap<EntryId, Vec<Evidence>>, Refusal> {
        self.read(move |transaction| read_evidence_in(transaction, start_utc, end_utc)).await
    }

    /// Whether any evidence begins in `[start_utc, end_utc)`.
    ///
    /// # Errors
    ///
    /// `INTERNAL_ERROR` if the file can't be read.
    pub async fn has_evidence_in(&self, start_utc: i64, end_utc: i64) -> Result<bool, Refusal> {
        self.read(move |transaction| {
            let mut statement = transaction.prepare(include_str!("../../sql/evidence/exists.sql"))?;
            Ok(statement.query_row(named_params! {":start": start_utc, ":end": end_utc}, |row| row.get(0))?)
        })
        .await
    }

    /// Returns the files, sites and applications of each drafted entry, the longest used first. Other entries are
    /// missing from the result.
    ///
    /// # Errors
    ///
    /// `INTERNAL_ERROR` if the file can't be read.
    pub async fn used_items(&self, ids: &[EntryId]) -> Result<BTreeMap<EntryId, Vec<UsedItem>>, Refusal> {
        let ids = ids.to_vec();
        self.read(move |transaction| {
            let mut statement = transaction.prepare(include_str!("../../sql/used_items/by_entry.sql"))?;
            let mut rows = statement.query(named_params! {":ids": to_json_list(&ids)?})?;
            let mut known: BTreeMap<EntryId, Vec<UsedItem>> = BTreeMap::new();
            while let Some(row) = rows.next()? {
                let thing = UsedItem { by: row.get("by")?, text: row.get("text")?, seconds: row.get("seconds")? };
                known.entry(row.get("entry_id")?).or_default().push(thing);
            }
            Ok(known)
        })
        .await
    }

    /// Deletes the evidence of a deleted entry, including its files, sites and applications.
    ///
    /// # Errors
    ///
    /// `INTERNAL_ERROR` if the file can't be written.
    pub async fn delete_evidence(&self, id: EntryId) -> Result<(), Refusal> {
        self.write(move |transaction| delete_evidence(transaction, id)).await
    }
}

/// Returns the evidence of each entry in time order. Entries without evidence are missing from the result.
pub(crate) fn read_evidence(
    transaction: &Transaction<'_>,
    ids: &[EntryId],
) -> Result<BTreeMap<EntryId, Vec<Evidence>>, Failure> {
    let mut statement = transaction.prepare(include_str!("../../sql/evidence/by_entry.sql"))?;
    group_by_entry(statement.query(named_params! {":ids": to_json_list(ids)?})?)
}

/// Returns the evidence that overlaps `[start_utc, end_utc)`, grouped by entry. The evidence of each entry is in time
/// order. The evidence isn't clipped to that range.
pub(crate) fn read_evidence_in(
    transaction: &Transaction<'_>,
    start_utc: i64,
    end_utc: i64,
) -> Result<BTreeMap<EntryId, Vec<Evidence>>, Failure> {
    let mut statement = transaction.prepare(include_str!("../../sql/evidence/overlapping.sql"))?;
    group_by_entry(statement.query(named_params! {":start": start_utc, ":end": end_utc})?)
}

/// Stores the evidence of an entry, and its files, sites and applications.
pub(crate) fn insert_evidence(transaction: &Transaction<'_>, id: EntryId, entry: &NewEntry) -> Result<(), Failure> {
    let mut statement = transaction.prepare(include_str!("../../sql/evidence/insert.sql"))?;
    for Evidence { start_utc, end_utc, device, activity, utc_offset } in &entry.evidence {
        statement.execute(named_params! {
            ":entry": id,
            ":start": start_utc,
            ":end": end_utc,
            ":device": device,
            ":activity": activity,
            ":utc_offset": utc_offset,
        })?;
    }
    let mut statement = transaction.prepare(include_str!("../../sql/used_items/insert.sql"))?;
    for UsedItem { by, text, seconds } in &entry.known_by {
        statement.execute(named_params! {":entry": id, ":by": by, ":text": text, ":seconds": seconds})?;
    }
    Ok(())
}

/// Groups rows of evidence by entry.
fn group_by_entry(mut rows: Rows<'_>) -> Result<BTreeMap<EntryId, Vec<Evidence>>, Failure> {
    let mut covered: BTreeMap<EntryId, Vec<Evidence>> = BTreeMap::new();
    while let Some(row) = rows.next()? {
        covered.entry(row.get("entry_id")?).or_default().push(Evidence {
            start_utc: row.get("start_utc")?,
            end_utc: row.get("end_utc")?,
            device: row.get("device")?,
            activity: row.get("activity")?,
            utc_offset: row.get("utc_offset")?,
        });
    }
    Ok(covered)
}

/// Deletes the evidence of an entry, and its files, sites and applications.
pub(crate) fn delete_evidence(transaction: &Transaction<'_>, id: EntryId) -> Result<(), Failure> {
    transaction.prepare(include_str!("../../sql/evidence/delete.sql"))?.execute(named_params! {":entry": id})?;
    transaction.prepare(include_str!("../../sql/used_items/delete.sql"))?.execute(named_params! {":entry": id})?;
    Ok(())
}
