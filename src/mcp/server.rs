//! The server as the protocol sees it: who it is, what it can do, and which part of `mcp` answers what.

use std::sync::Arc;

use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CacheScope, CallToolRequestParams, CallToolResponse, CompleteRequestParams, CompleteResult, CompletionInfo,
        DiscoverResult, GetPromptRequestParams, GetPromptResponse, Implementation, ListPromptsResult,
        ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams,
        ReadResourceRequestParams, ReadResourceResponse, ServerCapabilities, ServerConfig, SubscribeRequestParams,
        SubscriptionFilter, Tool, UnsubscribeRequestParams,
    },
    service::{RequestContext, SubscriptionContext},
};

use super::{
    apps, completion,
    errors::shorten,
    flow::{Flow, Lane, Limits},
    freshness::{RESOURCES_TTL_MS, TTL_MS},
    instructions::instructions,
    prompts,
    resources::{self, Resources},
    revision::Revision,
    roots::{self, Roots},
    selection::Selection,
    served::Served,
    subscriptions::Subscriptions,
    tool::{Caller, Effect, Entry, Respondent},
};
use crate::{engine::Progress, question::Error, screenshots::Allowed, timesheet::Asker};

/// Serves the inventories of tools, resources and prompts. Cheap to clone.
#[derive(Debug, Clone)]
pub(super) struct Server<R: 'static> {
    respondent: R,
    /// The selected tools; others do not exist for a client.
    tools: Arc<Served<R>>,
    /// Where the user lets tools write, beside the client's own roots.
    writable: Arc<[Allowed]>,
    /// Who is at the other end: its calls are of one session unless they name another.
    asker: Asker,
    flow: Flow,
    resources: Arc<Resources<R>>,
    subscriptions: Arc<Subscriptions<R>>,
}

impl<R: Respondent> Server<R> {
    /// A server of the selected tools, whose questions `respondent` answers.
    pub(super) fn new(respondent: R, selection: &Selection) -> Self {
        Self::within(Limits::default(), respondent, selection)
    }

    /// The same with times of its own.
    pub(super) fn within(limits: Limits, respondent: R, selection: &Selection) -> Self {
        let tools: Arc<Served<R>> = Arc::new(selection.served());
        let asker = Asker::new();
        let resources = Arc::new(Resources::new(Arc::clone(&tools), asker));
        Self {
            flow: Flow::new(limits),
            subscriptions: Arc::new(Subscriptions::new(respondent.clone(), Arc::clone(&resources), limits.look_every)),
            respondent,
            tools,
            writable: selection.writable().into(),
            asker,
            resources,
        }
    }

    /// What the calls of this server share with its connection.
    pub(super) fn flow(&self) -> &Flow {
        &self.flow
    }

    /// Runs what asks the history for the request of `context`, in the time and the turn that such requests have.
    ///
    /// # Errors
    /// Why it was stopped.
    async fn run<T, F>(
        &self,
        context: &RequestContext<RoleServer>,
        lane: Lane,
        work: impl FnOnce(R) -> F,
    ) -> Result<T, Error>
    where
        F: Future<Output = T>,
    {
        let progress = Progress::default();
        let work = work(self.respondent.watched_by(&progress));
        Ok(self.flow.run(context, lane, &progress, work).await?)
    }
}

/// Adds to a list for how long and for whom it may be kept, where the revision knows such hints.
macro_rules! with_cache_hints {
    ($list:expr, $ttl_ms:expr, $scope:expr, $revision:expr) => {{
        let list = $list;
        if $revision.knows_cache_hints() { list.with_ttl_ms($ttl_ms).with_cache_scope($scope) } else { list }
    }};
}

