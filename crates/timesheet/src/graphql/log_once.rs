//! Logs an entry exactly once, although the API has no idempotency keys.
//!
//! An attempt can be interrupted after each of these steps:
//! - The key is stored.
//! - The entry is checked for overlaps.
//! - The ids of existing entries with identical content are stored with the user's id.
//! - The entry is sent.
//! - The id of the logged entry is stored under the key.
//! - The caller gets the result.
//!
//! A retry with the same key finds the last completed step. If the entry wasn't sent, it wasn't logged. If it was sent,
//! the retry searches the API for it ([`find_sent_entry`]). An entry that isn't found may still appear later, so it
//! isn't sent again until `Options::settle_time` has passed.

use std::collections::BTreeSet;

use chrono::{TimeDelta, Utc};

use super::client::Failure;
use super::operations::{EntryOperation, LogTime, log_time};
use super::token::Token;
use super::{Inner, checks, filter, with_sentence};
use crate::entry::{NewEntry, TimeEntry};
use crate::id::{EntryId, IdempotencyKey};
use crate::local_store::{Attempt, SentAttempt};
use crate::refusal::{Code, Refusal};
use crate::rules::OverlapPolicy;

impl Inner {
    pub(super) async fn log(
        &self,
        key: IdempotencyKey,
        entry: NewEntry,
        overlaps: OverlapPolicy,
    ) -> Result<TimeEntry, Refusal> {
        checks::check_new(&entry)?;
        let _one = self.logging.lock().await;
        let attempt = self.store.begin(key, entry.clone()).await?;
        let token = match (self.tokens.token().await, &attempt) {
            (Ok(token), _) => token,
            (Err(refusal), Attempt::New) => return self.release(key, refusal).await,
            (Err(refusal), _) => return Err(refusal),
        };
        match attempt {
            Attempt::Logged(id) => self.get_entry(&token, id).await,
            Attempt::New => self.send_first(&token, key, entry, overlaps).await,
            Attempt::Unknown(before) => match self.store.sent_attempt(key).await? {
                None => {
                    self.restart_attempt(key, &entry, &before).await?;
                    self.send_first(&token, key, entry, overlaps).await
                }
                Some(sending) => self.resume(&token, key, entry, overlaps, *before, sending).await,
            },
        }
    }

    /// Checks an entry for overlaps and sends it for the first time.
    async fn send_first(
        &self,
        token: &Token,
        key: IdempotencyKey,
        entry: NewEntry,
        overlaps: OverlapPolicy,
    ) -> Result<TimeEntry, Refusal> {
        if let Err(refusal) = self.check_overlaps(token, &entry, overlaps).await {
            return self.release(key, refusal).await;
        }
        let known = match self.find_equal_entries(token, &entry).await {
            Ok(alike) => alike.iter().map(|entry| entry.id).collect(),
            Err(refusal) => return self.release(key, refusal).await,
        };
        self.send(token, key, entry, known).await
    }

    /// Searches the API for the entry of an earlier attempt. Sends the entry again only if the earlier attempt logged
    /// nothing.
    async fn resume(
        &self,
        token: &Token,
        key: IdempotencyKey,
        entry: NewEntry,
        overlaps: OverlapPolicy,
        before: NewEntry,
        sending: SentAttempt,
    ) -> Result<TimeEntry, Refusal> {
        if sending.owner.as_deref() != Some(token.owner()) {
            let message = "Another user tried to log this entry, and only that user can see the result. Run `az login` \
                           as that user";
            return Err(Refusal::new(Code::AuthenticationError, message));
        }
        let alike = self.find_equal_entries(token, &before).await?;
        match self.look_up(&before, &sending, alike.clone()).await? {
            LookupResult::Found(found) => self.save_logged(key, *found).await,
            LookupResult::Ambiguous => Err(ambiguous_match(&before)),
            LookupResult::Missing => {
                let settling = TimeDelta::from_std(self.settle_time).unwrap_or(TimeDelta::MAX);
                let left = sending.sent_at + settling - Utc::now();
                if left > TimeDelta::zero() {
                    return Err(still_pending(left));
                }
                if entry == before {
                    if let Err(refusal) = self.check_overlaps(token, &entry, overlaps).await {
                        return self.release(key, refusal).await;
                    }
                    let known = alike.iter().map(|entry| entry.id).collect();
                    return self.send(token, key, entry, known).await;
                }
                self.restart_attempt(key, &entry, &before).await?;
                self.send_first(token, key, entry, overlaps).await
            }
        }
    }

    /// Sends an entry and finds out whether it was logged.
    async fn send(
        &self,
        token: &Token,
        key: IdempotencyKey,
        entry: NewEntry,
        known_entries: BTreeSet<EntryId>,
    ) -> Result<TimeEntry, Refusal> {
        let sending = SentAttempt { owner: Some(token.owner().to_owned()), known_entries, sent_at: Utc::now() };
        self.store.save_sent_attempt(key, sending.clone()).await?;
        let variables = log_time::Variables { input: (&entry).into() };
        match self.wire.send::<LogTime>(token, variables).await {
            Ok(data) => self.save_logged(key, LogTime::entry(data)).await,
            Err(Failure::NotSent(refusal)) => self.release(key, refusal).await,
            Err(Failure::Refused(refusal)) => {
                self.store.release(key).await?;
                Err(self.add_allowed_values(token, refusal).await)
            }
            Err(Failure::Broken(refusal) | Failure::Unclear(refusal)) => {
                let Ok(alike) = self.find_equal_entries(token, &entry).await else {
                    return Err(outcome_unknown(refusal));
                };
                match self.look_up(&entry, &sending, alike).await? {
                    LookupResult::Found(found) => self.save_logged(key, *found).await,
                    LookupResult::Ambiguous => Err(ambiguous_match(&entry)),
                    LookupResult::Missing => Err(outcome_unknown(refusal)),
                }
            }
        }
    }

