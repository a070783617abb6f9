//! `dayledger serve`: MCP over stdio. Starts without a history too; tools then answer with what is wrong.

use std::process::ExitCode;

use super::config::Configuration;
use super::history::HistoryArguments;
use super::settings::Settings;
use super::worker;
use crate::House;
use crate::mcp;
use crate::screenshots::AllowedBy;

pub(super) async fn run(flags: Settings, history: &HistoryArguments) -> anyhow::Result<ExitCode> {
    let allowed_by = if flags.allow_write.is_empty() { AllowedBy::Configuration } else { AllowedBy::Flag };
    let settings = flags.over(Configuration::read()?.serve);
    let selection = settings.selection()?.writing_in(settings.writable(allowed_by)?);
    let source = history.source()?.with_privacy(settings.privacy());
    let house = if selection.shows_screenshots() { House::over(source)? } else { House::over_activities(source)? };
    mcp::serve_stdio(house.with_workers(worker::program()?)?, &selection).await?;
    Ok(ExitCode::SUCCESS)
}