impl<R: Respondent> ServerHandler for Server<R> {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_resources()
            .enable_resources_subscribe()
            .enable_prompts()
            .enable_completions()
            .build();
        ServerConfig::new(capabilities)
            .with_server_info(
                Implementation::new("dayledger", env!("CARGO_PKG_VERSION")).with_title("dayledger: what did I do?"),
            )
            .with_instructions(instructions(|name| self.tools.find(name).is_some()))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.tools.find(name).map(|entry| entry.definition().clone())
    }

    async fn discover(&self, _context: RequestContext<RoleServer>) -> Result<DiscoverResult, ErrorData> {
        let versions = self.supported_protocol_versions().into_owned();
        let mut discovered = DiscoverResult::from_server_info(versions, self.get_info());
        discovered.ttl_ms = TTL_MS;
        discovered.cache_scope = CacheScope::Public;
        Ok(discovered)
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let revision = Revision::of(&context);
        let shows_apps = apps::are_shown_by(context.client_capabilities().as_ref());
        let listed = |entry: &Entry<R>| {
            let tool = revision.tool(entry.definition().clone());
            match entry.app().filter(|_| shows_apps) {
                Some(app) => app.shown_for(tool),
                None => tool,
            }
        };
        let list = ListToolsResult::with_all_items(self.tools.iter().map(listed).collect());
        // What names pages is for clients that show them.
        let scope = if shows_apps { CacheScope::Private } else { CacheScope::Public };
        Ok(with_cache_hints!(list, TTL_MS, scope, revision))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(entry) = self.tools.find(&request.name) else {
            return Err(ErrorData::invalid_params(
                format!("unknown tool `{}`; tools/list names those that exist", shorten(&request.name)),
                None,
            ));
        };
        let mut caller = Caller { writable: Vec::new(), asker: self.asker };
        if entry.effect() == Effect::Saves {
            match roots::of_client(&request, &context).await {
                Roots::Ask(question) => return Ok(question.into()),
                Roots::Known(folders) => caller.writable = folders,
            }
            caller.writable.extend_from_slice(&self.writable);
        }
        let arguments = request.arguments.unwrap_or_default();
        let outcome = self.run(&context, entry.lane(), |respondent| entry.call(respondent, caller, arguments)).await;
        Ok(Revision::of(&context).result(outcome.unwrap_or_else(|error| entry.failed(&error))).into())
    }

    async fn list_resources(
        &self,
        _request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let revision = Revision::of(&context);
        let all = self.resources.list(&self.respondent).await;
        let list = ListResourcesResult::with_all_items(all.into_iter().map(|it| revision.resource(it)).collect());
        // When the history was last written is one user's, and soon over.
        Ok(with_cache_hints!(list, RESOURCES_TTL_MS, CacheScope::Private, revision))
    }

    async fn list_resource_templates(
        &self,
        _request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let revision = Revision::of(&context);
        let templates = self.resources.templates().into_iter().map(|template| revision.template(template)).collect();
        let list = ListResourceTemplatesResult::with_all_items(templates);
        Ok(with_cache_hints!(list, TTL_MS, CacheScope::Public, revision))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let (uri, hints) = (&request.uri, Revision::of(&context).knows_cache_hints());
        let read = self.run(&context, Lane::Questions, |respondent| async move {
            self.resources.read(&respondent, uri, hints).await
        });
        Ok(read.await.map_err(|stopped| resources::failed(&stopped))??.into())
    }

    async fn list_prompts(
        &self,
        _request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        let revision = Revision::of(&context);
        let prompts = prompts::list(&self.tools.names()).into_iter().map(|prompt| revision.prompt(prompt)).collect();
        let list = ListPromptsResult::with_all_items(prompts);
        Ok(with_cache_hints!(list, TTL_MS, CacheScope::Public, revision))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        Ok(prompts::get(&request.name, request.arguments.unwrap_or_default(), &self.tools.names())?.into())
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        request_context: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        let CompleteRequestParams { r#ref, argument, context, .. } = &request;
        let completed = self.run(&request_context, Lane::Questions, |respondent| async move {
            completion::complete(&respondent, r#ref, argument, context.as_ref()).await
        });
        // Nobody waits for a completion that takes its time.
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
        let known = uris.filter(|uri| self.resources.follows(uri).is_some()).cloned();
        Some(SubscriptionFilter::builder().resource_subscriptions(known).build())
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        self.subscriptions.listen(&context).await;
        Ok(())
    }
}
