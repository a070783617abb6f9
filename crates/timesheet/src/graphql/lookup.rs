//! Recognition of a sent entry at the API, which doesn't store our keys.
//!
//! A found entry is the sent one if it belongs to the user, is equal in every field, didn't exist before the sending,
//! wasn't logged under another key of this store, and was created at about that time. Equal entries don't need to be
//! distinguished: if two equal attempts are pending and one entry is found, either can have it. If there are more
//! entries than attempts, or one was created at another time, they may come from another machine. A person has to
//! decide then, because a wrong guess logs the entry twice or not at all.

use std::collections::BTreeSet;

use chrono::TimeDelta;

use crate::entry::TimeEntry;
use crate::id::EntryId;
use crate::local_store::SentAttempt;

/// The maximum difference between the API's and this machine's clock, including the duration of an attempt.
const WINDOW: TimeDelta = TimeDelta::minutes(15);

/// The result of a search at the API.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum LookupResult {
    /// The entry that was logged.
    Found(Box<TimeEntry>),
    /// No candidate exists.
    Missing,
    /// There are too many candidates.
    Ambiguous,
}

/// Whether two entries have equal fields, apart from their status. The API doesn't keep the order of tags.
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

/// Searches `alike`, which are equal entries, for the sent one. `taken` are logged under other keys. `attempts` is the
/// number of equal pending attempts, including this one.
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
