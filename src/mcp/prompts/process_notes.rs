//! `process-standard`, `process-focused` and `process-structured`: raw notes that the user passes.

use dayledger_notes::prompt::Template;

use super::{
    arguments::{Argument, CompletionSource, PromptArguments},
    prompt::{PromptContent, PromptEntry},
};
use crate::{notes::prompt_text, request::Error};

pub(super) const STANDARD: PromptEntry =
    entry(Template::Standard, "Process notes", |given| render_prompt(Template::Standard, given));
pub(super) const FOCUSED: PromptEntry =
    entry(Template::Focused, "Process notes of a 1:1", |given| render_prompt(Template::Focused, given));
pub(super) const STRUCTURED: PromptEntry =
    entry(Template::Structured, "Process notes for an audit", |given| render_prompt(Template::Structured, given));

const fn entry(
    template: Template,
    title: &'static str,
    render: fn(&PromptArguments) -> Result<PromptContent, Error>,
) -> PromptEntry {
    PromptEntry {
        name: template.name(),
        title,
        description: template.description(),
        needs: Some("process_meeting"),
        arguments: &[NOTES, DURATION],
        render,
    }
}

const NOTES: Argument = Argument {
    name: "notes",
    title: "Raw notes",
    description: "Raw notes, with markers at the start of lines.",
    required: true,
    completes: CompletionSource::Nothing,
};

const DURATION: Argument = Argument {
    name: "duration",
    title: "Minutes",
    description: "Length of the meeting in minutes.",
    required: false,
    completes: CompletionSource::Nothing,
};

/// Returns one text without steps, because the client has the notes already.
fn render_prompt(template: Template, given: &PromptArguments) -> Result<PromptContent, Error> {
    Ok((prompt_text(template, given.text(NOTES.name), given.get(DURATION.name))?, Vec::new()))
}
