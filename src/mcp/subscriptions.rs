//! "Resource updated": who wants to hear of it, and the watch over the history and the notes while somebody does.
//!
//! One task looks at the dates of the timelines at an interval, for all subscribers together and only while there is
//! one; on an unchanged file a look reads no row. A subscriber hears of a resource when what it holds has changed: data
//! appeared, the range of dates grew, the history came or went. Everything here ends with the session.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex, PoisonError, Weak},
    time::Duration,
};

use rmcp::{Peer, RoleServer, model::ResourceUpdatedNotificationParam, service::SubscriptionContext};
use tokio::{
    sync::watch,
    time::{MissedTickBehavior, interval},
};
use tokio_util::sync::{CancellationToken, DropGuard};

use super::{
    resources::{Follows, Resources, note_path},
    tool::Respondent,
};
use crate::activity::{Extents, ExtentsRequest, Role, TimelineRange};
use crate::code::{Code, INTERNAL};
use crate::manictime::codes;
use crate::notes::{ChangesRequest, NoteChanges};

/// The subscriptions of one session.
#[derive(Debug)]
pub(super) struct Subscriptions<R: 'static> {
    resources: Arc<Resources<R>>,
    watch: Watch<R>,
    /// Those of versions with a handshake, by resource; each ends when its guard goes.
    by_uri: Mutex<BTreeMap<String, DropGuard>>,
}

impl<R: Respondent> Subscriptions<R> {
    /// No subscriptions to `resources` yet; the history is looked at every `interval` once there are some.
    pub(super) fn new(respondent: R, resources: Arc<Resources<R>>, interval: Duration) -> Self {
        Self { resources, watch: Watch { respondent, interval, current: Mutex::default() }, by_uri: Mutex::default() }
    }

