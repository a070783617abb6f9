//! Lists and reads resources, and determines the data on which each resource depends. The module `inventory` lists all
//! resources.
//!
//! A resource is the response of a request as compact JSON, or text that is generated from the list of tools. The list
//! of resources never changes while the process runs. Pages of `apps` can be read here but aren't listed, because tools
//! link to their pages. The files of skills aren't listed either, because the list of skills contains them.

mod config;
mod guide;
mod inventory;
mod resource;
mod skills;
mod templates;

use std::sync::Arc;

use chrono::{DateTime, Utc};
use dayledger_mcp::errors::shorten;
use dayledger_mcp::{PROGRAM_TTL_MS, ServedTools, Toolset, with_cache_hints};
use rmcp::ErrorData;
use rmcp::model::{CacheScope, ReadResourceResult, Resource, ResourceContents, ResourceTemplate, Skill};

use inventory::inventory;
pub(super) use resource::{ChangeSource, not_found, read_error};
use resource::{JSON, MARKDOWN, ReadContext, ResourceEntry};
use skills::{ServedSkill, served_skills};
pub(super) use templates::{FULL_SIZE, note_path};
#[cfg(test)]
pub(super) use templates::{NOTE_TEMPLATE, TIMELINE_TEMPLATE};

use super::apps::McpApp;
use super::history_handler::HistoryHandler;
use super::prompts::CompletionSource;
use crate::activity::{LocationRequest, TimelineRequest, codes};
use crate::timesheet::CallSession;

/// The resources of a server.
#[derive(Debug)]
pub(super) struct Resources<R: 'static> {
    fixed: Vec<ResourceEntry<R>>,
    skills: Vec<ServedSkill>,
    /// The served tools.
    tools: Arc<ServedTools<R>>,
    /// The time at which the server started. If content depends only on the program, this is its modification time.
    started: DateTime<Utc>,
    /// The timesheet session of the client.
    call_session: CallSession,
}

impl<R: HistoryHandler> Resources<R> {
    /// Creates the resources of a server that offers `tools` and starts now. `call_session` is the client's timesheet
    /// session.
    pub(super) fn new(tools: Arc<ServedTools<R>>, call_session: CallSession) -> Self {
        Self { fixed: inventory(&tools), skills: served_skills(&tools), tools, started: Utc::now(), call_session }
    }

    /// Returns the response to `resources/list`. Reads the modification time of the history's file, but doesn't open
    /// the history.
    pub(super) async fn list(&self, handler: &R) -> Vec<Resource> {
        let location = handler.handle(LocationRequest).await.ok();
        let written = location.and_then(|location| location.modified?.parse::<DateTime<Utc>>().ok());
        let context = self.read_context(handler);
        let resource = |entry: &ResourceEntry<R>| {
            let mut resource = entry.definition.clone();
            resource.size = (entry.size)(&context);
            let modified = if entry.change_source == ChangeSource::Program { Some(self.started) } else { written };
            if let Some(modified) = modified {
                resource.annotations = resource.annotations.map(|annotations| annotations.with_timestamp(modified));
            }
            resource
        };
        self.fixed.iter().map(resource).collect()
    }

    /// Returns the data on which the resource at `uri` depends, or `None` if the URI is unknown. Doesn't check whether
    /// a timeline exists.
    pub(super) fn change_source(&self, uri: &str) -> Option<ChangeSource> {
        let fixed = self.find(uri).map(|entry| entry.change_source);
        let note = || self.note(uri).map(|_| ChangeSource::Notes);
        let app = || self.app(uri).map(|_| ChangeSource::Program);
        let skill = || self.find_skill(uri).map(|_| ChangeSource::Program);
        let timeline = || templates::timeline_id(uri).map(ChangeSource::DatesOf);
        fixed.or_else(timeline).or_else(note).or_else(app).or_else(skill)
    }

    /// Reads the resource at `uri`. Adds cache hints if the client's protocol version supports cache hints
    /// (`has_hints`).
    ///
    /// # Errors
    /// Fails with `resource_not_found`. If the history can't be read, fails with an internal error that contains a
    /// code, a message and a hint.
    pub(super) async fn read(&self, handler: &R, uri: &str, has_hints: bool) -> Result<ReadResourceResult, ErrorData> {
        let context = self.read_context(handler);
        // If the server doesn't offer the screenshot tools, screenshots can't be read as resources either.
        if let Some(request) =
            templates::parse_screenshot_uri(uri).filter(|_| self.tools.has_toolset(Toolset::Screenshots))
        {
            let result = templates::read_screenshot(&context, uri, request).await?;
            return Ok(with_cache_hints!(result, PROGRAM_TTL_MS, CacheScope::Private, has_hints));
        }
        let (contents, change_source) = match self.app(uri) {
            Some(app) => (app.contents(&self.tools.names()), ChangeSource::Program),
            None => self.text(&context, uri).await?,
        };
        let result = ReadResourceResult::new(vec![contents]);
        Ok(with_cache_hints!(result, change_source.ttl_ms(), change_source.scope(), has_hints))
    }

