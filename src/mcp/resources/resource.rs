//! The definition of a resource: its URI, its description for clients, its text, and the data on which the text
//! depends. Also creates the errors of reading a resource.

use std::{future::Future, pin::Pin};

use dayledger_mcp::errors::{internal_error, shorten};
use dayledger_mcp::{PROGRAM_TTL_MS, ServedTools};
use rmcp::ErrorData;
use rmcp::model::{Annotations, CacheScope, Resource, Role};
use serde::Serialize;

use crate::App;
use crate::mcp::history_handler::HistoryHandler;
use crate::notes::codes;
use crate::request::{Error, Request};
use crate::timesheet::CallSession;

/// The MIME type of most resources.
pub(super) const JSON: &str = "application/json";
/// The MIME type of a note.
pub(super) const MARKDOWN: &str = "text/markdown";

/// The context in which resources are read.
#[derive(Debug)]
pub(super) struct ReadContext<'s, R> {
    /// Runs the requests.
    pub(super) handler: &'s R,
    /// The tools of the server.
    pub(super) tools: &'s ServedTools<R>,
    /// The timesheet session of the client.
    pub(super) call_session: CallSession,
}

impl<R: HistoryHandler> ReadContext<'_, R> {
    /// Runs `request`, and returns its response as compact JSON.
    pub(super) async fn answer<Q: Request + 'static>(&self, request: Q) -> Result<String, Error>
    where
        App: AsRef<Q::Service>,
    {
        json(&self.handler.handle(request).await?)
    }
}

/// Returns `response` as compact JSON.
pub(super) fn json(response: &impl Serialize) -> Result<String, Error> {
    serde_json::to_string(response).map_err(|_| internal_error())
}

/// The data on which a resource's content depends. When the data changes, the content changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::mcp) enum ChangeSource {
    /// Only the program and its start-up flags: the content never changes while the process runs.
    Program,
    /// The client's own timesheet session. The client isn't notified of changes, because its own calls cause them.
    Session,
    /// The notes.
    Notes,
    /// Whether a readable history exists.
    File,
    /// The list of timelines.
    Timelines,
    /// The dates of all timelines.
    Dates,
    /// The dates of one timeline.
    DatesOf(i64),
}

impl ChangeSource {
    /// Returns how long a client may cache the content, in milliseconds.
    pub(super) fn ttl_ms(self) -> u64 {
        match self {
            Self::Program => PROGRAM_TTL_MS,
            Self::Session | Self::Notes => 0,
            Self::File | Self::Timelines | Self::Dates | Self::DatesOf(_) => 10_000,
        }
    }

    /// Returns the scope in which the content may be cached. Content from the history may be cached only for the user
    /// of the history.
    pub(super) fn scope(self) -> CacheScope {
        if self == Self::Program { CacheScope::Public } else { CacheScope::Private }
    }
}

pub(super) type ReadFuture<'s> = Pin<Box<dyn Future<Output = Result<String, Error>> + Send + 's>>;

/// A resource of the inventory: its definition for `resources/list`, and the function that reads it.
#[derive(Debug)]
pub(super) struct ResourceEntry<R: 'static> {
    pub(super) definition: Resource,
    pub(super) change_source: ChangeSource,
    pub(super) size: fn(&ReadContext<'_, R>) -> Option<u64>,
    pub(super) read: for<'s> fn(&'s ReadContext<'s, R>) -> ReadFuture<'s>,
}

impl<R: HistoryHandler> ResourceEntry<R> {
    /// Creates a resource for `audience`, with a priority from 0 to 1. Its MIME type is JSON, unless `definition` sets
    /// another type.
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

/// Returns the error for an unknown URI. The error's data contains the URI, as the protocol requires.
pub(in crate::mcp) fn not_found(uri: &str) -> ErrorData {
    ErrorData::resource_not_found(
        format!("unknown resource `{}`; resources/list and resources/templates/list list the resources", shorten(uri)),
        Some(serde_json::json!({ "uri": uri })),
    )
}

/// Converts a read failure to a protocol error, because a result of `resources/read` can't contain an error. The error
/// has the content that a tool's error would have.
pub(in crate::mcp) fn read_error(error: &Error) -> ErrorData {
    let (message, data) = (format!("{}; {}", error.message, error.hint), serde_json::to_value(error).ok());
    match error.code {
        codes::FILE_NOT_FOUND => ErrorData::resource_not_found(message, data),
        codes::INVALID_NOTE_ARGUMENT => ErrorData::invalid_params(message, data),
        _ => ErrorData::internal_error(message, data),
    }
}
