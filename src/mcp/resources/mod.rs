//! Resources: their list, their contents, and what each of them follows.
//!
//! A resource is the typed answer of a question as compact JSON, or text that is generated from the inventory of tools.
//! The list of resources is the same for the life of the process. Pages of `apps` are read here and are not in it: the
//! tools that have one name it.

mod config;
mod failure;
mod guide;
mod inventory;
mod note_file;
mod one_timeline;
mod resource;
mod screenshot;

use std::sync::Arc;

use chrono::{DateTime, Utc};
use rmcp::{
    ErrorData,
    model::{CacheScope, ReadResourceResult, Resource, ResourceContents, ResourceTemplate},
};

pub(super) use failure::{failed, not_found};
use inventory::inventory;
pub(super) use note_file::path as note_path;
pub(super) use one_timeline::TEMPLATE as TIMELINE_TEMPLATE;
use one_timeline::timeline_id;
pub(super) use resource::Follows;
use resource::{JSON, Material, ResourceEntry};
pub(super) use screenshot::FULL_SIZE;

use super::{
    apps::App, calls::with_cache_hints, freshness::TTL_MS, served::Served, tool::Respondent, toolset::Toolset,
};
use crate::activity::{LocationRequest, codes};
use crate::timesheet::Asker;

/// The resources of a server.
#[derive(Debug)]
pub(super) struct Resources<R: 'static> {
    fixed: Vec<ResourceEntry<R>>,
    /// The tools that are served.
    tools: Arc<Served<R>>,
    /// When the server started: what depends on the program alone has not changed since.
    started: DateTime<Utc>,
    /// Who is at the other end.
    asker: Asker,
}

impl<R: Respondent> Resources<R> {
    /// The resources of a server of `tools` that starts now, for whom `asker` is.
    pub(super) fn new(tools: Arc<Served<R>>, asker: Asker) -> Self {
        Self { fixed: inventory(&tools), tools, started: Utc::now(), asker }
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
        let note = || self.note(uri).map(|_| Follows::Notes);
        let app = || self.app(uri).map(|_| Follows::Program);
        fixed.or_else(|| timeline_id(uri).map(Follows::DatesOf)).or_else(note).or_else(app)
    }

    /// Reads the resource at `uri`, with cache hints if the client's revision `has_hints`.
    ///
    /// # Errors
    /// `resource_not_found`, and an internal error with code, message and hint where the history cannot be read.
    pub(super) async fn read(
        &self,
        respondent: &R,
        uri: &str,
        has_hints: bool,
    ) -> Result<ReadResourceResult, ErrorData> {
        let material = self.material(respondent);
        // A resource shows no more than the tools.
        if let Some(wanted) = screenshot::wanted(uri).filter(|_| self.tools.has(Toolset::Screenshots)) {
            let result = screenshot::read(&material, uri, wanted).await?;
            return Ok(with_cache_hints!(result, TTL_MS, CacheScope::Private, has_hints));
        }
        let (contents, follows) = match self.app(uri) {
            Some(app) => (app.contents(&self.tools.names()), Follows::Program),
            None => self.text(&material, uri).await?,
        };
        let result = ReadResourceResult::new(vec![contents]);
        Ok(with_cache_hints!(result, follows.ttl_ms(), follows.scope(), has_hints))
    }

    /// The text at `uri`, and what it follows.
    async fn text(&self, material: &Material<'_, R>, uri: &str) -> Result<(ResourceContents, Follows), ErrorData> {
        let (text, mime_type, follows) = if let Some(entry) = self.find(uri) {
            let text = (entry.read)(material).await.map_err(|error| failed(&error))?;
            (text, entry.definition.mime_type.as_deref().unwrap_or_default(), entry.follows)
        } else if let Some(id) = timeline_id(uri) {
            let text = one_timeline::read(material, id).await.map_err(|error| match error.code {
                codes::UNKNOWN_TIMELINE => not_found(uri),
                _ => failed(&error),
            })?;
            (text, JSON, Follows::DatesOf(id))
        } else if let Some(path) = self.note(uri) {
            let text = note_file::read(material, path).await.map_err(|error| failed(&error))?;
            (text, note_file::MARKDOWN, Follows::Notes)
        } else {
            return Err(not_found(uri));
        };
        Ok((ResourceContents::text(text, uri).with_mime_type(mime_type), follows))
    }

    /// What `resources/templates/list` says.
    pub(super) fn templates(&self) -> Vec<ResourceTemplate> {
        let screenshot = self.tools.has(Toolset::Screenshots).then(screenshot::template);
        let note = self.tools.has(Toolset::Notes).then(note_file::template);
        std::iter::once(one_timeline::template()).chain(screenshot).chain(note).collect()
    }

    /// The path of the note that `uri` leads to, where notes are served.
    fn note(&self, uri: &str) -> Option<String> {
        note_file::path(uri).filter(|_| self.tools.has(Toolset::Notes))
    }

    /// The page at `uri`, where a tool is served that has it.
    fn app(&self, uri: &str) -> Option<App> {
        App::at(uri).filter(|app| self.tools.iter().any(|entry| entry.app() == Some(*app)))
    }

    fn find(&self, uri: &str) -> Option<&ResourceEntry<R>> {
        self.fixed.iter().find(|entry| entry.definition.uri == uri)
    }

    fn material<'s>(&'s self, respondent: &'s R) -> Material<'s, R> {
        Material { respondent, tools: &self.tools, asker: self.asker }
    }
}
