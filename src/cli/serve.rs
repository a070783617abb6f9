//! `dayledger serve`: MCP over stdio. Starts without a history too; tools then answer with what is wrong.

use std::process::ExitCode;

use crate::engine::Engine;
use crate::mcp;

pub(super) async fn run(engine: Engine) -> anyhow::Result<ExitCode> {
    mcp::serve_stdio(engine).await?;
    Ok(ExitCode::SUCCESS)
}
