//! The server as the protocol sees it: who it is, what it can do, which tools it lists and calls.

use std::sync::{Arc, LazyLock};

use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CacheScope, CallToolRequestParams, CallToolResponse, DiscoverResult, Implementation, ListToolsResult,
        PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
    },
    service::RequestContext,
};

use super::{
    errors::shorten,
    tool::{Entry, Respondent},
    tools::inventory,
};

/// How long a client may keep what the server says of itself: it changes only with the program.
const TTL_MS: u64 = 60 * 60 * 1000;

/// What a model reads before its first call.
const INSTRUCTIONS: &str = "\
Answers what was done on this computer, from its ManicTime history; local and read-only. \
Start with get_daily_summary (one day) or get_period_summary (up to 31 days); get_activity_narrative tells what was \
done when in any range. \
Dates are local, without offset, ends exclusive: startDate 2025-01-15 alone is that day, 2025-W03 that week; today, \
last week and last 7 days work too. \
`timeBasis` names the kind of time: active (computer in use; narrative, summaries) or recorded (goes on while the user \
is away; usage, tags, activities). Never mix the two. \
Totals in an answer are authoritative, do not add up rows; `truncation` and `diagnostics` say what is missing; \
pass `truncation.nextCursor` as `cursor` for the rest.";

/// Serves the inventory of tools. Cheap to clone.
#[derive(Debug, Clone)]
pub(super) struct Server<R> {
    respondent: R,
    /// Made at first use: the start of the server does not wait for schemas.
    inventory: Arc<LazyLock<Vec<Entry<R>>>>,
}

impl<R: Respondent> Server<R> {
    /// A server whose questions `respondent` answers.
    pub(super) fn new(respondent: R) -> Self {
        Self { respondent, inventory: Arc::new(LazyLock::new(inventory::<R>)) }
    }

    fn find(&self, name: &str) -> Option<&Entry<R>> {
        self.inventory.iter().find(|entry| entry.definition().name == name)
    }
}

impl<R: Respondent> ServerHandler for Server<R> {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(
                Implementation::new("dayledger", env!("CARGO_PKG_VERSION")).with_title("dayledger: what did I do?"),
            )
            .with_instructions(INSTRUCTIONS)
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.find(name).map(|entry| entry.definition().clone())
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
        let tools = self.inventory.iter().map(|entry| entry.definition().clone()).collect();
        let list = ListToolsResult::with_all_items(tools);
        // Versions with a handshake know no cache hints.
        let modern = context.protocol_version().is_some_and(|version| !version.has_initialize());
        Ok(if modern { list.with_ttl_ms(TTL_MS).with_cache_scope(CacheScope::Public) } else { list })
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(entry) = self.find(&request.name) else {
            return Err(ErrorData::invalid_params(
                format!("unknown tool `{}`; tools/list names those that exist", shorten(&request.name)),
                None,
            ));
        };
        let arguments = request.arguments.unwrap_or_default();
        Ok(entry.call(self.respondent.clone(), arguments).await.into())
    }
}
