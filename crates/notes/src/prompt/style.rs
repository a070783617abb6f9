//! Processing styles, and the prompts that the MCP server offers. A client fills in the arguments of a prompt and sends
//! the prompt to its own model.

use std::fmt;
use std::str::FromStr;

use serde::de::{IntoDeserializer, value};
use serde::{Deserialize, Serialize};

use super::wording::{Note, prompt};

/// The style of a record. A record is made in one of these styles when a note is processed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Style {
    /// The usual record: summary, key points, actions and questions.
    #[default]
    Standard,
    /// Only the most important points.
    Brief,
    /// More context and nuances than the standard style.
    Detailed,
    /// A record of a 1:1 meeting, with a focus on development, feedback and relationship.
    Focused,
    /// A record of an audit, with a focus on evidence, deadlines, rules and remedies.
    Structured,
}

/// The error for a text that isn't the name of a style.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("invalid style: use `standard`, `brief`, `detailed`, `focused` or `structured`")]
pub struct UnknownStyle;

impl Style {
    /// Returns the additional instructions of the style for the model. The standard style has no additional
    /// instructions.
    pub(super) const fn instruction(self) -> Option<&'static str> {
        match self {
            Self::Standard => None,
            Self::Brief => Some(
                "Style: brief. The summary and the action items are the most important parts. Leave out every point without \
                 consequences.",
            ),
            Self::Detailed => Some(
                "Style: detailed. Keep the context: the reasons for statements, the alternatives that were compared, and the \
                 disagreements.",
            ),
            Self::Focused => Some(
                "Style: focused. This was a meeting of two people. Emphasise how they work together, feedback in both \
                 directions, and career development. Mention personal topics with tact.",
            ),
            Self::Structured => Some(
                "Style: structured. This is material for compliance and audits. Emphasise missing evidence, dates and \
                 deadlines, the rules and regulations that apply, and each remedy with its owner.",
            ),
        }
    }
}

impl FromStr for Style {
    type Err = UnknownStyle;

    fn from_str(text: &str) -> Result<Self, UnknownStyle> {
        Self::deserialize(text.into_deserializer()).map_err(|_: value::Error| UnknownStyle)
    }
}

impl fmt::Display for Style {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(formatter)
    }
}

/// One of the three prompts that the MCP server offers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Template {
    /// The name of the prompt.
    pub name: &'static str,
    /// A one-sentence description of the prompt.
    pub description: &'static str,
    style: Style,
}

impl Template {
    /// The prompt for a meeting.
    pub const STANDARD: Self = Self {
        name: "process-standard",
        description: "Turn raw notes into a summary with key points, action items and open questions",
        style: Style::Standard,
    };
    /// The prompt for a 1:1 meeting.
    pub const FOCUSED: Self = Self {
        name: "process-focused",
        description: "The same for notes of a 1:1: feedback, career development, working together, personal topics",
        style: Style::Focused,
    };
    /// The prompt for compliance and audits.
    pub const STRUCTURED: Self = Self {
        name: "process-structured",
        description: "The same for notes of compliance and audits: evidence gaps, timelines, regulatory requirements, \
                      remediation",
        style: Style::Structured,
    };
    /// All prompts, in the order in which the server lists them.
    pub const ALL: [Self; 3] = [Self::STANDARD, Self::FOCUSED, Self::STRUCTURED];

    /// Returns the prompt as a single user message, because MCP prompts can't contain a system message.
    pub fn text(self, note: &Note<'_>) -> String {
        prompt(note, self.style).to_single_text()
    }
}
