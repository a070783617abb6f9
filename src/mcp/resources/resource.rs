//! What a resource is: an address, words for the client that chooses, its text, and what its text follows.

use std::{future::Future, pin::Pin};

use rmcp::model::{Annotations, CacheScope, Resource, Role};
use serde::Serialize;

use crate::{
    App,
    mcp::{cache_ttl::TTL_MS, errors::internal_error, served_tools::ServedTools, tool::HistoryHandler},
    request::{Error, Request},
    timesheet::CallSession,
};

/// What most texts are.
pub(super) const JSON: &str = "application/json";

/// What resources are made of: who answers questions, and which tools are served.
#[derive(Debug)]
pub(super) struct ReadContext<'s, R> {
    pub(super) handler: &'s R,
    pub(super) tools: &'s ServedTools<R>,
    /// Who is at the other end.
    pub(super) call_session: CallSession,
}

impl<R: HistoryHandler> ReadContext<'_, R> {
    /// The answer to `question` as compact JSON.
    pub(super) async fn answer<Q: Request + 'static>(&self, question: Q) -> Result<String, Error>
    where
        App: AsRef<Q::Service>,
    {
        json(&self.handler.handle(question).await?)
    }
}

/// An answer as compact JSON.
pub(super) fn json(answer: &impl Serialize) -> Result<String, Error> {
    serde_json::to_string(answer).map_err(|_| internal_error())
}

/// What a resource's content follows: when that changes, so does the content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::mcp) enum ChangeSource {
    /// The program and its start-up flags alone: nothing changes in the life of the process.
    Program,
    /// What was asked in the session of the client itself, who is told of nothing.
    Session,
    /// The notes.
    Notes,
    /// Whether there is a history that can be read.
    File,
    /// Which timelines there are.
    Timelines,
    /// The dates of all timelines.
    Dates,
    /// The dates of one timeline.
    DatesOf(i64),
}

impl ChangeSource {
    /// How long a client may keep the content; milliseconds.
    pub(super) fn ttl_ms(self) -> u64 {
        match self {
            Self::Program => TTL_MS,
            Self::Session | Self::Notes => 0,
            Self::File | Self::Timelines | Self::Dates | Self::DatesOf(_) => 10_000,
        }
    }

    /// Who may keep the content: what the history says is one user's.
    pub(super) fn scope(self) -> CacheScope {
        if self == Self::Program { CacheScope::Public } else { CacheScope::Private }
    }
}

pub(super) type ReadFuture<'s> = Pin<Box<dyn Future<Output = Result<String, Error>> + Send + 's>>;

/// A resource of the inventory: what the list says, and how it is read.
#[derive(Debug)]
pub(super) struct ResourceEntry<R: 'static> {
    pub(super) definition: Resource,
    pub(super) change_source: ChangeSource,
    pub(super) size: fn(&ReadContext<'_, R>) -> Option<u64>,
    pub(super) read: for<'s> fn(&'s ReadContext<'s, R>) -> ReadFuture<'s>,
}

impl<R: HistoryHandler> ResourceEntry<R> {
    /// Creates a resource for `audience`, of a priority from 0 to 1. It is JSON unless `definition` has another type.
    pub(super) fn new(
        definition: Resource,
        audience: &[Role],
        priority: f32,
        change_source: ChangeSource,
        read: for<'s> fn(&'s ReadContext<'s, R>) -> ReadFuture<'s>,
    ) -> Self {
        let annotations = Annotations::default().with_audience(audience.to_vec()).with_priority(priority);
        let mut definition = definition.with_annotations(annotations);
        if definition.mime_type.is_none() {
            definition = definition.with_mime_type(JSON);
        }
        Self { definition, change_source, size: |_| None, read }
    }
}
