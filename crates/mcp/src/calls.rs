//! Lists and calls the tools of a server.

use std::sync::Arc;

use dayledger_engine::Progress;
use dayledger_request::Error;
use rmcp::model::{
    CacheScope, CallToolResponse, CallToolResult, ContentBlock, DiscoverResult, JsonObject, ListToolsResult,
    ProtocolVersion, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};

use super::errors::shorten;
use super::flow::{Flow, Lane, Limits};
use super::served_tools::ServedTools;
use super::tool::{Caller, RequestHandler, ToolEntry};

/// The number of milliseconds for which a client may cache content that changes only with the version of dayledger. An
/// example is the list of tools.
pub const PROGRAM_TTL_MS: u64 = 60 * 60 * 1000;

/// The tools of one server, and the handler that runs their requests. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Calls<D: 'static> {
    /// Runs the requests of the tools.
    pub handler: D,
    /// The selected tools. Clients can neither see nor call other tools.
    pub tools: Arc<ServedTools<D>>,
    /// The queues and time limits of calls.
    pub flow: Flow,
    /// Whether a response is sent only as structured content, without its JSON as text.
    pub structured_only: bool,
}

/// The text of a response that is sent only as structured content. It explains the missing text to a model that doesn't
/// get the structured content.
const STRUCTURED_ONLY_TEXT: &str = "The response is in structuredContent (--structured-only).";

/// Adds cache hints to a result if the client's protocol version supports them (`has_hints`). The hints state how long
/// a client may cache the result, and for whom.
#[macro_export]
macro_rules! with_cache_hints {
    ($result:expr, $ttl_ms:expr, $scope:expr, $has_hints:expr) => {{
        let result = $result;
        if $has_hints { result.with_ttl_ms($ttl_ms).with_cache_scope($scope) } else { result }
    }};
}

/// Returns whether the client's protocol version has cache hints. Versions with a handshake don't have cache hints.
pub fn has_cache_hints(context: &RequestContext<RoleServer>) -> bool {
    context.protocol_version().is_none_or(|version| !version.has_initialize())
}

/// Replaces a resource link with a text that contains the link's title and URI.
fn link_as_text(block: ContentBlock) -> ContentBlock {
    let ContentBlock::ResourceLink(link) = block else { return block };
    let mut text = ContentBlock::text(format!("{}: {}", link.title.as_ref().unwrap_or(&link.name), link.uri));
    if let ContentBlock::Text(content) = &mut text {
        content.annotations = link.annotations;
    }
    text
}

/// Returns the server's description, for the protocol version without a handshake.
pub fn discover_result(server: &impl ServerHandler) -> DiscoverResult {
    let versions = server.supported_protocol_versions().into_owned();
    let mut discovered = DiscoverResult::from_server_info(versions, server.get_info());
    discovered.ttl_ms = PROGRAM_TTL_MS;
    discovered.cache_scope = CacheScope::Public;
    discovered
}

impl<D: RequestHandler> Calls<D> {
    /// Creates an instance for `tools`. `handler` runs the requests of these tools.
    pub fn new(limits: Limits, handler: D, tools: Arc<ServedTools<D>>) -> Self {
        Self { handler, tools, flow: Flow::new(limits), structured_only: false }
    }

    /// Returns the result of `tools/list`. `listed` converts the definition of each tool.
    pub fn list(
        &self,
        context: &RequestContext<RoleServer>,
        scope: CacheScope,
        listed: impl Fn(&ToolEntry<D>, Tool) -> Tool,
    ) -> ListToolsResult {
        let tools = self.tools.entries().map(|entry| listed(entry, entry.definition().clone()));
        let list = ListToolsResult::with_all_items(tools.collect());
        with_cache_hints!(list, PROGRAM_TTL_MS, scope, has_cache_hints(context))
    }

    /// Returns the tool with this name.
    ///
    /// # Errors
    /// Fails if the tool doesn't exist.
    pub fn tool(&self, name: &str) -> Result<&ToolEntry<D>, ErrorData> {
        self.tools.find(name).ok_or_else(|| {
            let unknown = format!("unknown tool `{}`; tools/list lists the tools", shorten(name));
            ErrorData::invalid_params(unknown, None)
        })
    }

    /// Calls a tool, and returns its result or its error.
    pub async fn call(
        &self,
        context: &RequestContext<RoleServer>,
        entry: &ToolEntry<D>,
        caller: Caller,
        arguments: Option<JsonObject>,
    ) -> CallToolResponse {
        self.response(context, entry, self.try_call(context, entry, caller, arguments.unwrap_or_default()).await)
    }

    /// Calls a tool.
    ///
    /// # Errors
    /// Fails with the error of the tool, or with the reason why the call was stopped. [`Self::response`] converts the
    /// error to a result.
    pub async fn try_call(
        &self,
        context: &RequestContext<RoleServer>,
        entry: &ToolEntry<D>,
        caller: Caller,
        arguments: JsonObject,
    ) -> Result<CallToolResult, Error> {
        let outcome = self.run(context, entry.lane, |handler| entry.call(handler, caller, arguments)).await;
        outcome.unwrap_or_else(|error| Err(entry.stopped_error(error)))
    }

    /// Returns the response for the result or the error of a call.
    pub fn response(
        &self,
        context: &RequestContext<RoleServer>,
        entry: &ToolEntry<D>,
        outcome: Result<CallToolResult, Error>,
    ) -> CallToolResponse {
        let mut result = outcome.unwrap_or_else(|error| (entry.error_format)(&error));
        if context.protocol_version().is_some_and(|version| version < ProtocolVersion::V_2025_06_18) {
            // SDKs of earlier protocol versions reject a result with an unknown type of content. These versions also
            // don't have structured content, so the text is always sent.
            result.content = result.content.into_iter().map(link_as_text).collect();
        } else if self.structured_only && result.structured_content.is_some() {
            // The first block is the JSON as text. The other blocks, such as images, aren't in the structured content.
            if let Some(copy) = result.content.first_mut() {
                *copy = ContentBlock::text(STRUCTURED_ONLY_TEXT);
            }
        }
        result.into()
    }

    /// Runs `work` for the request of `context`. `work` waits in the queue `lane`, and has the deadline of that queue.
    ///
    /// # Errors
    /// Fails with the reason why the work was stopped.
    pub async fn run<T, F>(
        &self,
        context: &RequestContext<RoleServer>,
        lane: Lane,
        work: impl FnOnce(D) -> F,
    ) -> Result<T, Error>
    where
        F: Future<Output = T>,
    {
        let progress = Progress::default();
        let work = progress.track(work(self.handler.clone()));
        self.flow.run(context, lane, &progress, work).await
    }
}

#[cfg(test)]
mod tests {
    use rmcp::model::{Annotations, Resource, Role};
    use serde_json::json;

    use super::*;

    #[test]
    fn link_becomes_text_for_revisions_without_links() {
        let annotations = Annotations::default().with_audience(vec![Role::User]);
        let link =
            Resource::new("manictime://config", "config").with_title("Configuration").with_annotations(annotations);
        let blocks = [ContentBlock::text("words"), ContentBlock::resource_link(link)].map(link_as_text);
        assert_eq!(
            serde_json::to_value(blocks).expect("JSON"),
            json!([{"type": "text", "text": "words"}, {"type": "text", "text": "Configuration: manictime://config",
                "annotations": {"audience": ["user"]}}])
        );
    }
}
