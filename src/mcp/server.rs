//! Implements the server interface of the protocol library: identity, capabilities, and the dispatch of requests to the
//! modules of `mcp`.

use std::sync::Arc;

use dayledger_mcp::errors::shorten;
use dayledger_mcp::{
    Caller, Calls, Effect, Lane, Limits, PROGRAM_TTL_MS, RequestHandler, ToolEntry, Toolset, discover_result,
    has_cache_hints, with_cache_hints,
};
use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CompleteRequestParams, CompleteResult, CompletionInfo,
    DiscoverResult, GetPromptRequestParams, GetPromptResponse, GetSkillRequestParams, GetSkillResult,
    ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult, ListSkillsResult, ListToolsResult,
    PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse, Reference, ServerCapabilities,
    ServerConfig, SubscribeRequestParams, SubscriptionFilter, Tool, UnsubscribeRequestParams,
};
use rmcp::service::{RequestContext, SubscriptionContext};
use rmcp::{ErrorData, RoleServer, ServerHandler};

use super::apps::{self, McpApp};
use super::history_handler::HistoryHandler;
use super::identity;
use super::instructions::instructions;
use super::prompts::CompletionSource;
use super::resources::{self, Resources};
use super::roots::{self, Roots};
use super::selection::Selection;
use super::subscriptions::Subscriptions;
use super::{completion, confirmation, prompts};
use crate::screenshots::AllowedDirectory;
use crate::timesheet::{CallSession, WorkDoneRequest};

/// How long a client may cache the list of resources, in milliseconds. The list contains the time of the last write to
/// the history, so the list can't be cached for a longer time.
const RESOURCES_TTL_MS: u64 = 60_000;

/// A server of tools, resources and prompts. Cheap to clone.
#[derive(Debug, Clone)]
pub(super) struct Server<R: 'static> {
    /// The tools, and the handler that runs their requests.
    pub(super) calls: Calls<R>,
    /// The folders in which the user lets tools write, in addition to the client's roots.
    writable: Arc<[AllowedDirectory]>,
    /// The timesheet session of the connection. A call uses this session unless the call passes another session.
    call_session: CallSession,
    resources: Arc<Resources<R>>,
    subscriptions: Arc<Subscriptions<R>>,
}

/// Returns a description of the work of a notes tool, such as `Processed note: Kickoff`. The description comes from the
/// tool's response.
fn work_done<D: RequestHandler>(entry: &ToolEntry<D>, response: &CallToolResponse) -> Option<String> {
    let CallToolResponse::Complete(result) = response else { return None };
    let text = result.content.first()?.as_text().filter(|_| entry.toolset() == Toolset::Notes)?;
    text.text.lines().next().filter(|line| line.starts_with("Processed note: ")).map(str::to_owned)
}

impl<R: HistoryHandler> Server<R> {
    /// Returns a server of the selected tools. `handler` runs their requests.
    pub(super) fn new(handler: R, selection: &Selection) -> Self {
        Self::with_limits(Limits::default(), handler, selection)
    }

    /// Returns a server with these time limits instead of the default ones.
    pub(super) fn with_limits(limits: Limits, handler: R, selection: &Selection) -> Self {
        let mut calls = Calls::new(limits, handler, Arc::new(selection.served_tools()));
        calls.structured_only = selection.structured_only();
        let call_session = CallSession::new();
        let resources = Arc::new(Resources::new(Arc::clone(&calls.tools), call_session));
        let subscriptions = Subscriptions::new(calls.handler.clone(), Arc::clone(&resources), limits.poll_interval);
        Self {
            calls,
            writable: selection.writable().into(),
            call_session,
            resources,
            subscriptions: Arc::new(subscriptions),
        }
    }

    /// Returns the kind of values that complete an argument of a prompt, or a variable of a resource template.
    ///
    /// # Errors
    /// `invalid_params` if the prompt, the template or the argument doesn't exist.
    fn completion_source(&self, reference: &Reference, argument: &str) -> Result<CompletionSource, ErrorData> {
        let source = match reference.as_prompt_name() {
            Some(name) => prompts::completion_source(name, argument)?,
            None => self.resources.completion_source(reference.as_resource_uri().unwrap_or_default(), argument)?,
        };
        // A client without tools for the activity must not learn the names in it.
        let is_withheld = source == CompletionSource::Name && !self.calls.tools.has_toolset(Toolset::Activity);
        Ok(if is_withheld { CompletionSource::Nothing } else { source })
    }
}

