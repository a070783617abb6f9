//! The definition of a prompt, and sentences that several prompts share.

use rmcp::model::{Prompt, PromptArgument};

use super::{
    arguments::{Argument, PromptArguments},
    steps::Step,
};
use crate::request::Error;

/// The request, and the steps to the response.
pub(super) type PromptContent = (String, Vec<Step>);

/// A prompt. Each one is defined in one file of `prompts/`.
pub(in crate::mcp) struct PromptEntry {
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    pub(super) description: &'static str,
    /// The tool without which the prompt is useless.
    pub(super) needs: Option<&'static str>,
    pub(super) arguments: &'static [Argument],
    pub(super) render: fn(&PromptArguments) -> Result<PromptContent, Error>,
}

impl PromptEntry {
    /// Returns its entry in `prompts/list`.
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

/// How to write the response: the same for every prompt.
pub(super) const IN_NAMES: &str = "Use names, dates and times as people say them; ids, keys and references are for \
                                   calls only. Take totals from the responses; do not add up rows. If `diagnostics` or \
                                   `truncation` reports missing data, mention it in one clause.";

/// The step for a server without a tool that lists activities.
pub(super) const NO_ACTIVITY_TOOL: &str = "This server doesn't offer a tool for activities. Tell the user, and explain \
                                           that they can start it with more toolsets. The resource \
                                           manictime://data-range contains the dates with data.";
