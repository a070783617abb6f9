//! The prompts of the contract. A client fills in their arguments and sends them to its own model.

use super::note::Note;
use super::style::Style;
use super::wording::prompt;

/// One of the three prompts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Template {
    /// `process-standard`.
    Standard,
    /// `process-focused`.
    Focused,
    /// `process-structured`.
    Structured,
}

impl Template {
    /// All prompts, in the order of the contract.
    pub const ALL: [Self; 3] = [Self::Standard, Self::Focused, Self::Structured];

    /// Returns the name of the prompt.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Standard => "process-standard",
            Self::Focused => "process-focused",
            Self::Structured => "process-structured",
        }
    }

    /// Returns a one-sentence description.
    pub const fn description(self) -> &'static str {
        match self {
            Self::Standard => "Turn raw notes into a summary with key points, action items and open questions",
            Self::Focused => {
                "The same for notes of a 1:1: feedback, career development, working together, personal topics"
            }
            Self::Structured => {
                "The same for notes of compliance and audits: evidence gaps, timelines, regulatory requirements, remediation"
            }
        }
    }

    /// Returns its style.
    pub const fn style(self) -> Style {
        match self {
            Self::Standard => Style::Standard,
            Self::Focused => Style::Focused,
            Self::Structured => Style::Structured,
        }
    }

    /// Returns the whole prompt as one user message, because prompts of the protocol lack a system message.
    pub fn text(self, note: &Note<'_>) -> String {
        prompt(note, self.style()).to_single_text()
    }
}
