//! `dayledger serve`: MCP over stdio. Starts without a history too; tools then answer with what is wrong.

use std::process::ExitCode;

use serde::Deserialize;

use crate::engine::Engine;
use crate::mcp::{self, Selection, ToolChoice};

/// What a server offers: flags of the command, and the table `[serve]` of the configuration.
#[derive(Debug, Default, clap::Args, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Settings {
    /// Offer the tools of these sets: activity, screenshots, sql [default: all]
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    toolsets: Option<Vec<String>>,
    /// Offer these tools too; without --toolsets, these alone
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    tools: Option<Vec<String>>,
    /// Leave these tools out, whatever includes them
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    exclude_tools: Vec<String>,
    /// Leave out every tool that writes, whatever includes it
    #[arg(long)]
    read_only: bool,
}

impl Settings {
    /// These settings where they say something, else those of `file`. What takes tools away adds up: the command line
    /// must not undo what the file forbids.
    pub(super) fn over(self, file: Self) -> Self {
        let says_what = self.toolsets.is_some() || self.tools.is_some();
        let (toolsets, tools) = if says_what { (self.toolsets, self.tools) } else { (file.toolsets, file.tools) };
        Self {
            toolsets,
            tools,
            exclude_tools: [file.exclude_tools, self.exclude_tools].concat(),
            read_only: self.read_only || file.read_only,
        }
    }

    /// The tools that these settings leave.
    pub(super) fn selection(self) -> Result<Selection, mcp::SelectionError> {
        Selection::of(&ToolChoice {
            toolsets: self.toolsets,
            tools: self.tools,
            exclude_tools: self.exclude_tools,
            read_only: self.read_only,
        })
    }
}

pub(super) async fn run(engine: Engine, settings: Settings) -> anyhow::Result<ExitCode> {
    mcp::serve_stdio(engine, &settings.selection()?).await?;
    Ok(ExitCode::SUCCESS)
}
