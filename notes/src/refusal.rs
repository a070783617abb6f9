//! Why something was not done, with the codes of the tools' contract.

use std::fmt::{self, Write};

use crate::display_text::replace_control_characters;

/// The kind of a refusal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Code {
    /// There is no such note, or it is not one that may be read.
    FileNotFound,
    /// No workspace was named, and none was found.
    NoWorkspace,
    /// The application does not run, or does not answer.
    AppNotConnected,
    /// The model was not reached, or did not do what it was asked.
    ApiError,
    /// The model takes no more requests for now.
    RateLimited,
    /// A file is not what it should be: metadata that is no JSON, processed text without sections, a damaged repository.
    ParseError,
    /// What was asked for cannot be asked for; nothing was looked up.
    InvalidArgument,
    /// A note has changed since whoever writes it has read it.
    Conflict,
    /// The files of the workspace cannot be read or written; what was asked is not at fault.
    IoError,
}

impl Code {
    /// All, with those of the tools' contract first.
    pub const ALL: [Self; 9] = [
        Self::FileNotFound,
        Self::NoWorkspace,
        Self::AppNotConnected,
        Self::ApiError,
        Self::RateLimited,
        Self::ParseError,
        Self::InvalidArgument,
        Self::Conflict,
        Self::IoError,
    ];

    /// The code as it is sent, such as `FILE_NOT_FOUND`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::FileNotFound => "FILE_NOT_FOUND",
            Self::NoWorkspace => "NO_WORKSPACE",
            Self::AppNotConnected => "APP_NOT_CONNECTED",
            Self::ApiError => "API_ERROR",
            Self::RateLimited => "RATE_LIMITED",
            Self::ParseError => "PARSE_ERROR",
            Self::InvalidArgument => "INVALID_ARGUMENT",
            Self::Conflict => "CONFLICT",
            Self::IoError => "IO_ERROR",
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// Why something was not done. Displays as its message alone.
///
/// The message may name a note, so that it belongs into an answer and into no log.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    /// Its kind.
    pub code: Code,
    /// What is wrong, where, and what to do.
    pub message: String,
}

impl Refusal {
    /// A refusal of that kind. Control characters of what the message names are `�` in it.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: replace_control_characters(&message.into()) }
    }

    /// The kind of the refusal.
    pub const fn code(&self) -> Code {
        self.code
    }
}

/// So many problems are told at the end of an answer: who mends them hears of the others.
const MAX_LISTED_PROBLEMS: usize = 10;

/// Adds problems to the end of an answer, each as a paragraph of its own, and how many more there are.
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
