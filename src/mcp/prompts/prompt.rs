//! The definition of a prompt, and the texts that all prompts share.

use rmcp::model::{Prompt, PromptArgument};

use super::{
    arguments::{Argument, PromptArguments},
    steps::Step,
};
use crate::request::Error;

/// The request, and the steps to answer it.
pub(super) type PromptContent = (String, Vec<Step>);

/// A prompt. Each one is defined in one file of `prompts/`.
pub(in crate::mcp) struct PromptEntry {
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    pub(super) description: &'static str,
    /// The tool that the prompt can't work without.
    pub(super) needs: Option<&'static str>,
    pub(super) arguments: &'static [Argument],
    pub(super) render: fn(&PromptArguments) -> Result<PromptContent, Error>,
}

impl PromptEntry {
    /// Returns the definition in `prompts/list`.
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

/// The end of every prompt.
pub(super) const IN_NAMES: &str = "Use names, dates and times as people say them; ids, keys and references are for \
                                   calls only. Take totals from the responses, do not add up rows. If `diagnostics` or \
                                   `truncation` reports missing data, mention it in one clause.";

/// The text of a prompt if no tool for activities is served.
pub(super) const NO_ACTIVITY_TOOL: &str = "This server serves no tool for activities. Say so, and that the user can \
                                           start it with more toolsets; the resource manictime://data-range contains \
                                           the dates with data.";
