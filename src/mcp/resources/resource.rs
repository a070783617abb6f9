//! What a resource is: an address, words for the client that chooses, its text, and what its text follows.

use std::{future::Future, pin::Pin};

use rmcp::model::{Annotations, CacheScope, Resource, Role};
use serde::Serialize;

use crate::{
    House,
    mcp::{errors::internal, freshness::TTL_MS, served::Served, tool::Respondent},
    question::{Error, Question, Room},
    timesheet::Asker,
};

/// What most texts are.
pub(super) const JSON: &str = "application/json";

/// What resources are made of: who answers questions, and which tools are served.
#[derive(Debug)]
pub(super) struct Material<'s, R> {
    pub(super) respondent: &'s R,
    pub(super) tools: &'s Served<R>,
    /// Who is at the other end.
    pub(super) asker: Asker,
}

impl<R: Respondent> Material<'_, R> {
    /// The answer to `question` as compact JSON.
    pub(super) async fn answer<Q: Question<Of: Room<House>> + 'static>(&self, question: Q) -> Result<String, Error> {
        json(&self.respondent.respond(question).await?)
    }
}

/// An answer as compact JSON.
pub(super) fn json(answer: &impl Serialize) -> Result<String, Error> {
    serde_json::to_string(answer).map_err(|_| internal())
}

/// What a resource's content follows: when that changes, so does the content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::mcp) enum Follows {
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

impl Follows {
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

pub(super) type Reading<'s> = Pin<Box<dyn Future<Output = Result<String, Error>> + Send + 's>>;

/// A resource of the inventory: what the list says, and how it is read.
#[derive(Debug)]
pub(super) struct ResourceEntry<R: 'static> {
    pub(super) definition: Resource,
    pub(super) follows: Follows,
    pub(super) size: fn(&Material<'_, R>) -> Option<u64>,
    pub(super) read: for<'s> fn(&'s Material<'s, R>) -> Reading<'s>,
}

impl<R: Respondent> ResourceEntry<R> {
    /// Creates a resource for `audience`, of a priority from 0 to 1. It is JSON unless `definition` has another type.
    pub(super) fn new(
        definition: Resource,
        audience: &[Role],
        priority: f32,
        follows: Follows,
        read: for<'s> fn(&'s Material<'s, R>) -> Reading<'s>,
    ) -> Self {
        let annotations = Annotations::default().with_audience(audience.to_vec()).with_priority(priority);
        let mut definition = definition.with_annotations(annotations);
        if definition.mime_type.is_none() {
            definition = definition.with_mime_type(JSON);
        }
        Self { definition, follows, size: |_| None, read }
    }
}
