//! What was booked on some days or for some time, and whether an entry would log time twice, in the state of the
//! transaction that books it.

use std::ops::{Range, RangeInclusive};

use rusqlite::Transaction;

use super::entries;
use crate::book::{self, Failure};
use crate::day::Day;
use crate::entry::{NewEntry, TimeEntry};
use crate::logged::Bookings;
use crate::rules::overlap;

/// Refuses an entry that breaks no other rule and overlaps with another.
pub(super) fn check(transaction: &Transaction<'_>, entry: &NewEntry) -> Result<(), Failure> {
    let days = entry.start_date..=entry.completion_date;
    let bookings = bookings(transaction, &days, &overlap::between(&entry.evidence).unwrap_or_default())?;
    Ok(overlap::check_overlaps(entry, &bookings.logged())?)
}

/// Refuses a change that breaks no other rule and gives a day more than it has.
pub(super) fn check_change(
    transaction: &Transaction<'_>,
    before: &TimeEntry,
    after: &TimeEntry,
) -> Result<(), Failure> {
    let bookings = bookings(transaction, &(after.start_date..=after.completion_date), &(0..0))?;
    Ok(overlap::check_change(before, after, &bookings.logged())?)
}

/// The entries that have one of those days or evidence of that time.
pub(super) fn bookings(
    transaction: &Transaction<'_>,
    days: &RangeInclusive<Day>,
    time: &Range<i64>,
) -> Result<Bookings, Failure> {
    let mut entries = entries::on_days(transaction, *days.start(), *days.end())?;
    for id in book::covered_in(transaction, time.start, time.end)?.keys() {
        if entries.iter().all(|other| other.id != *id) {
            entries.extend(entries::find(transaction, *id)?);
        }
    }
    let ids: Vec<_> = entries.iter().map(|entry| entry.id).collect();
    Ok(Bookings { evidence: book::covered(transaction, &ids)?, entries })
}
