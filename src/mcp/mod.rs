//! The MCP server: the questions of `activity` as tools, resources and prompts over stdio.
//!
//! **Owns** the names, descriptions and schemas of tools, resources and prompts, how arguments are read and completed,
//! who is told of changes, how answers and errors look on the wire. **Does not own** what a question means or how a number is computed (`activity`, `engine`).
//!
//! Invariants: standard output carries the protocol only; bad arguments and failures are tool errors that a model can
//! act on, never protocol errors; a tool that panics takes nothing with it; every call has a deadline, and what is held
//! for a client is bounded (`flow`, `transport`); arguments and answers are private and are never logged; each list
//! comes from one inventory, narrowed at the start of the process only, and is the same for every client and for the
//! life of the process. One thing differs: where a client says that it shows pages in its chat, and only there, the tools
//! that have one name it in their `_meta` (`apps`).
//!
//! Another program can serve its own tools (`tool_server`), with its own services and its own [`RequestHandler`].
//!
//! The server answers both lives of the protocol: those with an `initialize` handshake (2024-11-05 to 2025-11-25) and
//! the one without (2026-07-28).

mod apps;
mod arguments;
mod cache_ttl;
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

use rmcp::{
    ServerHandler, ServiceExt,
    model::JsonObject,
    service::{QuitReason, ServerInitializeError},
};
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

/// Why serving ended otherwise than at the end of input. Carries nothing that the client sent.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The first message was no start of the protocol.
    #[error("the client's first message starts no known version of MCP; connect with an MCP client")]
    NotMcp,
    /// The client and the server found no common ground.
    #[error("the MCP handshake failed: {0}")]
    Handshake(String),
    /// The loop that reads messages failed.
    #[error("the MCP server stopped: {0}")]
    Stopped(#[from] tokio::task::JoinError),
}

/// Serves the `selection` of tools over the app that `provider` returns, on standard input and output, until the input ends.
///
/// Needs a runtime with its I/O and time drivers enabled. What still writes to a client that reads nothing is left
/// behind: the runtime should be shut down without waiting for it.
///
/// # Errors
/// Where the client does not speak MCP or the connection breaks; the end of input is none.
pub async fn serve_stdio(provider: AppProvider, selection: &Selection) -> Result<(), ServeError> {
    let (reader, writer) = rmcp::transport::stdio_pipes();
    serve(provider, selection, reader, writer).await
}

/// As [`serve_stdio`], to the client at the other end of `reader` and `writer`. Calls that run at the end of input are
/// stopped within a second. Every answer is sent whole, unless the client takes longer than ten seconds for it.
///
/// # Errors
/// As [`serve_stdio`].
pub async fn serve<R, W>(provider: AppProvider, selection: &Selection, reader: R, writer: W) -> Result<(), ServeError>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    let server = Server::new(provider, selection);
    let flow = server.calls().flow().clone();
    run(server, flow, reader, writer).await
}

/// Serves `tools`, without resources and prompts, on standard input and output until the input ends. `handler` answers the
/// requests.
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
    let flow = server.calls().flow().clone();
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

/// The conversation from its first message to the end of input.
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
        // The others print the client's whole message.
        Err(_) => return Err(ServeError::NotMcp),
    };
    flow.begin();
    match running.waiting().await? {
        QuitReason::JoinError(error) => Err(error.into()),
        _ => Ok(()),
    }
}

/// Returns the output schema of every tool by its name, with a description of each field: what `tools/list` leaves out,
/// for the pages that explain the answers.
pub fn described_answer_schemas() -> BTreeMap<&'static str, JsonObject> {
    let tools = tools::inventory::<App>();
    let have_fields = tools.iter().filter(|entry| entry.definition().output_schema.is_some());
    have_fields.map(|entry| (entry.name(), entry.described_answer_schema())).collect()
}

/// Returns the server of one connection, for a transport that makes its own connections.
#[cfg(feature = "http")]
pub fn handler(app: App, selection: &Selection) -> impl ServerHandler + use<> {
    Server::new(app, selection)
}
