//! The MCP server: exposes requests as tools, resources and prompts over stdio.
//!
//! It defines their names, descriptions and schemas, completes arguments, sends notifications, and writes responses and
//! errors. The crate `dayledger-mcp` reads the arguments of tools, runs their calls, and connects the server to a client.
//!
//! Invariants: each list comes from one inventory, is filtered only when the process starts, and is then the same for
//! every client. The one exception: if a client states that it shows pages in its chat, the `_meta` of tools that have a
//! page contains its URI (`apps`).
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
pub use selection::{Selection, ToolChoice};
use server::Server;

use crate::App;

/// Serves the `selection` of tools on standard input and output until the input ends. `provider` returns the app that
/// answers the requests.
///
/// Needs a runtime with its I/O and time drivers enabled. If a client doesn't read its output, a task that writes is
/// left behind, so shut the runtime down without waiting.
///
/// # Errors
/// Fails if the client doesn't speak MCP or the connection breaks. The end of the input isn't an error.
pub async fn serve_stdio(provider: AppProvider, selection: &Selection) -> Result<(), ServeError> {
    let (reader, writer) = rmcp::transport::stdio_pipes();
    serve(provider, selection, reader, writer).await
}

/// Serves a client at the other end of `reader` and `writer`, as [`serve_stdio`] does. Calls that run at the end of the
/// input are stopped within a second. Every response is sent completely, unless the client takes longer than ten
/// seconds to read it.
///
/// # Errors
/// As [`serve_stdio`].
pub async fn serve<R, W>(provider: AppProvider, selection: &Selection, reader: R, writer: W) -> Result<(), ServeError>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    let server = Server::new(provider, selection);
    let flow = server.calls.flow.clone();
    dayledger_mcp::serve(server, flow, reader, writer).await
}

/// Returns the output schema of every tool by its name, with a description of each field. `tools/list` leaves the
/// descriptions out; the pages that explain the responses need them.
pub fn described_response_schemas() -> BTreeMap<&'static str, JsonObject> {
    let tools = tools::inventory::<App>();
    let have_fields = tools.iter().filter(|entry| entry.definition().output_schema.is_some());
    have_fields.map(|entry| (entry.name(), entry.described_response_schema())).collect()
}

/// Returns the server of one connection, for a transport that makes its own connections.
#[cfg(feature = "http")]
pub fn handler(app: App, selection: &Selection) -> impl ServerHandler + use<> {
    Server::new(app, selection)
}