    /// Returns the text at `uri`, and the data on which the text depends.
    async fn text(
        &self,
        context: &ReadContext<'_, R>,
        uri: &str,
    ) -> Result<(ResourceContents, ChangeSource), ErrorData> {
        let (text, mime_type, change_source) = if let Some(entry) = self.find(uri) {
            let text = (entry.read)(context).await.map_err(|error| read_error(&error))?;
            (text, entry.definition.mime_type.as_deref().unwrap_or_default(), entry.change_source)
        } else if let Some(timeline_id) = templates::timeline_id(uri) {
            let read = context.answer(TimelineRequest { timeline_id }).await;
            let text = read.map_err(|error| match error.code {
                codes::UNKNOWN_TIMELINE => not_found(uri),
                _ => read_error(&error),
            })?;
            (text, JSON, ChangeSource::DatesOf(timeline_id))
        } else if let Some(path) = self.note(uri) {
            let text = templates::read_note(context, path).await.map_err(|error| read_error(&error))?;
            (text, MARKDOWN, ChangeSource::Notes)
        } else if let Some(skill) = self.find_skill(uri) {
            (skill.text.clone(), MARKDOWN, ChangeSource::Program)
        } else {
            return Err(not_found(uri));
        };
        Ok((ResourceContents::text(text, uri).with_mime_type(mime_type), change_source))
    }

    /// Returns the response to `skills/list`.
    pub(super) fn skills(&self) -> Vec<Skill> {
        self.skills.iter().map(|skill| skill.definition.clone()).collect()
    }

    /// Returns the response to `skills/get`, or `None` if the server doesn't offer a skill at `uri`.
    pub(super) fn skill(&self, uri: &str) -> Option<Skill> {
        self.find_skill(uri).map(|skill| skill.definition.clone())
    }

    /// Returns the response to `resources/templates/list`.
    pub(super) fn templates(&self) -> Vec<ResourceTemplate> {
        let screenshot = self.tools.has_toolset(Toolset::Screenshots).then(templates::screenshot_template);
        let note = self.tools.has_toolset(Toolset::Notes).then(templates::note_template);
        std::iter::once(templates::timeline_template()).chain(screenshot).chain(note).collect()
    }

    /// Returns the kind of values that complete `variable` of the URI template `template`.
    ///
    /// # Errors
    /// `invalid_params` if the server doesn't offer the template, or if the template doesn't have the variable.
    pub(super) fn completion_source(&self, template: &str, variable: &str) -> Result<CompletionSource, ErrorData> {
        let is_offered = self.templates().iter().any(|offered| offered.uri_template == template);
        if !is_offered {
            let text =
                format!("unknown template `{}`; resources/templates/list lists the templates", shorten(template));
            return Err(ErrorData::invalid_params(text, None));
        }
        let variables = templates::variables(template);
        let found = variables.iter().find(|(name, _)| *name == variable);
        found.map(|(_, source)| *source).ok_or_else(|| {
            let names: Vec<_> = variables.iter().map(|(name, _)| format!("`{name}`")).collect();
            let text =
                format!("unknown variable `{}` of the template; it contains {}", shorten(variable), names.join(", "));
            ErrorData::invalid_params(text, None)
        })
    }

    /// Returns the path of the note in `uri`, or `None` if the server doesn't offer notes.
    fn note(&self, uri: &str) -> Option<String> {
        note_path(uri).filter(|_| self.tools.has_toolset(Toolset::Notes))
    }

    /// Returns the page at `uri`, or `None` if the server doesn't offer a tool with that page.
    fn app(&self, uri: &str) -> Option<McpApp> {
        McpApp::from_uri(uri).filter(|app| self.tools.entries().any(|entry| entry.app() == Some(app.uri())))
    }

    fn find_skill(&self, uri: &str) -> Option<&ServedSkill> {
        self.skills.iter().find(|skill| skill.definition.uri == uri)
    }

    fn find(&self, uri: &str) -> Option<&ResourceEntry<R>> {
        self.fixed.iter().find(|entry| entry.definition.uri == uri)
    }

    fn read_context<'s>(&'s self, handler: &'s R) -> ReadContext<'s, R> {
        ReadContext { handler, tools: &self.tools, call_session: self.call_session }
    }
}
