//! `dayledger find`: searches the history for words.

use clap::ArgAction;
use dayledger_terminal::output::Output;

use super::OUTPUT;
use super::period::parse_range_flags;
use crate::App;
use crate::activity::{FindRequest, SearchWords};
use crate::report;
use crate::request::Limit;

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n\
    \x20 dayledger find rounding.rs\n\
    \x20 dayledger find \"credit notes\" northwind --from last month\n\
    \x20 dayledger find github --from 2025-01 --to 2025-03 --limit 10")]
pub(super) struct Arguments {
    /// Words that must all be in the same text; quote a phrase to keep it together
    #[arg(required = true)]
    words: Vec<String>,
    /// First day, such as `2025-01-15`, or a period such as `last week` or `2025-01` [default: the whole history]
    #[arg(long, value_name = "START", num_args = 1.., action = ArgAction::Set)]
    from: Option<Vec<String>>,
    /// Last day (inclusive) [default: the end of START]
    #[arg(long, value_name = "END", num_args = 1.., action = ArgAction::Set, requires = "from")]
    to: Option<Vec<String>>,
    /// Show at most this many matches, newest first [default: 50]
    #[arg(long, value_name = "NUMBER")]
    limit: Option<i64>,
    /// Print JSON, as the MCP tool `find_activity` returns it
    #[arg(long, help_heading = OUTPUT)]
    json: bool,
}

pub(super) async fn run(arguments: &Arguments, app: &App) -> anyhow::Result<()> {
    let range = arguments.from.as_ref().map(|from| parse_range_flags(from, arguments.to.as_deref())).transpose()?;
    let request = FindRequest {
        words: SearchWords::from_arguments(&arguments.words, "WORDS")?,
        range,
        limit: Limit::parse(arguments.limit, "--limit")?,
        cursor: None,
    };
    let answer = app.run(request).await?;
    Output::new().write_response(&answer, arguments.json, report::write_found)
}
