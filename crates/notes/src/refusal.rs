//! Refusals: errors with the codes of the tools' contract.

use std::fmt::{self, Write};

use serde::Serialize;

use crate::display_text::replace_control_characters;

/// The kind of a refusal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Code {
    /// The note doesn't exist, or may not be read.
    FileNotFound,
    /// No workspace was set or found.
    NoWorkspace,
    /// The application isn't running, or doesn't respond.
    AppNotConnected,
    /// The model couldn't be reached, or its response is unusable.
    ApiError,
    /// The model doesn't accept more requests for now.
    RateLimited,
    /// A file is invalid: metadata that isn't JSON, processed text without sections, a damaged repository.
    ParseError,
    /// The request is invalid; nothing was read.
    InvalidArgument,
    /// A note has changed since it was read for writing.
    Conflict,
    /// The files of the workspace can't be read or written; the request is valid.
    IoError,
}

impl fmt::Display for Code {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(formatter)
    }
}

/// An error of an operation. It is displayed as its message.
///
/// The message may contain the name of a note, so it must not be logged.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    /// Its kind.
    pub code: Code,
    /// The problem, its place, and what to do.
    pub message: String,
}

impl Refusal {
    /// Creates a refusal. Control characters in the message become `�`.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: replace_control_characters(&message.into()) }
    }
}

/// The maximum number of problems at the end of a response.
const MAX_LISTED_PROBLEMS: usize = 10;

/// Appends problems to a response, each as a paragraph, and the number of further ones.
pub(crate) fn write_problems<'r>(text: &mut String, problems: impl IntoIterator<Item = &'r Refusal>) {
    let mut problems = problems.into_iter();
    for problem in problems.by_ref().take(MAX_LISTED_PROBLEMS) {
        let _infallible = write!(text, "\n\n{}: {problem}", problem.code);
    }
    let more = problems.count();
    if more > 0 {
        let _infallible = write!(text, "\n\n{more} more like these.");
    }
}
