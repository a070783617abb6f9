//! Logging of an entry exactly once, through an API without idempotency keys.
//!
//! An attempt can be interrupted after each of these steps: the key is stored; the entry is checked for overlaps; the
//! equal entries that already exist are stored with the user's id; the entry is sent; its id is stored under the key;
//! the caller gets the result. A retry with the same key finds the last completed step. Before the entry was sent,
//! nothing was logged. Afterwards, the API is searched for it ([`find_sent_entry`]). An entry that isn't found may still
//! be on its way, so it isn't sent again until the waiting time has passed.

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

    /// Sends an attempt for the first time.
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

    /// Checks the result of an earlier attempt, and sends it again only if it logged nothing.
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

    /// Sends an entry and determines the outcome.
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
        // Another program with this store claimed the entry for an equal one of its own.
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

    /// Returns the API's entries that are equal in every field.
    async fn find_equal_entries(&self, token: &Token, entry: &NewEntry) -> Result<Vec<TimeEntry>, Refusal> {
        let found = self.all_pages(token, |skip| filter::equal_entries_variables(entry, token.owner(), skip)).await?;
        let mut alike = found.ok_or_else(|| ambiguous_match(entry))?;
        alike.retain(|found| has_equal_fields(found, &to_time_entry(found.id, entry)));
        Ok(alike)
    }

    /// Replaces the stored request of a key with the current one.
    async fn restart_attempt(&self, key: IdempotencyKey, entry: &NewEntry, before: &NewEntry) -> Result<(), Refusal> {
        if entry != before {
            self.store.release(key).await?;
            self.store.begin(key, entry.clone()).await?;
        }
        Ok(())
    }

    /// Releases the key of an attempt that logged nothing.
    async fn release(&self, key: IdempotencyKey, refusal: Refusal) -> Result<TimeEntry, Refusal> {
        self.store.release(key).await?;
        Err(refusal)
    }
}

fn to_time_entry(id: EntryId, entry: &NewEntry) -> TimeEntry {
    TimeEntry::from_new(id, entry.clone(), Utc::now())
}

/// Whether two requests are equal. Evidence isn't sent, so it is ignored.
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

/// The maximum difference between the API's and this machine's clock, including the duration of an attempt.
const WINDOW: TimeDelta = TimeDelta::minutes(15);

/// The result of a search at the API.
#[derive(Debug, PartialEq, Eq)]
enum LookupResult {
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
///
/// A found entry is the sent one if it belongs to the user, is equal in every field, didn't exist before the sending,
/// wasn't logged under another key of this store, and was created at about that time. Equal entries don't need to be
/// distinguished: if two equal attempts are pending and one entry is found, either can have it. If there are more
/// entries than attempts, or one was created at another time, they may come from another machine. A person has to
/// decide then, because a wrong guess logs the entry twice or not at all.
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
