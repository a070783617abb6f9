//! How the tools of a server are listed and called, whatever else it serves.

use std::sync::Arc;

use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{CacheScope, CallToolResponse, DiscoverResult, JsonObject, ListToolsResult, Tool},
    service::RequestContext,
};

use super::{
    errors::shorten,
    flow::{Flow, Lane, Limits},
    freshness::TTL_MS,
    revision::Revision,
    served::Served,
    tool::{Caller, Desk, Entry},
};
use crate::{engine::Progress, question::Error};

/// The tools of one server, and who answers them. Cheap to clone.
#[derive(Debug, Clone)]
pub(super) struct Calls<D: 'static> {
    pub(super) desk: D,
    /// The selected tools; others do not exist for a client.
    pub(super) tools: Arc<Served<D>>,
    flow: Flow,
}

/// Adds to a list for how long and for whom it may be kept, where the revision knows such hints.
macro_rules! with_cache_hints {
    ($list:expr, $ttl_ms:expr, $scope:expr, $revision:expr) => {{
        let list = $list;
        if $revision.knows_cache_hints() { list.with_ttl_ms($ttl_ms).with_cache_scope($scope) } else { list }
    }};
}
pub(super) use with_cache_hints;

/// What a server says of itself where there is no handshake.
pub(super) fn discovered(server: &impl ServerHandler) -> DiscoverResult {
    let versions = server.supported_protocol_versions().into_owned();
    let mut discovered = DiscoverResult::from_server_info(versions, server.get_info());
    discovered.ttl_ms = TTL_MS;
    discovered.cache_scope = CacheScope::Public;
    discovered
}

impl<D: Desk> Calls<D> {
    pub(super) fn new(limits: Limits, desk: D, tools: Arc<Served<D>>) -> Self {
        Self { desk, tools, flow: Flow::new(limits) }
    }

    /// What the calls share with the connection.
    pub(super) fn flow(&self) -> &Flow {
        &self.flow
    }

    /// What `tools/list` says, each tool as `listed` has it.
    pub(super) fn list(
        &self,
        revision: &Revision,
        scope: CacheScope,
        listed: impl Fn(&Entry<D>, Tool) -> Tool,
    ) -> ListToolsResult {
        let tools = self.tools.iter().map(|entry| listed(entry, revision.tool(entry.definition().clone())));
        with_cache_hints!(ListToolsResult::with_all_items(tools.collect()), TTL_MS, scope, revision)
    }

    /// The tool of that name.
    ///
    /// # Errors
    /// Where there is none.
    pub(super) fn tool(&self, name: &str) -> Result<&Entry<D>, ErrorData> {
        self.tools.find(name).ok_or_else(|| {
            let unknown = format!("unknown tool `{}`; tools/list names those that exist", shorten(name));
            ErrorData::invalid_params(unknown, None)
        })
    }

    /// What a tool answers.
    pub(super) async fn call(
        &self,
        context: &RequestContext<RoleServer>,
        entry: &Entry<D>,
        caller: Caller,
        arguments: Option<JsonObject>,
    ) -> CallToolResponse {
        let arguments = arguments.unwrap_or_default();
        let outcome = self.run(context, entry.lane(), |desk| entry.call(desk, caller, arguments)).await;
        Revision::of(context).result(outcome.unwrap_or_else(|error| entry.stopped(error))).into()
    }

    /// Runs what asks for the request of `context`, in the time and the turn that such requests have.
    ///
    /// # Errors
    /// Why it was stopped.
    pub(super) async fn run<T, F>(
        &self,
        context: &RequestContext<RoleServer>,
        lane: Lane,
        work: impl FnOnce(D) -> F,
    ) -> Result<T, Error>
    where
        F: Future<Output = T>,
    {
        let progress = Progress::default();
        let work = work(self.desk.watched_by(&progress));
        Ok(self.flow.run(context, lane, &progress, work).await?)
    }
}
