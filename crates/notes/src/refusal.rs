//! Refusals: errors with the error codes of the tools.

use std::fmt::{self, Write};

use serde::Serialize;

use crate::display_text::replace_control_characters;

/// The kind of a refusal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Code {
    /// The note doesn't exist or may not be read.
    FileNotFound,
    /// No workspace was set or found.
    NoWorkspace,
    /// Chronicle isn't running, or doesn't respond.
    AppNotConnected,
    /// The model couldn't be reached, or its response is unusable.
    ApiError,
    /// The model temporarily accepts no more requests.
    RateLimited,
    /// A file or text is invalid, for example metadata that isn't JSON, a record without sections, or a damaged
    /// repository.
    ParseError,
    /// The request is invalid. No file was read.
    InvalidArgument,
    /// The note changed between reading and writing.
    Conflict,
    /// The request is valid, but a file of the workspace can't be read or written.
    IoError,
}

impl fmt::Display for Code {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(formatter)
    }
}

/// An error of an operation. The displayed text is the message.
///
/// The message may contain the name of a note, so it must not be logged.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    /// The kind of the refusal.
    pub code: Code,
    /// The problem, the affected file or argument, and a way to solve the problem.
    pub message: String,
}

impl Refusal {
    /// Creates a refusal. Control characters in the message become `�`.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: replace_control_characters(&message.into()) }
    }
}

/// The maximum number of problems that a response lists.
const MAX_LISTED_PROBLEMS: usize = 10;

/// Appends problems to a response, each as a paragraph. If there are more problems than the maximum, appends the number
/// of remaining problems.
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
