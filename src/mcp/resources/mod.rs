//! The inventory of resources: one file each. Whatever lists, reads or watches resources reads it.
//!
//! A resource is the typed answer of a question as compact JSON, or text that is generated from the inventory of tools.
//! The list of resources is the same for the life of the process.

mod config;
mod data_range;
mod environment;
mod guide;
mod health;
mod one_timeline;
mod screenshot;
mod timelines;

use std::{future::Future, pin::Pin, sync::Arc};

use chrono::{DateTime, Utc};
use rmcp::{
    ErrorData,
    model::{Annotations, CacheScope, ReadResourceResult, Resource, ResourceContents, ResourceTemplate, Role},
};
use serde::Serialize;

pub(super) use one_timeline::TEMPLATE as TIMELINE_TEMPLATE;
use one_timeline::timeline_id;
pub(super) use screenshot::FULL_SIZE;

use super::{
    errors::{ErrorCode, ToolError, shorten},
    selection::Toolset,
    tool::{Entry, Respondent},
};
use crate::activity::{self, LocationRequest, Question};

/// How long a client may keep the list: its entries never change, but they tell when the history was last written.
pub(super) const LIST_TTL_MS: u64 = 60_000;

const JSON: &str = "application/json";

/// The longest address, in bytes, that an error repeats whole.
const REPEATED_BYTES: usize = 1000;

/// What resources are made of: who answers questions, and which tools are served.
#[derive(Debug)]
struct Material<'s, R> {
    respondent: &'s R,
    tools: &'s [Entry<R>],
}

impl<R: Respondent> Material<'_, R> {
    /// The answer to `question` as compact JSON.
    async fn answer<Q: Question + 'static>(&self, question: Q) -> Result<String, ToolError> {
        json(&self.respondent.respond(question).await?)
    }
}

fn json(answer: &impl Serialize) -> Result<String, ToolError> {
    serde_json::to_string(answer).map_err(|_| ToolError::internal())
}

/// What a resource's content follows: when that changes, so does the content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Follows {
    /// The program and its start-up flags alone: nothing changes in the life of the process.
    Program,
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
    fn ttl_ms(self) -> u64 {
        if self == Self::Program { super::server::TTL_MS } else { 10_000 }
    }

    /// Who may keep the content: what the history says is one user's.
    fn scope(self) -> CacheScope {
        if self == Self::Program { CacheScope::Public } else { CacheScope::Private }
    }
}

/// A resource with a fixed URI; everything about it stands together in one file of `resources/`.
trait SharedResource: 'static {
    /// Its address.
    const URI: &'static str;
    /// Name in the protocol.
    const NAME: &'static str;
    /// Name for a person.
    const TITLE: &'static str;
    /// What it holds and when to read it.
    const DESCRIPTION: &'static str;
    /// What its text is.
    const MIME_TYPE: &'static str = JSON;
    /// Whom it is for.
    const AUDIENCE: &'static [Role];
    /// How much a client should want it, from 0 to 1.
    const PRIORITY: f32;
    /// When it changes.
    const FOLLOWS: Follows;

    /// Its text.
    fn read<R: Respondent>(material: &Material<'_, R>) -> impl Future<Output = Result<String, ToolError>> + Send;

    /// Its length in bytes, where that is known without asking the history.
    fn size<R: Respondent>(_material: &Material<'_, R>) -> Option<u64> {
        None
    }
}

type Reading<'s> = Pin<Box<dyn Future<Output = Result<String, ToolError>> + Send + 's>>;

/// A resource of the inventory: what the list says, and how it is read.
#[derive(Debug)]
struct ResourceEntry<R: 'static> {
    definition: Resource,
    follows: Follows,
    size: fn(&Material<'_, R>) -> Option<u64>,
    read: for<'s> fn(&'s Material<'s, R>) -> Reading<'s>,
}

impl<R: Respondent> ResourceEntry<R> {
    fn of<T: SharedResource>() -> Self {
        let annotations = Annotations::default().with_audience(T::AUDIENCE.to_vec()).with_priority(T::PRIORITY);
        let definition = Resource::new(T::URI, T::NAME)
            .with_title(T::TITLE)
            .with_description(T::DESCRIPTION)
            .with_mime_type(T::MIME_TYPE)
            .with_annotations(annotations);
        Self { definition, follows: T::FOLLOWS, size: |from| T::size(from), read: |from| Box::pin(T::read(from)) }
    }
}

/// All resources with a fixed URI, in the order of the list: the one to begin with comes first.
fn inventory<R: Respondent>() -> Vec<ResourceEntry<R>> {
    vec![
        ResourceEntry::of::<guide::Guide>(),
        ResourceEntry::of::<data_range::DataRange>(),
        ResourceEntry::of::<timelines::Timelines>(),
        ResourceEntry::of::<health::Health>(),
        ResourceEntry::of::<environment::Environment>(),
        ResourceEntry::of::<config::Config>(),
    ]
}

