//! The prompts. A prompt is a request that a user selects in the client. Its text asks the model to start with
//! summaries, to use few screenshots, and to write names instead of ids. The module `inventory` lists all prompts with
//! their texts.

mod inventory;
mod prompt;

use dayledger_mcp::errors::shorten;
use rmcp::ErrorData;
use rmcp::model::{GetPromptResult, JsonObject, Prompt, PromptMessage, Role};

use inventory::INVENTORY;
pub(super) use prompt::CompletionSource;
use prompt::{PromptArguments, PromptEntry, text, unknown_argument};

use crate::request::Error;

/// Returns the response to `prompts/list` for a server with the tools in `served`.
pub(super) fn list(served: &[&str]) -> Vec<Prompt> {
    let is_possible = |prompt: &&PromptEntry| prompt.needs.is_none_or(|tool| served.contains(&tool));
    INVENTORY.iter().filter(is_possible).map(PromptEntry::definition).collect()
}

/// Returns the response to `prompts/get` for a server with the tools in `served`.
///
/// # Errors
/// `invalid_params` for an unknown prompt, and for missing, unknown or invalid arguments.
pub(super) fn get(name: &str, given: JsonObject, served: &[&str]) -> Result<GetPromptResult, ErrorData> {
    let prompt = find(name)?;
    let given = PromptArguments::parse(given, prompt.arguments).map_err(|error| invalid_params(&error))?;
    let (request, steps) = (prompt.render)(&given).map_err(|error| invalid_params(&error))?;
    let message = PromptMessage::new_text(Role::User, text(&request, &steps, served));
    Ok(GetPromptResult::new(vec![message]).with_description(prompt.description))
}

/// Returns the kind of values that complete `argument` of the prompt `name`.
///
/// # Errors
/// `invalid_params` if the prompt or the argument doesn't exist.
pub(super) fn completion_source(name: &str, argument: &str) -> Result<CompletionSource, ErrorData> {
    let prompt = find(name)?;
    let found = prompt.arguments.iter().find(|known| known.name == argument);
    found.map(|found| found.completes).ok_or_else(|| invalid_params(&unknown_argument(argument, prompt.arguments)))
}

fn find(name: &str) -> Result<&'static PromptEntry, ErrorData> {
    INVENTORY.iter().find(|prompt| prompt.name == name).ok_or_else(|| {
        let text = format!("unknown prompt `{}`; prompts/list lists the prompts", shorten(name));
        ErrorData::invalid_params(text, None)
    })
}

/// Returns the protocol error for invalid arguments. The error's data is the same object that the error of a tool would
/// contain.
fn invalid_params(error: &Error) -> ErrorData {
    ErrorData::invalid_params(format!("{}; {}", error.message, error.hint), serde_json::to_value(error).ok())
}