    /// Stores the id of the logged entry, then returns the entry.
    async fn save_logged(&self, key: IdempotencyKey, entry: TimeEntry) -> Result<TimeEntry, Refusal> {
        if self.store.bind(key, entry.id).await? {
            return Ok(entry);
        }
        // Another program that uses this store also sent an entry with identical content. It has assigned this entry to
        // its own attempt.
        Err(outcome_unknown(Refusal::new(Code::NetworkError, "The entry was logged together with an equal entry")))
    }

    async fn look_up(
        &self,
        entry: &NewEntry,
        sending: &SentAttempt,
        alike: Vec<TimeEntry>,
    ) -> Result<LookupResult, Refusal> {
        let ids: Vec<EntryId> = alike.iter().map(|entry| entry.id).collect();
        let taken = self.store.filter_settled(&ids).await?;
        let pending = self.store.pending_attempts().await?;
        let attempts = pending.iter().filter(|attempt| is_same_request(&attempt.entry, entry)).count();
        Ok(find_sent_entry(alike, sending, &taken, attempts))
    }

    /// Returns the user's entries at the API whose fields are all equal to the fields of `entry`.
    async fn find_equal_entries(&self, token: &Token, entry: &NewEntry) -> Result<Vec<TimeEntry>, Refusal> {
        let found = self.all_pages(token, |skip| filter::equal_entries_variables(entry, token.owner(), skip)).await?;
        let mut alike = found.ok_or_else(|| ambiguous_match(entry))?;
        alike.retain(|found| has_equal_fields(found, &to_time_entry(found.id, entry)));
        Ok(alike)
    }

    /// Replaces the stored request of a key if the new request differs.
    async fn restart_attempt(&self, key: IdempotencyKey, entry: &NewEntry, before: &NewEntry) -> Result<(), Refusal> {
        if entry != before {
            self.store.release(key).await?;
            self.store.begin(key, entry.clone()).await?;
        }
        Ok(())
    }

    /// Releases the key of an attempt that logged nothing, and returns the refusal.
    async fn release(&self, key: IdempotencyKey, refusal: Refusal) -> Result<TimeEntry, Refusal> {
        self.store.release(key).await?;
        Err(refusal)
    }
}

fn to_time_entry(id: EntryId, entry: &NewEntry) -> TimeEntry {
    TimeEntry::from_new(id, entry.clone(), Utc::now())
}

/// Whether two requests have the same content. Evidence isn't sent to the API, so it isn't compared.
fn is_same_request(one: &NewEntry, other: &NewEntry) -> bool {
    let id = EntryId::new();
    has_equal_fields(&to_time_entry(id, one), &to_time_entry(id, other))
}

fn outcome_unknown(refusal: Refusal) -> Refusal {
    let sentence = "The entry was sent, but the API does not list it yet, so it is unknown whether it was logged. Query \
                    the entries before you log it again";
    with_sentence(refusal, sentence)
}

fn still_pending(left: TimeDelta) -> Refusal {
    let message = format!(
        "The entry was sent before, and may still appear in the API. Try again in {} seconds: it is sent again only if it \
         is still missing",
        left.num_seconds() + 1
    );
    Refusal::new(Code::NetworkError, message)
}

fn ambiguous_match(entry: &NewEntry) -> Refusal {
    let message = format!(
        "The entry was sent, its response was lost, and the API has more equal entries than were sent from here. Check the \
         entries of {} on '{}', and log it again only if it is missing",
        entry.start_date, entry.project_code
    );
    Refusal::new(Code::NetworkError, message)
}

/// The maximum difference between the clocks of the API and of this machine, including the duration of an attempt.
const WINDOW: TimeDelta = TimeDelta::minutes(15);

/// The result of the search for a sent entry.
#[derive(Debug, PartialEq, Eq)]
enum LookupResult {
    /// The entry was logged.
    Found(Box<TimeEntry>),
    /// No entry matches.
    Missing,
    /// The matching entries may include an entry that was sent from another machine.
    Ambiguous,
}

/// Whether two entries have equal fields. Status, ids and timestamps are not compared. The order of tags is ignored,
/// because the API doesn't keep it.
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

/// Searches for the sent entry in `alike`, the entries at the API with identical content. The entries in `taken` were
/// logged under other keys. `attempts` is the number of pending attempts with identical content, including this one.
///
/// An entry is certainly the sent one if all of these conditions hold:
/// - It belongs to the user.
/// - It didn't exist before the sending.
/// - It wasn't logged under another key of this store.
/// - It was created after the sending, allowing for clock differences.
///
/// Entries with identical content are interchangeable: if two attempts with identical content are pending and one entry
/// is found, either attempt can get this entry. The result is ambiguous if there are more entries than attempts, or if
/// an entry was created too early or by another user. Another machine may then have logged an entry. A person has to
/// decide, because a wrong guess logs the entry twice or not at all.
fn find_sent_entry(
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
