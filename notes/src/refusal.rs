//! Why something was not done, with the codes of the tools' contract.

use std::fmt;

/// The kind of a refusal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Code {
    /// There is no such note, or none is open.
    FileNotFound,
    /// No workspace was named, and none is open.
    NoWorkspace,
    /// The application does not run, or does not answer.
    AppNotConnected,
    /// The model was not reached, or did not do what it was asked.
    ApiError,
    /// The model takes no more requests for now.
    RateLimited,
    /// What was read is not what it should be.
    ParseError,
    /// What was asked for cannot be asked for; nothing was done.
    InvalidArgument,
    /// A note has changed since whoever writes it has read it.
    Conflict,
}

impl Code {
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
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// Why something was not done, displayed as `CODE: message`.
///
/// The message may name a note, so that it belongs into an answer and into no log.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{code}: {message}")]
pub struct Refusal {
    code: Code,
    message: String,
}

impl Refusal {
    /// A refusal of that kind; the message says what is wrong, where, and what to do.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }

    /// Its kind.
    pub const fn code(&self) -> Code {
        self.code
    }
}
