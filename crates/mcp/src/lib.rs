//! The tools of an MCP server: their definition, their calls, and the connection to a client over stdio.
//!
//! The crate parses the arguments of calls, runs the requests of tools, and writes responses and errors. A
//! [`RequestHandler`] runs the requests, so the crate doesn't know which services exist. A server with tools only, such
//! as the fleet's server, uses [`serve_tools_stdio`]. A server that also has resources and prompts uses [`Calls`] for
//! its tools, and [`serve`] for its connection.
//!
//! The connection supports protocol versions with an `initialize` handshake (2024-11-05 to 2025-11-25), and the version
//! without a handshake (2026-07-28).
//!
//! Invariants: stdout contains only protocol messages. Invalid arguments and failures are tool errors that a model can
//! act on, never protocol errors. A tool that panics doesn't affect other calls. Every call has a deadline, and the
//! memory for a client is limited (`flow`, `transport`). Arguments and responses are private and never logged.
//!
//! To learn how a tool is defined, start in `tool`. To learn how a call runs, start in `flow`.

mod arguments;
mod calls;
pub mod errors;
mod flow;
mod mentions;
mod question;
mod schema;
mod served_tools;
mod size;
mod sql;
mod tool;
mod tool_server;
mod toolset;
mod transport;

use rmcp::service::{QuitReason, ServerInitializeError};
use rmcp::{ServerHandler, ServiceExt};
use tokio::io::{AsyncRead, AsyncWrite};

pub use arguments::WholeNumber;
pub use calls::{Calls, PROGRAM_TTL_MS, discover_result, has_cache_hints};
pub use flow::{Flow, Lane, Limits};
pub use served_tools::ServedTools;
pub use sql::{DescribeModel, RunQuery};
pub use tool::{Caller, DataTool, Effect, RequestHandler, ToolEntry};
pub use tool_server::ServerIdentity;
use tool_server::ToolServer;
pub use toolset::Toolset;
use transport::Connection;

/// The reason why the server stopped before the end of its input. The messages contain no text from the client.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The client's first message wasn't a valid start of the protocol.
    #[error("cannot start MCP: the first message does not match a known protocol version; connect with an MCP client")]
    NotMcp,
    /// The client and the server don't support a common version.
    #[error("the MCP handshake failed: {0}")]
    Handshake(String),
    /// The loop that reads messages failed.
    #[error("the MCP server stopped: {0}")]
    Stopped(#[from] tokio::task::JoinError),
}

/// Serves `tools` on standard input and output until the input ends. The server has no resources and prompts. `handler`
/// runs the requests.
///
/// Needs a runtime with its I/O and time drivers enabled. If a client doesn't read the server's output, a task may
/// still wait to write when this function returns. Shut the runtime down without waiting for that task.
///
/// # Errors
/// Fails if the client doesn't speak MCP or the connection breaks. The end of the input isn't an error.
pub async fn serve_tools_stdio<D: RequestHandler>(
    about: ServerIdentity,
    handler: D,
    tools: Vec<ToolEntry<D>>,
) -> Result<(), ServeError> {
    let (reader, writer) = rmcp::transport::stdio_pipes();
    let server = ToolServer::new(about, handler, tools);
    let flow = server.calls.flow.clone();
    serve(server, flow, reader, writer).await
}

/// Serves a client at the other end of `reader` and `writer` until the input ends. `flow` is the flow of the server's
/// [`Calls`]. Calls that are running when the input ends are stopped within a second. Every response is written
/// completely, unless the client takes longer than ten seconds to read it.
///
/// # Errors
/// Fails like [`serve_tools_stdio`].
pub async fn serve<S, R, W>(server: S, flow: Flow, reader: R, writer: W) -> Result<(), ServeError>
where
    S: ServerHandler,
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    let (connection, writing) = Connection::new(reader, writer, flow.clone());
    // The library would wait five seconds for handlers that haven't ended. That wait isn't needed here, because every
    // handler ends after the end of the input.
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
        // The original error isn't returned, because it contains the client's whole message.
        Err(_) => return Err(ServeError::NotMcp),
    };
    flow.begin();
    match running.waiting().await? {
        QuitReason::JoinError(error) => Err(error.into()),
        _ => Ok(()),
    }
}