    /// Tells `peer` of every update of the resource at `uri` until it is unsubscribed or the session ends. Returns when
    /// the state is known from which updates count; `false` where there is no such resource.
    pub(super) async fn subscribe(&self, uri: String, peer: Peer<RoleServer>) -> bool {
        let Some(subscription) = Subscription::of(uri.clone(), &self.resources) else { return false };
        let mut reader = self.watch.reader(std::slice::from_ref(&subscription)).await;
        // Of timelines only those that exist, so that nobody subscribes without end.
        let aspect = subscription.aspect(&reader.known);
        if matches!(subscription.follows, Follows::DatesOf(_)) && !matches!(aspect, Aspect::Dates(_)) {
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
            let wanted = [subscription];
            while let Some(updated) = reader.updated(&wanted).await {
                for uri in updated {
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
        let wanted: Vec<_> = uris.into_iter().filter_map(|uri| Subscription::of(uri, &self.resources)).collect();
        let telling = async {
            let mut reader = self.watch.reader(&wanted).await;
            while let Some(updated) = reader.updated(&wanted).await {
                for uri in updated {
                    if context.sink().notify_resource_updated(uri).await.is_err() {
                        return;
                    }
                }
            }
        };
        context.request_context().ct.run_until_cancelled(telling).await;
    }
}

/// A resource that somebody wants to hear of.
#[derive(Debug)]
struct Subscription {
    uri: String,
    follows: Follows,
}

impl Subscription {
    /// The subscription of that of `resources` at `uri`; `None` where there is none.
    fn of<R: Respondent>(uri: String, resources: &Resources<R>) -> Option<Self> {
        Some(Self { follows: resources.follows(&uri)?, uri })
    }

    /// The part of `seen` that the resource holds.
    fn aspect<'s>(&self, seen: &'s Seen) -> Aspect<'s> {
        if matches!(self.follows, Follows::Program | Follows::Session | Follows::Notes) {
            return Aspect::Constant;
        }
        let timelines = match seen {
            Ok(extents) => extents.timelines.as_slice(),
            Err(code) => return Aspect::Failure(*code),
        };
        match self.follows {
            Follows::Program | Follows::Session | Follows::Notes | Follows::File => Aspect::Constant,
            Follows::Timelines => {
                Aspect::Timelines(timelines.iter().map(|it| (it.timeline_id, it.role, it.device.as_str())).collect())
            }
            Follows::Dates => Aspect::Dates(timelines),
            Follows::DatesOf(id) => match timelines.iter().find(|timeline| timeline.timeline_id == id) {
                Some(one) => Aspect::Dates(std::slice::from_ref(one)),
                None => Aspect::Missing,
            },
        }
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

/// The watch over the history, which runs while it has readers.
#[derive(Debug)]
struct Watch<R> {
    respondent: R,
    interval: Duration,
    current: Mutex<Weak<Lookout>>,
}

/// A running watch; it stops when the last reader drops it.
#[derive(Debug)]
struct Lookout {
    seen: watch::Receiver<Option<Seen>>,
    _running: DropGuard,
}

/// What a look at the history shows.
type Seen = Result<Arc<Extents>, Code>;

impl<R: Respondent> Watch<R> {
    /// A reader that starts from the present state of the history, and of the notes where any are wanted.
    async fn reader(&self, wanted: &[Subscription]) -> Reader<R> {
        let lookout = self.lookout();
        let mut seen = lookout.seen.clone();
        // A watch that ended in a panic shows nothing new.
        let known = match seen.wait_for(Option::is_some).await {
            Ok(first) => first.clone(),
            Err(_) => None,
        };
        let mut notes = Notes(None);
        if wanted.iter().any(|it| it.follows == Follows::Notes) {
            notes = Notes::from_now_on(self.respondent.clone()).await;
        }
        Reader { known: known.unwrap_or(Err(INTERNAL)), seen, notes, _lookout: lookout }
    }

    fn lookout(&self) -> Arc<Lookout> {
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(running) = current.upgrade() {
            return running;
        }
        let (sender, seen) = watch::channel(None);
        let stop = CancellationToken::new();
        tokio::spawn(stop.clone().run_until_cancelled_owned(look(self.respondent.clone(), self.interval, sender)));
        let lookout = Arc::new(Lookout { seen, _running: stop.drop_guard() });
        *current = Arc::downgrade(&lookout);
        lookout
    }
}

/// Looks at the history for as long as it is not dropped.
async fn look<R: Respondent>(respondent: R, every: Duration, sender: watch::Sender<Option<Seen>>) {
    let mut ticks = interval(every);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        let now = match respondent.respond(ExtentsRequest).await {
            Ok(extents) => Ok(Arc::new(extents)),
            Err(error) => Err(error.code),
        };
        sender.send_if_modified(|seen| {
            // A file that is locked for a moment has not changed.
            let is_news = seen.as_ref() != Some(&now) && (seen.is_none() || now != Err(codes::DATABASE_BUSY));
            if is_news {
                *seen = Some(now);
            }
            is_news
        });
    }
}

/// Tells which resources have changed since it was last asked.
struct Reader<R> {
    known: Seen,
    seen: watch::Receiver<Option<Seen>>,
    notes: Notes<R>,
    _lookout: Arc<Lookout>,
}

/// Who is asked for the notes, and the state that is known of them; nothing where they are not wanted or cannot be watched.
struct Notes<R>(Option<(R, u64)>);

impl<R: Respondent> Notes<R> {
    async fn from_now_on(respondent: R) -> Self {
        match respondent.respond(ChangesRequest { after: None }).await {
            Ok(now) => Self(Some((respondent, now.state))),
            Err(error) => {
                tracing::debug!(code = error.code.as_str(), "notes are not watched");
                Self(None)
            }
        }
    }

    /// The next change. Who stops waiting misses none.
    async fn changed(&mut self) -> NoteChanges {
        if let Some((respondent, state)) = &mut self.0
            && let Ok(changes) = respondent.respond(ChangesRequest { after: Some(*state) }).await
        {
            *state = changes.state;
            return changes;
        }
        std::future::pending().await
    }
}

impl Subscription {
    /// Whether the resource shows notes of which some have changed.
    fn shows(&self, changes: &NoteChanges) -> bool {
        let is_of_note = |path: String| changes.may_be_more || changes.notes.contains(&path);
        self.follows == Follows::Notes && note_path(&self.uri).is_none_or(is_of_note)
    }
}

impl<R: Respondent> Reader<R> {
    /// Waits until a resource of `wanted` holds something else than before and returns the addresses of all that do;
    /// `None` when the watch is over.
    async fn updated(&mut self, wanted: &[Subscription]) -> Option<Vec<String>> {
        loop {
            let updated: Vec<String> = tokio::select! {
                changes = self.notes.changed() => {
                    wanted.iter().filter(|it| it.shows(&changes)).map(|it| it.uri.clone()).collect()
                }
                changed = self.seen.changed() => {
                    changed.ok()?;
                    let now = self.seen.borrow_and_update().clone()?;
                    let updated = wanted.iter().filter(|it| it.aspect(&self.known) != it.aspect(&now));
                    let updated = updated.map(|it| it.uri.clone()).collect();
                    self.known = now;
                    updated
                }
            };
            if !updated.is_empty() {
                return Some(updated);
            }
        }
    }
}
