//! Notifies clients about changed resources ("resource updated").
//!
//! While a client subscribes to a resource that depends on the history, the server checks the dates of the timelines at
//! regular intervals. If the database hasn't changed, a check reads no rows. Subscribers are notified when a resource's
//! content changed: data appeared, the range of dates grew, or the history became available or unavailable. Every
//! subscription ends with the session.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rmcp::{Peer, RoleServer, model::ResourceUpdatedNotificationParam, service::SubscriptionContext};
use tokio::time::{Instant, Interval, MissedTickBehavior, interval_at};
use tokio_util::sync::{CancellationToken, DropGuard};

use super::history_handler::HistoryHandler;
use super::resources::{ChangeSource, Resources, note_path};
use crate::activity::{HistoryBounds, HistoryBoundsRequest, Role, TimelineRange};
use crate::code::Code;
use crate::notes::{ChangesRequest, NoteChanges};
use crate::source::codes;

/// The subscriptions of one session.
#[derive(Debug)]
pub(super) struct Subscriptions<R: 'static> {
    handler: R,
    resources: Arc<Resources<R>>,
    /// The time between two checks of the history.
    interval: Duration,
    /// The subscriptions of clients whose protocol version has a handshake, by the resource's URI. A subscription ends
    /// when its guard is dropped.
    by_uri: Mutex<BTreeMap<String, DropGuard>>,
}

impl<R: HistoryHandler> Subscriptions<R> {
    /// Creates an empty list of subscriptions to `resources`. While there are subscriptions, the history is checked
    /// every `interval`.
    pub(super) fn new(handler: R, resources: Arc<Resources<R>>, interval: Duration) -> Self {
        Self { handler, resources, interval, by_uri: Mutex::default() }
    }

    /// Notifies `peer` about every change of the resource at `uri`, until the client unsubscribes or the session ends.
    /// Returns after the first check. Later checks are compared with the first one. Returns `false` if the resource
    /// doesn't exist.
    pub(super) async fn subscribe(&self, uri: String, peer: Peer<RoleServer>) -> bool {
        let Some(subscription) = Subscription::from_uri(uri.clone(), &self.resources) else { return false };
        let mut reader = self.reader(vec![subscription]).await;
        // Only existing timelines can be subscribed to. Otherwise a client could subscribe to any number of resources.
        let is_missing = |it: &Subscription| {
            matches!(it.change_source, ChangeSource::DatesOf(_))
                && !matches!(it.aspect(&reader.observed), Aspect::Dates(_))
        };
        if reader.subscriptions.iter().any(is_missing) {
            return false;
        }
        let stop = CancellationToken::new();
        let stopped = stop.clone();
        let mut by_uri = self.by_uri.lock().unwrap_or_else(PoisonError::into_inner);
        // The first check ran without the lock, because the lock can't be held across an await. Another request may
        // have subscribed in the meantime.
        if by_uri.contains_key(&uri) {
            return true;
        }
        by_uri.insert(uri, stop.drop_guard());
        drop(by_uri);
        tokio::spawn(stopped.run_until_cancelled_owned(async move {
            loop {
                for uri in reader.next_updates().await {
                    if peer.notify_resource_updated(ResourceUpdatedNotificationParam::new(uri)).await.is_err() {
                        return;
                    }
                }
            }
        }));
        true
    }

    /// Ends the subscription of the resource at `uri`, if it exists.
    pub(super) fn unsubscribe(&self, uri: &str) {
        self.by_uri.lock().unwrap_or_else(PoisonError::into_inner).remove(uri);
    }

    /// Serves one `subscriptions/listen` request until it is cancelled.
    pub(super) async fn listen(&self, context: &SubscriptionContext) {
        // The URIs are in a set, so that a resource has only one subscription if the client lists it twice.
        let uris: BTreeSet<_> = context.accepted().resource_subscriptions.iter().flatten().cloned().collect();
        let wanted: Vec<_> = uris.into_iter().filter_map(|uri| Subscription::from_uri(uri, &self.resources)).collect();
        let notify = async {
            let mut reader = self.reader(wanted).await;
            loop {
                for uri in reader.next_updates().await {
                    if context.sink().notify_resource_updated(uri).await.is_err() {
                        return;
                    }
                }
            }
        };
        context.request_context().ct.run_until_cancelled(notify).await;
    }

    /// Returns a reader that reports changes of the `subscriptions` from now on.
    async fn reader(&self, subscriptions: Vec<Subscription>) -> Reader<R> {
        let observed = read_bounds(&self.handler).await;
        let mut notes = Notes(None);
        if subscriptions.iter().any(|it| it.change_source == ChangeSource::Notes) {
            notes = Notes::watch(self.handler.clone()).await;
        }
        // The first tick of `interval` would be immediate, but the state has just been read.
        let mut ticks = interval_at(Instant::now() + self.interval, self.interval);
        // By default, ticks that were missed while the computer slept would all follow immediately, each with a check.
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        Reader { handler: self.handler.clone(), subscriptions, observed, ticks, notes }
    }
}

