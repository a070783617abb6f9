//! The inventory of prompts: one file each. A prompt is a request that a person picks; its text leads the model to
//! summaries first, keeps screenshots optional and bounded, and has it answer in names instead of ids.

mod arguments;
mod daily_review;
mod screenshot_investigation;
mod steps;
mod weekly_review;

use rmcp::{
    ErrorData,
    model::{GetPromptResult, JsonObject, Prompt, PromptArgument, PromptMessage, Role},
};

pub(super) use arguments::Completes;
use arguments::{Argument, Given};
use steps::{Step, text};

use super::errors::{ToolError, shorten};
use crate::activity::RequestError;

/// What is asked, and the steps to the answer.
type Asked = (String, Vec<Step>);

/// A prompt; everything about it stands together in one file of `prompts/`.
pub(super) struct PromptEntry {
    name: &'static str,
    title: &'static str,
    description: &'static str,
    arguments: &'static [Argument],
    ask: fn(&Given) -> Result<Asked, RequestError>,
}

/// All prompts, in the order of the list.
pub(super) const INVENTORY: [PromptEntry; 3] =
    [daily_review::PROMPT, weekly_review::PROMPT, screenshot_investigation::PROMPT];

/// How every answer ends: the same for each prompt.
const IN_NAMES: &str = "Use names, dates and times as people say them; ids, keys and references are for calls only. \
                        Take totals from the answers, do not add up rows. Where `diagnostics` or `truncation` says \
                        that something is missing, say so in one clause.";

/// What is left to say where no tool can tell what was done.
const NOTHING_SERVED: &str = "This server serves no tool that tells what was done. Say so, and that the user can start \
                              it with more toolsets; the resource manictime://data-range tells which dates hold data.";

/// What `prompts/list` says.
pub(super) fn list() -> Vec<Prompt> {
    INVENTORY.iter().map(PromptEntry::definition).collect()
}

/// What `prompts/get` says where the tools `served` exist.
///
/// # Errors
/// `invalid_params` for an unknown prompt and for missing, unknown and wrong arguments.
pub(super) fn get(name: &str, given: JsonObject, served: &[&str]) -> Result<GetPromptResult, ErrorData> {
    let prompt = find(name)?;
    let given = Given::parse(given, prompt.arguments).map_err(|error| refused(&error))?;
    let (request, steps) = (prompt.ask)(&given).map_err(|error| refused(&error.into()))?;
    let message = PromptMessage::new_text(Role::User, text(&request, &steps, served));
    Ok(GetPromptResult::new(vec![message]).with_description(prompt.description))
}

/// The kind of values that the argument `argument` of the prompt `name` takes.
///
/// # Errors
/// `invalid_params` for a prompt or an argument that does not exist.
pub(super) fn completes(name: &str, argument: &str) -> Result<Completes, ErrorData> {
    let prompt = find(name)?;
    let found = prompt.arguments.iter().find(|known| known.name == argument);
    found.map(|found| found.completes).ok_or_else(|| refused(&arguments::unknown(argument, prompt.arguments)))
}

fn find(name: &str) -> Result<&'static PromptEntry, ErrorData> {
    INVENTORY.iter().find(|prompt| prompt.name == name).ok_or_else(|| {
        let text = format!("unknown prompt `{}`; prompts/list names those that exist", shorten(name));
        ErrorData::invalid_params(text, None)
    })
}

/// The protocol's error for arguments; its data is the object that a tool's error would be.
fn refused(error: &ToolError) -> ErrorData {
    ErrorData::invalid_params(format!("{}; {}", error.message, error.hint), serde_json::to_value(error).ok())
}

impl PromptEntry {
    fn definition(&self) -> Prompt {
        let argument = |argument: &Argument| {
            PromptArgument::new(argument.name)
                .with_title(argument.title)
                .with_description(argument.description)
                .with_required(argument.required)
        };
        Prompt::new(self.name, Some(self.description), Some(self.arguments.iter().map(argument).collect()))
            .with_title(self.title)
    }
}
