//! The error type that all requests return.

use std::error;
use std::iter;
use std::ops::{Deref, DerefMut};

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use crate::code::{COMMAND_FAILED, Code};

/// The error of a failed request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
#[error("{}", .0.message)]
#[serde(transparent)]
pub struct Error(Box<ErrorDetails>);

/// The content of an error.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ErrorDetails {
    /// The kind of failure. The code is part of the MCP API.
    pub code: Code,
    /// A description of the failure, in one sentence.
    pub message: String,
    /// Advice on how to avoid the failure, in one line. The hint may be empty only in errors of commands, and only if
    /// the message already contains the advice.
    pub hint: String,
    /// The name of the invalid parameter, as the caller wrote it.
    pub field: Option<String>,
    /// The valid values of the parameter, if there are only a few.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub allowed: Vec<String>,
    /// The position of the mistake in an SQL statement.
    pub position: Option<Position>,
}

/// A position in an SQL statement. Lines and columns start at 1, and columns are counted in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Position {
    /// The line.
    pub line: u64,
    /// The column.
    pub column: u64,
}

impl Position {
    /// Returns the line and column of the byte at index `byte` of `text`.
    pub fn from_byte(text: &str, byte: usize) -> Self {
        let before = text.get(..byte).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |end| end + 1);
        let (lines, letters) = (before.matches('\n').count(), before[line_start..].chars().count());
        Self { line: lines as u64 + 1, column: letters as u64 + 1 }
    }
}

impl Error {
    /// Creates an error that isn't about a parameter.
    pub fn new(code: Code, message: impl Into<String>, hint: impl Into<String>) -> Self {
        let (message, hint) = (message.into(), hint.into());
        Self(Box::new(ErrorDetails { code, message, hint, field: None, allowed: Vec::new(), position: None }))
    }

    /// Creates an error about the parameter `field`.
    pub fn with_field(
        code: Code,
        field: impl Into<String>,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) -> Self {
        let mut error = Self::new(code, message, hint);
        error.field = Some(field.into());
        error
    }

    /// Creates an error that only commands of the terminal return, never tools of the server.
    pub fn for_command(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::new(COMMAND_FAILED, message, hint)
    }

    /// Creates an error of a command, with the messages of `error` and of its causes.
    pub fn from_command_error(error: &(dyn error::Error + 'static), hint: impl Into<String>) -> Self {
        Self::for_command(full_message(error), hint)
    }

    /// Adds the valid values of the parameter.
    #[must_use]
    pub fn with_allowed(mut self, allowed: impl IntoIterator<Item = String>) -> Self {
        self.allowed = allowed.into_iter().collect();
        self
    }
}

/// Returns the message of an error, followed by the messages of its causes. A cause is skipped if the text already
/// contains its message.
pub fn full_message(error: &(dyn error::Error + 'static)) -> String {
    iter::successors(Some(error), |&error| error.source()).fold(String::new(), |message, cause| {
        match cause.to_string() {
            cause if message.contains(&cause) => message,
            cause if message.is_empty() => cause,
            cause => format!("{message}: {cause}"),
        }
    })
}

impl Deref for Error {
    type Target = ErrorDetails;

    fn deref(&self) -> &ErrorDetails {
        &self.0
    }
}

impl DerefMut for Error {
    fn deref_mut(&mut self) -> &mut ErrorDetails {
        &mut self.0
    }
}
