//! Entries as database rows, and the overlap checks. The checks run in the transaction that logs or changes an entry.

use std::collections::BTreeMap;
use std::ops::{Range, RangeInclusive};

use chrono::{DateTime, Utc};
use rusqlite::{OptionalExtension, Row, ToSql, Transaction, named_params};

use crate::day::{Day, Week};
use crate::entry::{NewEntry, TimeEntry};
use crate::id::EntryId;
use crate::local_store::{self, Failure, to_json_list};
use crate::logged::LoggedEntries;
use crate::query::{EntryPage, EntryQuery, Order, SortBy};
use crate::rules::overlap;
use crate::tag::Tag;

/// Returns the entry with the id, or `None` if it doesn't exist.
pub(super) fn find(transaction: &Transaction<'_>, id: EntryId) -> Result<Option<TimeEntry>, Failure> {
    let mut statement = transaction.prepare(include_str!("../../sql/entries/one.sql"))?;
    let found = statement.query_row(named_params! {":id": id}, read).optional()?;
    Ok(load_tags(transaction, found.into_iter().collect())?.pop())
}

/// Returns a page of the matching entries.
pub(super) fn query(transaction: &Transaction<'_>, query: &EntryQuery) -> Result<EntryPage, Failure> {
    // The ledger doesn't store email addresses, so a filter by email address matches no entry.
    if query.user_email.is_some() {
        return Ok(EntryPage::default());
    }
    let limit = query.limit.get() as usize;
    let tags: Vec<Tag> = query.tags.iter().map(Tag::fold_case).collect();
    let by = match query.sort.by {
        SortBy::StartDate => "start",
        SortBy::CompletionDate => "completion",
        SortBy::StandardHours => "hours",
    };
    let mut statement = transaction.prepare(include_str!("../../sql/entries/search.sql"))?;
    let rows = statement.query_map(
        named_params! {
            ":from": query.start_date.map_or_else(|| "0000-01-01".to_owned(), |day| day.to_string()),
            ":until": query.end_date.map_or_else(|| "9999-12-31".to_owned(), |day| day.to_string()),
            ":project": query.project_code,
            ":task": query.task,
            ":status": query.status,
            ":text": query.description_contains,
            ":has_overtime": query.has_overtime,
            ":min_hours": query.min_hours,
            ":max_hours": query.max_hours,
            ":tags": serde_json::to_string(&tags)?,
            ":by": by,
            ":descending": query.sort.order == Order::Descending,
            ":limit": query.limit.get() + 1,
            ":offset": query.offset,
        },
        read,
    )?;
    let mut entries = rows.collect::<Result<Vec<_>, _>>()?;
    let has_more = entries.len() > limit;
    entries.truncate(limit);
    Ok(EntryPage { entries: load_tags(transaction, entries)?, has_more })
}

/// Returns all entries in the order in which they were logged.
pub(super) fn all(transaction: &Transaction<'_>) -> Result<Vec<TimeEntry>, Failure> {
    let mut statement = transaction.prepare(include_str!("../../sql/entries/all.sql"))?;
    let entries = statement.query_map([], read)?.collect::<Result<_, _>>()?;
    load_tags(transaction, entries)
}

