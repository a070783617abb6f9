//! The prompts of the contract. A client fills in their arguments and sends them to its own model.

use super::style::Style;
use super::wording::Note;
use super::wording::prompt;

/// One of the three prompts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Template {
    /// The name of the prompt.
    pub name: &'static str,
    /// A one-sentence description.
    pub description: &'static str,
    style: Style,
}

impl Template {
    /// A meeting.
    pub const STANDARD: Self = Self {
        name: "process-standard",
        description: "Turn raw notes into a summary with key points, action items and open questions",
        style: Style::Standard,
    };
    /// A 1:1 meeting.
    pub const FOCUSED: Self = Self {
        name: "process-focused",
        description: "The same for notes of a 1:1: feedback, career development, working together, personal topics",
        style: Style::Focused,
    };
    /// Compliance and audits.
    pub const STRUCTURED: Self = Self {
        name: "process-structured",
        description: "The same for notes of compliance and audits: evidence gaps, timelines, regulatory requirements, \
                      remediation",
        style: Style::Structured,
    };
    /// All prompts, in the order of the contract.
    pub const ALL: [Self; 3] = [Self::STANDARD, Self::FOCUSED, Self::STRUCTURED];

    /// Returns the whole prompt as one user message, because prompts of the protocol lack a system message.
    pub fn text(self, note: &Note<'_>) -> String {
        prompt(note, self.style).to_single_text()
    }
}
