//! `dayledger serve`: MCP over stdio. Starts without a history too; tools then answer with what is wrong.
//!
//! It does not start where what is to be withheld cannot be read: then more would leave than was asked for.

use std::process::ExitCode;

use super::config::{Configuration, Withheld};
use super::{HistoryArguments, source};
use crate::{engine_over, mcp};

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    withheld: Withheld,
}

pub(super) async fn run(arguments: Arguments, history: &HistoryArguments) -> anyhow::Result<ExitCode> {
    let by_file = Configuration::read()?.withheld().clone();
    let source = source(history)?.with_privacy(by_file.and(arguments.withheld));
    mcp::serve_stdio(engine_over(source)?).await?;
    Ok(ExitCode::SUCCESS)
}