impl<R: HistoryHandler> ServerHandler for Server<R> {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_resources()
            .enable_resources_subscribe()
            .enable_prompts()
            .enable_completions();
        let has_skills = !self.resources.skills().is_empty();
        let capabilities = if has_skills { capabilities.enable_skills() } else { capabilities }.build();
        ServerConfig::new(capabilities)
            .with_server_info(identity::implementation())
            .with_instructions(instructions(|name| self.calls.tools.find(name).is_some()))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.calls.tools.find(name).map(|entry| entry.definition().clone())
    }

    async fn discover(&self, _context: RequestContext<RoleServer>) -> Result<DiscoverResult, ErrorData> {
        Ok(discover_result(self))
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let shows_apps = apps::is_supported_by(context.client_capabilities().as_ref());
        // If tools link to pages, the list is only valid for clients that show pages.
        let scope = if shows_apps { CacheScope::Private } else { CacheScope::Public };
        Ok(self.calls.list(&context, scope, |entry, tool| {
            match entry.app().and_then(McpApp::from_uri).filter(|_| shows_apps) {
                Some(app) => app.attach_to(tool),
                None => tool,
            }
        }))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let entry = self.calls.tool(&request.name)?;
        let mut caller = Caller { writable: Vec::new(), call_session: self.call_session };
        if entry.effect() == Effect::Saves {
            // A client may stop responding after the end of its input, so the request for roots is cancelled then.
            let roots = self.calls.flow.closing().run_until_cancelled(roots::client_roots(&request, &context)).await;
            match roots {
                Some(Roots::Request(input_required)) => return Ok(input_required.into()),
                Some(Roots::Known(folders)) => caller.writable = folders,
                None => {}
            }
            caller.writable.extend_from_slice(&self.writable);
        }
        let response = confirmation::call(&self.calls, &context, entry, caller, request).await;
        if let Some(work) = work_done(entry, &response).filter(|_| self.calls.tools.has_toolset(Toolset::Timesheet)) {
            // The note was processed, so the call succeeds even if the description can't be added to the session.
            let _ =
                self.calls.handler.handle(WorkDoneRequest { call_session: self.call_session, description: work }).await;
        }
        Ok(response)
    }

    async fn list_resources(
        &self,
        _request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let list = ListResourcesResult::with_all_items(self.resources.list(&self.calls.handler).await);
        // Only this client may cache the list, because the list contains private data: the time of the last write to
        // the history.
        Ok(with_cache_hints!(list, RESOURCES_TTL_MS, CacheScope::Private, has_cache_hints(&context)))
    }

    async fn list_resource_templates(
        &self,
        _request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let list = ListResourceTemplatesResult::with_all_items(self.resources.templates());
        Ok(with_cache_hints!(list, PROGRAM_TTL_MS, CacheScope::Public, has_cache_hints(&context)))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let (uri, hints) = (&request.uri, has_cache_hints(&context));
        let read = self
            .calls
            .run(&context, Lane::Requests, |handler| async move { self.resources.read(&handler, uri, hints).await });
        Ok(read.await.map_err(|stopped| resources::read_error(&stopped))??.into())
    }

    async fn list_skills(
        &self,
        _request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListSkillsResult, ErrorData> {
        let list = ListSkillsResult::with_all_items(self.resources.skills());
        Ok(with_cache_hints!(list, PROGRAM_TTL_MS, CacheScope::Public, has_cache_hints(&context)))
    }

    async fn get_skill(
        &self,
        request: GetSkillRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetSkillResult, ErrorData> {
        let skill = self.resources.skill(&request.uri).ok_or_else(|| {
            let unknown = format!("unknown skill `{}`; skills/list lists the skills", shorten(&request.uri));
            ErrorData::invalid_params(unknown, None)
        })?;
        let result = GetSkillResult::new(skill);
        Ok(with_cache_hints!(result, PROGRAM_TTL_MS, CacheScope::Public, has_cache_hints(&context)))
    }

    async fn list_prompts(
        &self,
        _request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        let list = ListPromptsResult::with_all_items(prompts::list(&self.calls.tools.names()));
        Ok(with_cache_hints!(list, PROGRAM_TTL_MS, CacheScope::Public, has_cache_hints(&context)))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        Ok(prompts::get(&request.name, request.arguments.unwrap_or_default(), &self.calls.tools.names())?.into())
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        request_context: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        let CompleteRequestParams { r#ref, argument, context, .. } = &request;
        let source = self.completion_source(r#ref, &argument.name)?;
        let completed = self.calls.run(&request_context, Lane::Requests, |handler| async move {
            completion::complete(&handler, source, argument, context.as_ref()).await
        });
        // A completion is useful only while the user types. If computing it takes too long, the completion is therefore
        // empty.
        Ok(CompleteResult::new(completed.await.unwrap_or_else(|_| Ok(CompletionInfo::default()))?))
    }

    async fn subscribe(
        &self,
        request: SubscribeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        if self.subscriptions.subscribe(request.uri.clone(), context.peer).await {
            Ok(())
        } else {
            Err(resources::not_found(&request.uri))
        }
    }

    async fn unsubscribe(
        &self,
        request: UnsubscribeRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.subscriptions.unsubscribe(&request.uri);
        Ok(())
    }

    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        let uris = requested.resource_subscriptions.iter().flatten();
        let known = uris.filter(|uri| self.resources.change_source(uri).is_some()).cloned();
        Some(SubscriptionFilter::builder().resource_subscriptions(known).build())
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        self.calls.flow.closing().run_until_cancelled(self.subscriptions.listen(&context)).await;
        Ok(())
    }
}
