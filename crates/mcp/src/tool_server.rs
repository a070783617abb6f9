//! A server that offers only tools, such as the fleet's server.

use std::sync::Arc;

use dayledger_timesheet_service::CallSession;
use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, DiscoverResult, Implementation, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};

use super::calls::{Calls, discover_result};
use super::flow::Limits;
use super::served_tools::ServedTools;
use super::tool::{Caller, RequestHandler, ToolEntry};

/// The identity of a server.
#[derive(Debug, Clone, Copy)]
pub struct ServerIdentity {
    /// The name in the protocol.
    pub name: &'static str,
    /// The name for people.
    pub title: &'static str,
    /// The instructions that a model reads before its first call.
    pub instructions: &'static str,
}

/// A server of tools, without resources and prompts. Cheap to clone.
#[derive(Debug, Clone)]
pub(super) struct ToolServer<D: 'static> {
    identity: ServerIdentity,
    pub(super) calls: Calls<D>,
    call_session: CallSession,
}

impl<D: RequestHandler> ToolServer<D> {
    pub(super) fn new(identity: ServerIdentity, handler: D, tools: Vec<ToolEntry<D>>) -> Self {
        let calls = Calls::new(Limits::default(), handler, Arc::new(ServedTools::new(tools, |_| true)));
        Self { identity, calls, call_session: CallSession::new() }
    }
}

impl<D: RequestHandler> ServerHandler for ToolServer<D> {
    fn get_info(&self) -> ServerConfig {
        let ServerIdentity { name, title, instructions } = self.identity;
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new(name, env!("CARGO_PKG_VERSION")).with_title(title))
            .with_instructions(instructions)
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
        Ok(self.calls.list(&context, CacheScope::Public, |_, tool| tool))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let entry = self.calls.tool(&request.name)?;
        let caller = Caller { writable: Vec::new(), call_session: self.call_session };
        Ok(self.calls.call(&context, entry, caller, request.arguments).await)
    }
}