/// The resources of a server.
#[derive(Debug)]
pub(super) struct Resources<R: 'static> {
    fixed: Vec<ResourceEntry<R>>,
    /// The tools that are served.
    tools: Arc<[Entry<R>]>,
    /// When the server started: what depends on the program alone has not changed since.
    started: DateTime<Utc>,
}

impl<R: Respondent> Resources<R> {
    /// The resources of a server of `tools` that starts now.
    pub(super) fn new(tools: Arc<[Entry<R>]>) -> Self {
        Self { fixed: inventory(), tools, started: Utc::now() }
    }

    /// What `resources/list` says. Looks at the history's file and does not open it.
    pub(super) async fn list(&self, respondent: &R) -> Vec<Resource> {
        let location = respondent.respond(LocationRequest).await.ok();
        let written = location.and_then(|location| location.modified?.parse::<DateTime<Utc>>().ok());
        let material = self.material(respondent);
        let resource = |entry: &ResourceEntry<R>| {
            let mut resource = entry.definition.clone();
            resource.size = (entry.size)(&material);
            let modified = if entry.follows == Follows::Program { Some(self.started) } else { written };
            if let Some(modified) = modified {
                resource.annotations = resource.annotations.map(|annotations| annotations.with_timestamp(modified));
            }
            resource
        };
        self.fixed.iter().map(resource).collect()
    }

    /// What the resource at `uri` follows; `None` where there is none. Whether a timeline exists is not looked up.
    pub(super) fn follows(&self, uri: &str) -> Option<Follows> {
        let fixed = self.find(uri).map(|entry| entry.follows);
        fixed.or_else(|| timeline_id(uri).map(Follows::DatesOf))
    }

    /// Reads the resource at `uri`; `with_cache_hints` where the client's version knows them.
    ///
    /// # Errors
    /// `resource_not_found`, and an internal error with code, message and hint where the history cannot be read.
    pub(super) async fn read(
        &self,
        respondent: &R,
        uri: &str,
        with_cache_hints: bool,
    ) -> Result<ReadResourceResult, ErrorData> {
        let material = self.material(respondent);
        if let Some(wanted) = screenshot::wanted(uri).filter(|_| self.shows_screenshots()) {
            let result = screenshot::read(&material, uri, wanted).await?;
            let lasts = |result: ReadResourceResult| {
                result.with_ttl_ms(super::server::TTL_MS).with_cache_scope(CacheScope::Private)
            };
            return Ok(if with_cache_hints { lasts(result) } else { result });
        }
        let (text, mime_type, follows) = if let Some(entry) = self.find(uri) {
            let text = (entry.read)(&material).await.map_err(|error| failed(&error))?;
            (text, entry.definition.mime_type.as_deref().unwrap_or_default(), entry.follows)
        } else if let Some(id) = timeline_id(uri) {
            let text = one_timeline::read(&material, id).await.map_err(|error| match error.code {
                ErrorCode::UnknownTimeline => not_found(uri),
                _ => failed(&error),
            })?;
            (text, JSON, Follows::DatesOf(id))
        } else {
            return Err(not_found(uri));
        };
        let result = ReadResourceResult::new(vec![ResourceContents::text(text, uri).with_mime_type(mime_type)]);
        Ok(if with_cache_hints {
            result.with_ttl_ms(follows.ttl_ms()).with_cache_scope(follows.scope())
        } else {
            result
        })
    }

    /// What `resources/templates/list` says.
    pub(super) fn templates(&self) -> Vec<ResourceTemplate> {
        let screenshot = self.shows_screenshots().then(screenshot::template);
        std::iter::once(one_timeline::template()).chain(screenshot).collect()
    }

    /// Whether the user lets screenshots be shown at all: a resource shows no more than the tools.
    fn shows_screenshots(&self) -> bool {
        self.tools.iter().any(|tool| tool.toolset() == Toolset::Screenshots)
    }

    fn find(&self, uri: &str) -> Option<&ResourceEntry<R>> {
        self.fixed.iter().find(|entry| entry.definition.uri == uri)
    }

    fn material<'s>(&'s self, respondent: &'s R) -> Material<'s, R> {
        Material { respondent, tools: &self.tools }
    }
}

/// The error for an address that leads nowhere. Its data repeats the address whole, as the protocol asks, unless that
/// would return a flood to whoever sends one.
pub(super) fn not_found(uri: &str) -> ErrorData {
    let repeated = if uri.len() <= REPEATED_BYTES { uri.into() } else { shorten(uri) };
    ErrorData::resource_not_found(
        format!(
            "unknown resource `{}`; resources/list and resources/templates/list name those that exist",
            shorten(uri)
        ),
        Some(serde_json::json!({ "uri": repeated })),
    )
}

/// There is no result that carries a failure to read, so the protocol's error says what a tool's error would.
pub(super) fn failed(error: &ToolError) -> ErrorData {
    ErrorData::internal_error(format!("{}; {}", error.message, error.hint), serde_json::to_value(error).ok())
}

/// The question's failure as a state to report, or as an error of the program.
fn state(error: activity::Error) -> Result<crate::engine::Error, ToolError> {
    match error {
        activity::Error::Engine(error) => Ok(error),
        error => Err(error.into()),
    }
}