/// A subscribed resource.
#[derive(Debug)]
struct Subscription {
    uri: String,
    change_source: ChangeSource,
}

impl Subscription {
    /// Subscribes to the resource at `uri`. Returns `None` if the resource doesn't exist.
    fn from_uri<R: HistoryHandler>(uri: String, resources: &Resources<R>) -> Option<Self> {
        Some(Self { change_source: resources.change_source(&uri)?, uri })
    }

    /// Whether the content of the resource depends on the history.
    fn follows_history(&self) -> bool {
        !matches!(self.change_source, ChangeSource::Program | ChangeSource::Session | ChangeSource::Notes)
    }

    /// Returns the part of `seen` on which the content of the resource depends.
    fn aspect<'s>(&self, seen: &'s Observation) -> Aspect<'s> {
        match (self.change_source, seen) {
            (ChangeSource::Program | ChangeSource::Session | ChangeSource::Notes, _) | (ChangeSource::File, Ok(_)) => {
                Aspect::Constant
            }
            (_, Err(code)) => Aspect::Failure(*code),
            (ChangeSource::Timelines, Ok(HistoryBounds { timelines })) => {
                Aspect::Timelines(timelines.iter().map(|it| (it.timeline_id, it.role, it.device.as_str())).collect())
            }
            (ChangeSource::Dates, Ok(HistoryBounds { timelines })) => Aspect::Dates(timelines),
            (ChangeSource::DatesOf(id), Ok(HistoryBounds { timelines })) => {
                let one = timelines.iter().find(|timeline| timeline.timeline_id == id);
                one.map_or(Aspect::Missing, |one| Aspect::Dates(std::slice::from_ref(one)))
            }
        }
    }

    /// Whether the content of the resource depends on a changed note.
    fn is_affected_by(&self, changes: &NoteChanges) -> bool {
        let is_of_note = |path: String| changes.may_be_more || changes.notes.contains(&path);
        self.change_source == ChangeSource::Notes && note_path(&self.uri).is_none_or(is_of_note)
    }
}

/// The part of an observation on which a resource depends.
#[derive(Debug, PartialEq)]
enum Aspect<'s> {
    /// The resource doesn't depend on the history.
    Constant,
    /// The history can't be read.
    Failure(Code),
    /// The list of timelines.
    Timelines(Vec<(i64, Role, &'s str)>),
    /// The dates of timelines.
    Dates(&'s [TimelineRange]),
    /// The timeline of the resource doesn't exist.
    Missing,
}

/// The result of a check of the history.
type Observation = Result<HistoryBounds, Code>;

async fn read_bounds<R: HistoryHandler>(handler: &R) -> Observation {
    handler.handle(HistoryBoundsRequest).await.map_err(|error| error.code)
}

/// Checks the history and the notes, and returns the resources that have changed since the last check.
struct Reader<R> {
    handler: R,
    subscriptions: Vec<Subscription>,
    observed: Observation,
    ticks: Interval,
    notes: Notes<R>,
}

/// The handler for the notes, and the last known state of the notes. `None` if the client subscribes to no notes, or if
/// the notes can't be watched.
struct Notes<R>(Option<(R, u64)>);

impl<R: HistoryHandler> Notes<R> {
    async fn watch(handler: R) -> Self {
        match handler.handle(ChangesRequest { after: None }).await {
            Ok(now) => Self(Some((handler, now.state))),
            Err(error) => {
                tracing::debug!(code = error.code.as_str(), "notes are not watched");
                Self(None)
            }
        }
    }

    /// Waits for the next change. Cancel-safe: if the future is dropped, a later call returns the change.
    async fn next_change(&mut self) -> NoteChanges {
        if let Some((handler, state)) = &mut self.0
            && let Ok(changes) = handler.handle(ChangesRequest { after: Some(*state) }).await
        {
            *state = changes.state;
            return changes;
        }
        // If no notes are watched, this branch of `select!` must never finish.
        std::future::pending().await
    }
}

impl<R: HistoryHandler> Reader<R> {
    /// Waits until the next check of the history or the next change of the notes. Returns the URIs of the resources
    /// that have changed.
    async fn next_updates(&mut self) -> Vec<String> {
        let updated: Vec<&Subscription> = tokio::select! {
            changes = self.notes.next_change() => self.subscriptions.iter().filter(|it| it.is_affected_by(&changes)).collect(),
            _ = self.ticks.tick(), if self.subscriptions.iter().any(Subscription::follows_history) => {
                let now = read_bounds(&self.handler).await;
                // A locked database doesn't count as a change, because the lock lasts only a short time.
                if now == Err(codes::DATABASE_BUSY) {
                    return Vec::new();
                }
                let before = std::mem::replace(&mut self.observed, now);
                self.subscriptions.iter().filter(|it| it.aspect(&before) != it.aspect(&self.observed)).collect()
            }
        };
        updated.into_iter().map(|it| it.uri.clone()).collect()
    }
}
