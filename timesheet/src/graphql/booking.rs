//! Booking an entry once, at an API that has no way to say "once".
//!
//! The steps of an attempt, each of which may be its last: the key is kept; the entry is held against those that it may
//! overlap with; the entries that equal it already are read and kept as known, with who asks; the entry is sent; its id is
//! kept under the key; the caller is told. Whoever comes back with the key finds out which step that was: before the
//! sending nothing was booked, after it the API is looked at ([`super::recognition`]). What is not found may still be on
//! its way, so that nothing is sent again before the time for that is over.

use std::collections::BTreeSet;

use chrono::{TimeDelta, Utc};

use super::operations::{Booking, LogTime, log_time};
use super::recognition::{Recognition, is_alike, recognise};
use super::token::Token;
use super::wire::Failure;
use super::{Inner, filter, form, with_sentence};
use crate::book::{Attempt, Sending};
use crate::entry::{NewEntry, TimeEntry};
use crate::id::{EntryId, LocalKey};
use crate::refusal::{Code, Refusal};
use crate::rules::Overlaps;

impl Inner {
    pub(super) async fn log(&self, key: LocalKey, entry: NewEntry, overlaps: Overlaps) -> Result<TimeEntry, Refusal> {
        form::check_new(&entry)?;
        let _one = self.booking.lock().await;
        let attempt = self.book.begin(key, entry.clone()).await?;
        let token = match (self.tokens.token().await, &attempt) {
            (Ok(token), _) => token,
            (Err(refusal), Attempt::New) => return self.released(key, refusal).await,
            (Err(refusal), _) => return Err(refusal),
        };
        match attempt {
            Attempt::Booked(id) => self.found(&token, id).await,
            Attempt::New => self.send_first(&token, key, entry, overlaps).await,
            Attempt::Unknown(before) => match self.book.sending(key).await? {
                None => {
                    self.begin_again(key, &entry, &before).await?;
                    self.send_first(&token, key, entry, overlaps).await
                }
                Some(sending) => self.resume(&token, key, entry, overlaps, *before, sending).await,
            },
        }
    }

    /// Sends an attempt of which nothing was sent.
    async fn send_first(
        &self,
        token: &Token,
        key: LocalKey,
        entry: NewEntry,
        overlaps: Overlaps,
    ) -> Result<TimeEntry, Refusal> {
        if let Err(refusal) = self.check_overlaps(token, &entry, overlaps).await {
            return self.released(key, refusal).await;
        }
        let known = match self.alike(token, &entry).await {
            Ok(alike) => alike.iter().map(|entry| entry.id).collect(),
            Err(refusal) => return self.released(key, refusal).await,
        };
        self.send(token, key, entry, known).await
    }

    /// Looks what an attempt has done that was sent before, and sends it again only where that is nothing.
    async fn resume(
        &self,
        token: &Token,
        key: LocalKey,
        entry: NewEntry,
        overlaps: Overlaps,
        before: NewEntry,
        sending: Sending,
    ) -> Result<TimeEntry, Refusal> {
        if sending.owner.as_deref() != Some(token.owner()) {
            let message = "The attempt to book this was made as another user, who alone sees whether it succeeded. Run \
                           `az login` as that user";
            return Err(Refusal::new(Code::AuthenticationError, message));
        }
        let alike = self.alike(token, &before).await?;
        match self.recognised(&before, &sending, alike.clone()).await? {
            Recognition::Booked(found) => self.bound(key, *found).await,
            Recognition::Ambiguous => Err(ambiguous(&before)),
            Recognition::Nothing => {
                let settling = TimeDelta::from_std(self.settling).unwrap_or(TimeDelta::MAX);
                let left = sending.sent_at + settling - Utc::now();
                if left > TimeDelta::zero() {
                    return Err(on_its_way(left));
                }
                if entry == before {
                    if let Err(refusal) = self.check_overlaps(token, &entry, overlaps).await {
                        return self.released(key, refusal).await;
                    }
                    let known = alike.iter().map(|entry| entry.id).collect();
                    return self.send(token, key, entry, known).await;
                }
                self.begin_again(key, &entry, &before).await?;
                self.send_first(token, key, entry, overlaps).await
            }
        }
    }

