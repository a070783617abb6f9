//! Whether an entry would log time twice, in the state of the transaction that books it.

use std::collections::BTreeMap;

use rusqlite::Transaction;

use super::entries;
use crate::book::{self, Failure};
use crate::entry::NewEntry;
use crate::logged::Logged;
use crate::rules::overlap;

/// Refuses an entry that breaks no other rule and overlaps with another.
pub(super) fn check(transaction: &Transaction<'_>, entry: &NewEntry) -> Result<(), Failure> {
    let mut others = entries::on_days(transaction, entry.start_date, entry.completion_date)?;
    let evidence = match overlap::between(&entry.evidence) {
        Some((start_utc, end_utc)) => book::covered_in(transaction, start_utc, end_utc)?,
        None => BTreeMap::new(),
    };
    for id in evidence.keys() {
        if others.iter().all(|other| other.id != *id) {
            others.extend(entries::find(transaction, *id)?);
        }
    }
    Ok(overlap::check_overlaps(entry, &Logged::each(&others, &evidence))?)
}
