//! How an entry is recognised at the API, which knows no keys of ours.
//!
//! An entry is taken for the one that was sent if it is the user's own, equals it in every field, was not there when it
//! was sent, has been logged by no other key of this store, and was created about then. What is equal cannot be told
//! apart, and need not be: with two equal attempts open, and one entry found, either may have it. More entries than
//! attempts, or one that was created at another time, may be somebody else's work on another machine: that is for a
//! person to decide, since a wrong guess logs twice or not at all.

use std::collections::BTreeSet;

use chrono::TimeDelta;

use crate::entry::TimeEntry;
use crate::id::EntryId;
use crate::local_store::SentAttempt;

/// How far the clock of the API may be from that of this machine, with what an attempt takes.
const WINDOW: TimeDelta = TimeDelta::minutes(15);

/// What was found at the API.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum LookupResult {
    /// It was logged: this is it.
    Found(Box<TimeEntry>),
    /// Nothing that it could be.
    Missing,
    /// More than it could be.
    Ambiguous,
}

/// Whether two entries have the same fields, whatever became of them. Tags have no order at the API.
pub(super) fn has_equal_fields(one: &TimeEntry, other: &TimeEntry) -> bool {
    let fields = |entry: &TimeEntry| {
        let mut tags = entry.tags.clone();
        tags.sort();
        let days = (entry.start_date, entry.completion_date);
        let hours = (entry.standard_hours, entry.overtime_hours);
        let texts = (entry.project_code.clone(), entry.task.clone(), entry.issue_id.clone(), entry.description.clone());
        (days, hours, texts, tags)
    };
    fields(one) == fields(other)
}

/// Looks for what was sent among `alike`, which equal it; `taken` are logged by other keys, and `attempts` equal ones
/// are open, this one among them.
pub(super) fn find_sent_entry(
    alike: Vec<TimeEntry>,
    sending: &SentAttempt,
    taken: &BTreeSet<EntryId>,
    attempts: usize,
) -> LookupResult {
    let is_new = |entry: &TimeEntry| !sending.known_entries.contains(&entry.id) && !taken.contains(&entry.id);
    let mut new: Vec<TimeEntry> = alike.into_iter().filter(is_new).collect();
    let is_certain = sending.owner.is_some()
        && new.len() <= attempts
        && new.iter().all(|entry| {
            let owner = entry.user.as_ref().and_then(|user| user.id.as_ref());
            owner == sending.owner.as_ref() && entry.created_at > sending.sent_at - WINDOW
        });
    new.sort_by_key(|entry| (entry.created_at, entry.id));
    match new.into_iter().next() {
        None => LookupResult::Missing,
        Some(first) if is_certain => LookupResult::Found(Box::new(first)),
        Some(_) => LookupResult::Ambiguous,
    }
}
