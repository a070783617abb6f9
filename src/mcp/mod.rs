//! The MCP server: exposes requests as tools, resources and prompts over stdio.
//!
//! It defines their names, descriptions and schemas, reads and completes arguments, sends notifications, and writes
//! responses and errors. The fleet uses the same code for a server with tools of its own ([`serve_tools_stdio`],
//! [`RequestHandler`]).
//!
//! The server supports protocol versions with an `initialize` handshake (2024-11-05 to 2025-11-25) and the version
//! without one (2026-07-28).
//!
//! Invariants: stdout contains only protocol messages. Invalid arguments and failures are tool errors that a model can
//! act on, never protocol errors. A tool that panics doesn't affect others. Every call has a deadline, and the memory
//! for a client is limited (`flow`, `transport`). Arguments and responses are private and never logged. Each list comes
//! from one inventory, is filtered only when the process starts, and is then the same for every client. The one
//! exception: if a client states that it shows pages in its chat, the `_meta` of tools that have a page contains its
//! URI (`apps`).
//!
//! Start reading in `tool` for the definition of a tool, in `server` for the dispatch of requests, and in `flow` for
//! the life of a call.

mod apps;
mod arguments;
mod calls;
mod completion;
mod errors;
mod flow;
mod instructions;
mod mentions;
mod prompts;
mod resources;
mod roots;
mod schema;
mod selection;
mod served_tools;
mod server;
mod size;
mod subscriptions;
mod tool;
mod tool_server;
mod tools;
mod toolset;
mod transport;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use rmcp::model::JsonObject;
use rmcp::service::{QuitReason, ServerInitializeError};
use rmcp::{ServerHandler, ServiceExt};
use tokio::io::{AsyncRead, AsyncWrite};

pub use apps::McpApp;
pub use errors::{codes, error_codes};
use flow::Flow;
pub use flow::Lane;
pub use selection::{Selection, ToolChoice};
use server::Server;
pub use tool::{AppProvider, Caller, DataTool, Effect, RequestHandler, ToolEntry};
pub use tool_server::ServerIdentity;
use tool_server::ToolServer;
pub use tools::{DescribeModel, RunQuery};
pub use toolset::Toolset;
use transport::Connection;

use crate::App;

/// Why the server ended before the end of its input. Contains nothing that the client sent.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The first message didn't start the protocol.
    #[error("cannot start MCP: the first message does not match a known protocol version; connect with an MCP client")]
    NotMcp,
    /// The client and the server don't support a common version.
    #[error("the MCP handshake failed: {0}")]
    Handshake(String),
    /// The loop that reads messages failed.
    #[error("the MCP server stopped: {0}")]
    Stopped(#[from] tokio::task::JoinError),
}

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
    run(server, flow, reader, writer).await
}

/// Serves `tools` on standard input and output until the input ends, without resources and prompts. `handler` answers
/// the requests.
///
/// # Errors
/// As [`serve_stdio`].
pub async fn serve_tools_stdio<D: RequestHandler>(
    about: ServerIdentity,
    handler: D,
    tools: Vec<ToolEntry<D>>,
) -> Result<(), ServeError> {
    let (reader, writer) = rmcp::transport::stdio_pipes();
    let server = ToolServer::new(about, handler, tools);
    let flow = server.calls.flow.clone();
    run(server, flow, reader, writer).await
}

async fn run<S, R, W>(server: S, flow: Flow, reader: R, writer: W) -> Result<(), ServeError>
where
    S: ServerHandler,
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    let (connection, writing) = Connection::new(reader, writer, flow.clone());
    // Every handler ends when the input has ended, and the library waits five seconds for one that doesn't.
    let outcome = converse(server, &flow, connection).await;
    flow.closing().cancel();
    writing.end().await;
    outcome
}

/// Runs the session from its first message to the end of the input.
async fn converse<S: ServerHandler>(server: S, flow: &Flow, connection: Connection) -> Result<(), ServeError> {
    let running = match server.serve(connection).await {
        Ok(running) => running,
        Err(ServerInitializeError::ConnectionClosed(_) | ServerInitializeError::Cancelled) => return Ok(()),
        Err(ServerInitializeError::InitializeFailed(error)) => {
            return Err(ServeError::Handshake(error.message.into_owned()));
        }
        Err(ServerInitializeError::TransportError { error, .. }) => {
            return Err(ServeError::Handshake(error.to_string()));
        }
        // The other errors contain the client's whole message.
        Err(_) => return Err(ServeError::NotMcp),
    };
    flow.begin();
    match running.waiting().await? {
        QuitReason::JoinError(error) => Err(error.into()),
        _ => Ok(()),
    }
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
