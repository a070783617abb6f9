//! The MCP server: the questions of `activity` as tools, resources and prompts over stdio.
//!
//! **Owns** the names, descriptions and schemas of tools, resources and prompts, how arguments are read and completed,
//! who is told of changes, how answers and errors look on the wire. **Does not own** what a question means or how a number is computed (`activity`, `engine`).
//!
//! Invariants: standard output carries the protocol only; bad arguments and failures are tool errors that a model can
//! act on, never protocol errors; a tool that panics takes nothing with it; arguments and answers are private and
//! are never logged; each list comes from one inventory, narrowed at the start of the process only, and is the same
//! for every client and for the life of the process.
//!
//! The server answers both lives of the protocol: those with an `initialize` handshake (2024-11-05 to 2025-11-25) and
//! the one without (2026-07-28).

mod arguments;
mod completion;
mod errors;
mod instructions;
mod prompts;
mod resources;
mod schema;
mod selection;
mod server;
mod subscriptions;
mod tool;
mod tools;

#[cfg(test)]
mod tests;

use rmcp::{
    RoleServer, ServiceExt,
    service::{QuitReason, ServerInitializeError},
    transport::IntoTransport,
};

pub use errors::ErrorCode;
pub use selection::{Selection, SelectionError, ToolChoice, Toolset};
use server::Server;

use crate::engine::Engine;

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

/// Serves the `selection` of tools over `engine`, on standard input and output, until the input ends.
///
/// Needs a runtime with its I/O driver enabled.
///
/// # Errors
/// Where the client does not speak MCP or the connection breaks; the end of input is none.
pub async fn serve_stdio(engine: Engine, selection: &Selection) -> Result<(), ServeError> {
    serve(engine, selection, rmcp::transport::stdio_pipes()).await
}

/// As [`serve_stdio`], over `transport`, such as a pair of reader and writer, until its input ends. Answers in flight
/// are still sent.
///
/// # Errors
/// As [`serve_stdio`].
pub async fn serve<T, E, A>(engine: Engine, selection: &Selection, transport: T) -> Result<(), ServeError>
where
    T: IntoTransport<RoleServer, E, A>,
    E: std::error::Error + Send + Sync + 'static,
{
    run(Server::new(engine, selection), transport).await
}

async fn run<R, T, E, A>(server: Server<R>, transport: T) -> Result<(), ServeError>
where
    R: tool::Respondent,
    T: IntoTransport<RoleServer, E, A>,
    E: std::error::Error + Send + Sync + 'static,
{
    let running = match server.serve(transport).await {
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
    match running.waiting().await? {
        QuitReason::JoinError(error) => Err(error.into()),
        _ => Ok(()),
    }
}