    /// Sends an entry, and says what became of it.
    async fn send(
        &self,
        token: &Token,
        key: LocalKey,
        entry: NewEntry,
        known: BTreeSet<EntryId>,
    ) -> Result<TimeEntry, Refusal> {
        let sending = Sending { owner: Some(token.owner().to_owned()), known, sent_at: Utc::now() };
        self.book.put_sending(key, sending.clone()).await?;
        let variables = log_time::Variables { input: (&entry).into() };
        match self.wire.ask::<LogTime>(token, variables).await {
            Ok(data) => self.bound(key, LogTime::entry(data)).await,
            Err(Failure::NotSent(refusal)) => self.released(key, refusal).await,
            Err(Failure::Refused(refusal)) => {
                self.book.release(key).await?;
                Err(self.explained(token, refusal).await)
            }
            Err(Failure::Broken(refusal) | Failure::Unclear(refusal)) => {
                let Ok(alike) = self.alike(token, &entry).await else { return Err(unknown(refusal)) };
                match self.recognised(&entry, &sending, alike).await? {
                    Recognition::Booked(found) => self.bound(key, *found).await,
                    Recognition::Ambiguous => Err(ambiguous(&entry)),
                    Recognition::Nothing => Err(unknown(refusal)),
                }
            }
        }
    }

    /// Keeps what was booked, then tells it.
    async fn bound(&self, key: LocalKey, entry: TimeEntry) -> Result<TimeEntry, Refusal> {
        if self.book.bind(key, entry.id).await? {
            return Ok(entry);
        }
        // Another program with this book took the entry for an equal one of its own.
        Err(unknown(Refusal::new(Code::NetworkError, "The entry was booked together with another that equals it")))
    }

    async fn recognised(
        &self,
        entry: &NewEntry,
        sending: &Sending,
        alike: Vec<TimeEntry>,
    ) -> Result<Recognition, Refusal> {
        let ids: Vec<EntryId> = alike.iter().map(|entry| entry.id).collect();
        let taken = self.book.settled(&ids).await?;
        let pending = self.book.pending().await?;
        let attempts = pending.iter().filter(|attempt| is_the_same(&attempt.entry, entry)).count();
        Ok(recognise(alike, sending, &taken, attempts))
    }

    /// The entries of the API that equal one in every field.
    async fn alike(&self, token: &Token, entry: &NewEntry) -> Result<Vec<TimeEntry>, Refusal> {
        let found = self.every(token, |skip| filter::alike(entry, token.owner(), skip)).await?;
        let mut alike = found.ok_or_else(|| ambiguous(entry))?;
        alike.retain(|found| is_alike(found, &as_booked(found.id, entry)));
        Ok(alike)
    }

    /// Keeps what is asked for now in the place of what was asked for with the same key.
    async fn begin_again(&self, key: LocalKey, entry: &NewEntry, before: &NewEntry) -> Result<(), Refusal> {
        if entry != before {
            self.book.release(key).await?;
            self.book.begin(key, entry.clone()).await?;
        }
        Ok(())
    }

    /// Nothing was booked: the key can be used again.
    async fn released(&self, key: LocalKey, refusal: Refusal) -> Result<TimeEntry, Refusal> {
        self.book.release(key).await?;
        Err(refusal)
    }
}

fn as_booked(id: EntryId, entry: &NewEntry) -> TimeEntry {
    TimeEntry::booked(id, entry.clone(), Utc::now())
}

/// Evidence, which is not sent, makes no difference.
fn is_the_same(one: &NewEntry, other: &NewEntry) -> bool {
    let id = EntryId::new();
    is_alike(&as_booked(id, one), &as_booked(id, other))
}

fn unknown(refusal: Refusal) -> Refusal {
    let sentence = "The entry was sent, and is not to be found at the API so far: whether it will be booked is not known. \
                    Before it is logged anew, look for it with a query";
    with_sentence(refusal, sentence)
}

fn on_its_way(left: TimeDelta) -> Refusal {
    let message = format!(
        "The entry was sent before, and may still turn up at the API. Ask again in {} seconds: then it is looked for once \
         more, and sent again only if it is not there",
        left.num_seconds() + 1
    );
    Refusal::new(Code::NetworkError, message)
}

fn ambiguous(entry: &NewEntry) -> Refusal {
    let message = format!(
        "The entry was sent, its answer was lost, and the API has more entries like it than were sent from here: look at \
         those of {} on '{}', and log it anew only if it is not among them",
        entry.start_date, entry.project_code
    );
    Refusal::new(Code::NetworkError, message)
}
