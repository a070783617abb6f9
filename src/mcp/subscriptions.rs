//! Notifies clients about changed resources ("resource updated").
//!
//! Each subscription to a resource that follows the history checks the dates of the timelines at an interval, only
//! while it is open. If the database hasn't changed, a check reads no rows. Subscribers are notified when the content
//! of a resource changed: data appeared, the range of dates grew, or the history became available or unavailable. Every
//! subscription ends with the session.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use rmcp::{Peer, RoleServer, model::ResourceUpdatedNotificationParam, service::SubscriptionContext};
use tokio::time::{Instant, Interval, MissedTickBehavior, interval_at};
use tokio_util::sync::{CancellationToken, DropGuard};

use super::{
    resources::{ChangeSource, Resources, note_path},
    tool::HistoryHandler,
};
use crate::activity::{HistoryBounds, HistoryBoundsRequest, Role, TimelineRange};
use crate::code::Code;
use crate::notes::{ChangesRequest, NoteChanges};
use crate::source::codes;

/// The subscriptions of one session.
#[derive(Debug)]
pub(super) struct Subscriptions<R: 'static> {
    handler: R,
    resources: Arc<Resources<R>>,
    /// The time from one look at the history to the next.
    interval: Duration,
    /// Those of versions with a handshake, by resource; each ends when its guard goes.
    by_uri: Mutex<BTreeMap<String, DropGuard>>,
}

impl<R: HistoryHandler> Subscriptions<R> {
    /// No subscriptions to `resources` yet; the history is looked at every `interval` once there are some.
    pub(super) fn new(handler: R, resources: Arc<Resources<R>>, interval: Duration) -> Self {
        Self { handler, resources, interval, by_uri: Mutex::default() }
    }

    /// Tells `peer` of every update of the resource at `uri` until it is unsubscribed or the session ends. Returns when
    /// the state is known from which updates count; `false` where there is no such resource.
    pub(super) async fn subscribe(&self, uri: String, peer: Peer<RoleServer>) -> bool {
        let Some(subscription) = Subscription::from_uri(uri.clone(), &self.resources) else { return false };
        let mut reader = self.reader(vec![subscription]).await;
        // Of timelines only those that exist, so that nobody subscribes without end.
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

    /// Ends the subscription of the resource at `uri`, where there is one.
    pub(super) fn unsubscribe(&self, uri: &str) {
        self.by_uri.lock().unwrap_or_else(PoisonError::into_inner).remove(uri);
    }

    /// Serves one `subscriptions/listen` until it is cancelled.
    pub(super) async fn listen(&self, context: &SubscriptionContext) {
        // Each once, however often the client names it.
        let uris: BTreeSet<_> = context.accepted().resource_subscriptions.iter().flatten().cloned().collect();
        let wanted: Vec<_> = uris.into_iter().filter_map(|uri| Subscription::from_uri(uri, &self.resources)).collect();
        let telling = async {
            let mut reader = self.reader(wanted).await;
            loop {
                for uri in reader.next_updates().await {
                    if context.sink().notify_resource_updated(uri).await.is_err() {
                        return;
                    }
                }
            }
        };
        context.request_context().ct.run_until_cancelled(telling).await;
    }

    /// Returns a reader of the `wanted` resources that starts from their present state.
    async fn reader(&self, subscriptions: Vec<Subscription>) -> Reader<R> {
        let observed = read_bounds(&self.handler).await;
        let mut notes = Notes(None);
        if subscriptions.iter().any(|it| it.change_source == ChangeSource::Notes) {
            notes = Notes::watch(self.handler.clone()).await;
        }
        let mut ticks = interval_at(Instant::now() + self.interval, self.interval);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        Reader { handler: self.handler.clone(), subscriptions, observed, ticks, notes }
    }
}

/// A resource that somebody wants to hear of.
#[derive(Debug)]
struct Subscription {
    uri: String,
    change_source: ChangeSource,
}

impl Subscription {
    /// The subscription of that of `resources` at `uri`; `None` where there is none.
    fn from_uri<R: HistoryHandler>(uri: String, resources: &Resources<R>) -> Option<Self> {
        Some(Self { change_source: resources.change_source(&uri)?, uri })
    }

    /// Whether the resource can change when the history does.
    fn follows_history(&self) -> bool {
        !matches!(self.change_source, ChangeSource::Program | ChangeSource::Session | ChangeSource::Notes)
    }

    /// The part of `seen` that the resource holds.
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

    /// Whether the resource shows notes of which some have changed.
    fn is_affected_by(&self, changes: &NoteChanges) -> bool {
        let is_of_note = |path: String| changes.may_be_more || changes.notes.contains(&path);
        self.change_source == ChangeSource::Notes && note_path(&self.uri).is_none_or(is_of_note)
    }
}

/// What a resource holds of what was seen.
#[derive(Debug, PartialEq)]
enum Aspect<'s> {
    /// Always the same.
    Constant,
    /// The history cannot be read.
    Failure(Code),
    /// Which timelines there are.
    Timelines(Vec<(i64, Role, &'s str)>),
    /// The dates of timelines.
    Dates(&'s [TimelineRange]),
    /// The history holds no such timeline.
    Missing,
}

/// What a look at the history shows.
type Observation = Result<HistoryBounds, Code>;

async fn read_bounds<R: HistoryHandler>(handler: &R) -> Observation {
    handler.handle(HistoryBoundsRequest).await.map_err(|error| error.code)
}

/// Reports which resources have changed since the last time.
struct Reader<R> {
    handler: R,
    subscriptions: Vec<Subscription>,
    observed: Observation,
    ticks: Interval,
    notes: Notes<R>,
}

/// Who is asked for the notes, and the state that is known of them; nothing where they are not wanted or cannot be watched.
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

    /// The next change. Who stops waiting misses none.
    async fn next_change(&mut self) -> NoteChanges {
        if let Some((handler, state)) = &mut self.0
            && let Ok(changes) = handler.handle(ChangesRequest { after: Some(*state) }).await
        {
            *state = changes.state;
            return changes;
        }
        std::future::pending().await
    }
}

impl<R: HistoryHandler> Reader<R> {
    /// Waits until a look at the history or a change of the notes, and returns the addresses of the resources that
    /// changed.
    async fn next_updates(&mut self) -> Vec<String> {
        let updated: Vec<&Subscription> = tokio::select! {
            changes = self.notes.next_change() => self.subscriptions.iter().filter(|it| it.is_affected_by(&changes)).collect(),
            _ = self.ticks.tick(), if self.subscriptions.iter().any(Subscription::follows_history) => {
                let now = read_bounds(&self.handler).await;
                // A file that is locked for a moment has not changed.
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
