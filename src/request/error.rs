//! The error type that all requests return.

use std::error;
use std::fmt;
use std::iter;
use std::ops::{Deref, DerefMut};

use serde::Serialize;
use serde_with::skip_serializing_none;

use crate::code::{COMMAND_FAILED, Code};
use crate::engine::{self, Position};

/// Why a request failed. Bad input returns this error and never damages data.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Error(Box<ErrorDetails>);

/// What an error says.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ErrorDetails {
    /// What kind of failure it is; part of the contract.
    pub code: Code,
    /// What is wrong, in one sentence.
    pub message: String,
    /// What to do, in one line. Empty only for a command, if the message says it.
    pub hint: String,
    /// The parameter, as the caller named it.
    pub field: Option<String>,
    /// Values that would have been accepted, where there are few.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub allowed: Vec<String>,
    /// Where in a statement the mistake is.
    pub position: Option<Position>,
}

impl Error {
    /// An error that no single parameter causes.
    pub fn new(code: Code, message: impl Into<String>, hint: impl Into<String>) -> Self {
        let (message, hint) = (message.into(), hint.into());
        Self(Box::new(ErrorDetails { code, message, hint, field: None, allowed: Vec::new(), position: None }))
    }

    /// A mistake in the parameter `field`.
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

    /// The error of a command at the terminal that no tool has.
    pub fn for_command(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::new(COMMAND_FAILED, message, hint)
    }

    /// As [`Self::for_command`], with the message of `error` and of its causes.
    pub fn from_command_error(error: &(dyn error::Error + 'static), hint: impl Into<String>) -> Self {
        Self::for_command(full_message(error), hint)
    }

    /// Adds the values that would have been accepted.
    #[must_use]
    pub fn with_allowed(mut self, allowed: impl IntoIterator<Item = String>) -> Self {
        self.allowed = allowed.into_iter().collect();
        self
    }
}

/// Returns the message of an error with those of its causes, without the ones that are in it already.
pub(crate) fn full_message(error: &(dyn error::Error + 'static)) -> String {
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

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl error::Error for Error {}

impl From<engine::Error> for Error {
    fn from(error: engine::Error) -> Self {
        let mut failure = Self::new(error.code(), error.to_string(), error.hint());
        failure.position = error.position();
        failure
    }
}
