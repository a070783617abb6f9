//! The MCP server: exposes requests as tools, resources and prompts over stdio.
//!
//! This module defines the names, descriptions and schemas of tools, resources and prompts. It also completes
//! arguments, sends notifications, and writes responses and errors. The crate `dayledger-mcp` parses the arguments of
//! tools, runs their calls, and connects the server to a client.
//!
//! Invariants: each list comes from one inventory. A list is filtered only when the process starts, and is the same for
//! every client. There is one exception (`apps`). If a client shows pages in its chat, the `_meta` of a tool with a
//! page contains the page's URI.
//!
//! Start reading in `server` for the dispatch of requests, and in `tools` for the inventory of tools.

mod apps;
mod completion;
mod errors;
mod history_handler;
mod instructions;
mod prompts;
mod resources;
mod roots;
mod selection;
mod server;
mod subscriptions;
mod tools;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

#[cfg(feature = "http")]
use rmcp::ServerHandler;
use rmcp::model::JsonObject;
use tokio::io::{AsyncRead, AsyncWrite};

pub use dayledger_mcp::errors::codes;
pub use dayledger_mcp::{ServeError, Toolset};
pub use errors::error_codes;
pub use history_handler::AppProvider;
pub use selection::{Selection, ToolChoice, tool_names};
use server::Server;

use crate::App;

/// Serves the tools of `selection` on standard input and output until the input ends. `provider` returns the app that
/// runs the requests.
///
/// Needs a runtime with its I/O and time drivers enabled. If a client doesn't read the server's output, a task can
/// still be waiting to write when this function returns. Shut the runtime down without waiting for that task.
///
/// # Errors
/// Fails if the client doesn't speak MCP or the connection breaks. The end of the input isn't an error.
pub async fn serve_stdio(provider: AppProvider, selection: &Selection) -> Result<(), ServeError> {
    let (reader, writer) = rmcp::transport::stdio_pipes();
    serve(provider, selection, reader, writer).await
}

/// Serves a client at the other end of `reader` and `writer`, like [`serve_stdio`]. Calls that are running when the
/// input ends are stopped within a second. Every response is written completely, unless the client takes longer than
/// ten seconds to read it.
///
/// # Errors
/// Fails like [`serve_stdio`].
pub async fn serve<R, W>(provider: AppProvider, selection: &Selection, reader: R, writer: W) -> Result<(), ServeError>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    let server = Server::new(provider, selection);
    let flow = server.calls.flow.clone();
    dayledger_mcp::serve(server, flow, reader, writer).await
}

/// Returns the output schema of every tool by the tool's name. The schemas describe each field, for the documentation
/// of responses. `tools/list` leaves these descriptions out.
pub fn described_response_schemas() -> BTreeMap<&'static str, JsonObject> {
    let tools = tools::inventory::<App>();
    let have_fields = tools.iter().filter(|entry| entry.definition().output_schema.is_some());
    have_fields.map(|entry| (entry.name(), entry.described_response_schema())).collect()
}

/// Returns the server of one connection, for a transport that accepts connections itself.
#[cfg(feature = "http")]
pub fn handler(app: App, selection: &Selection) -> impl ServerHandler + use<> {
    Server::new(app, selection)
}
