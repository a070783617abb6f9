//! What a prompt is, and the words that all of them share.

use rmcp::model::{Prompt, PromptArgument};

use super::{
    arguments::{Argument, PromptArguments},
    steps::Step,
};
use crate::request::Error;

/// What is asked, and the steps to the answer.
pub(super) type PromptContent = (String, Vec<Step>);

/// A prompt; everything about it stands together in one file of `prompts/`.
pub(in crate::mcp) struct PromptEntry {
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    pub(super) description: &'static str,
    /// The tool without which there is nothing to ask.
    pub(super) needs: Option<&'static str>,
    pub(super) arguments: &'static [Argument],
    pub(super) render: fn(&PromptArguments) -> Result<PromptContent, Error>,
}

impl PromptEntry {
    /// What `prompts/list` says of it.
    pub(super) fn definition(&self) -> Prompt {
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

/// How every answer ends: the same for each prompt.
pub(super) const IN_NAMES: &str = "Use names, dates and times as people say them; ids, keys and references are for \
                                   calls only. Take totals from the responses, do not add up rows. If `diagnostics` or \
                                   `truncation` reports missing data, mention it in one clause.";

/// What is left to say where no tool can tell what was done.
pub(super) const NO_ACTIVITY_TOOL: &str = "This server serves no tool for activities. Say so, and that the user can \
                                           start it with more toolsets; the resource manictime://data-range contains \
                                           the dates with data.";