/// Returns the entries that overlap the days from `first` to `last`, in the order in which the entries were logged.
/// Tags aren't loaded.
fn find_by_days(transaction: &Transaction<'_>, first: Day, last: Day) -> Result<Vec<TimeEntry>, Failure> {
    let mut statement = transaction.prepare(include_str!("../../sql/entries/on_days.sql"))?;
    let rows = statement.query_map(named_params! {":first": first, ":last": last}, read)?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Inserts a new entry with its tags.
pub(super) fn insert(transaction: &Transaction<'_>, entry: &TimeEntry) -> Result<(), Failure> {
    let mut statement = transaction.prepare(include_str!("../../sql/entries/insert.sql"))?;
    let (created, updated) = (entry.created_at.timestamp_millis(), entry.updated_at.timestamp_millis());
    let times = named_params! {":created": created, ":updated": updated};
    statement.execute([&values(entry), times].concat().as_slice())?;
    insert_tags(transaction, entry)
}

/// Replaces an entry and its tags.
pub(super) fn replace(transaction: &Transaction<'_>, entry: &TimeEntry) -> Result<(), Failure> {
    let mut statement = transaction.prepare(include_str!("../../sql/entries/update.sql"))?;
    let updated = entry.updated_at.timestamp_millis();
    statement.execute([&values(entry), named_params! {":updated": updated}].concat().as_slice())?;
    let mut statement = transaction.prepare(include_str!("../../sql/entries/delete_tags.sql"))?;
    statement.execute(named_params! {":entry": entry.id})?;
    insert_tags(transaction, entry)
}

/// Deletes an entry with its tags.
pub(super) fn delete(transaction: &Transaction<'_>, id: EntryId) -> Result<(), Failure> {
    transaction.prepare(include_str!("../../sql/entries/delete.sql"))?.execute(named_params! {":id": id})?;
    Ok(())
}

/// Reopens the submitted entries that start in a week, and returns their ids.
pub(super) fn reopen(transaction: &Transaction<'_>, week: Week, now: DateTime<Utc>) -> Result<Vec<EntryId>, Failure> {
    let mut statement = transaction.prepare(include_str!("../../sql/entries/reopen.sql"))?;
    let days = named_params! {
        ":first": week.first(),
        ":last": week.last(),
        ":now": now.timestamp_millis(),
    };
    let rows = statement.query_map(days, |row| row.get(0))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Returns the SQL parameters of an entry, except for its timestamps and tags.
fn values(entry: &TimeEntry) -> [(&str, &dyn ToSql); 11] {
    [
        (":id", &entry.id),
        (":project", &entry.project_code),
        (":task", &entry.task),
        (":issue", &entry.issue_id),
        (":standard", &entry.standard_hours),
        (":overtime", &entry.overtime_hours),
        (":description", &entry.description),
        (":start", &entry.start_date),
        (":completion", &entry.completion_date),
        (":status", &entry.status),
        (":comment", &entry.decline_comment),
    ]
}

fn insert_tags(transaction: &Transaction<'_>, entry: &TimeEntry) -> Result<(), Failure> {
    let mut statement = transaction.prepare(include_str!("../../sql/entries/insert_tag.sql"))?;
    for (position, tag) in (0_i64..).zip(&entry.tags) {
        let folded = tag.fold_case();
        statement.execute(named_params! {
            ":entry": entry.id,
            ":position": position,
            ":name": tag.name,
            ":value": tag.value,
            ":folded_name": folded.name,
            ":folded_value": folded.value,
        })?;
    }
    Ok(())
}

fn load_tags(transaction: &Transaction<'_>, entries: Vec<TimeEntry>) -> Result<Vec<TimeEntry>, Failure> {
    let ids: Vec<EntryId> = entries.iter().map(|entry| entry.id).collect();
    let mut statement = transaction.prepare(include_str!("../../sql/entries/tags.sql"))?;
    let mut rows = statement.query(named_params! {":ids": to_json_list(&ids)?})?;
    let mut tags: BTreeMap<EntryId, Vec<Tag>> = BTreeMap::new();
    while let Some(row) = rows.next()? {
        tags.entry(row.get(0)?).or_default().push(Tag { name: row.get(1)?, value: row.get(2)? });
    }
    let tagged =
        entries.into_iter().map(|entry| TimeEntry { tags: tags.remove(&entry.id).unwrap_or_default(), ..entry });
    Ok(tagged.collect())
}

/// Reads an entry from a row. Tags aren't loaded.
fn read(row: &Row<'_>) -> rusqlite::Result<TimeEntry> {
    let instant = |column| row.get(column).map(|millis| DateTime::from_timestamp_millis(millis).unwrap_or_default());
    Ok(TimeEntry {
        id: row.get("id")?,
        project_code: row.get("project_code")?,
        task: row.get("task")?,
        issue_id: row.get("issue_id")?,
        standard_hours: row.get("standard_hundredths")?,
        overtime_hours: row.get("overtime_hundredths")?,
        description: row.get("description")?,
        start_date: row.get("start_date")?,
        completion_date: row.get("completion_date")?,
        status: row.get("status")?,
        decline_comment: row.get("decline_comment")?,
        tags: Vec::new(),
        created_at: instant("created_at")?,
        updated_at: instant("updated_at")?,
        user: None,
    })
}

/// Rejects a new entry that overlaps an existing entry. The new entry has already passed all other rules.
pub(super) fn check_overlaps(transaction: &Transaction<'_>, entry: &NewEntry) -> Result<(), Failure> {
    let days = entry.start_date..=entry.completion_date;
    let logged = logged_entries(transaction, &days, &overlap::evidence_range(&entry.evidence).unwrap_or_default())?;
    Ok(overlap::check_overlaps(entry, &logged.entries_with_evidence())?)
}

/// Rejects a change that gives a day more than 24 hours. The change has already passed all other rules.
pub(super) fn check_change(
    transaction: &Transaction<'_>,
    before: &TimeEntry,
    after: &TimeEntry,
) -> Result<(), Failure> {
    let logged = logged_entries(transaction, &(after.start_date..=after.completion_date), &(0..0))?;
    Ok(overlap::check_change(before, after, &logged.entries_with_evidence())?)
}

/// Returns the entries that include one of `days`, or that have evidence overlapping `time`.
pub(super) fn logged_entries(
    transaction: &Transaction<'_>,
    days: &RangeInclusive<Day>,
    time: &Range<i64>,
) -> Result<LoggedEntries, Failure> {
    let mut entries = find_by_days(transaction, *days.start(), *days.end())?;
    for id in local_store::read_evidence_in(transaction, time.start, time.end)?.keys() {
        if entries.iter().all(|other| other.id != *id) {
            entries.extend(find(transaction, *id)?);
        }
    }
    let ids: Vec<_> = entries.iter().map(|entry| entry.id).collect();
    Ok(LoggedEntries { evidence: local_store::read_evidence(transaction, &ids)?, entries })
}
