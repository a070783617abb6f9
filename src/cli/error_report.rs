//! What is said of an error: the message with its causes, and the hint.

use std::fmt::{Debug, Display};

use super::sql::statement_error::StatementError;
use super::timesheet::failure::Failure;
use super::{client_page, config_file, destination, install, rules};
use crate::engine;
use crate::mcp;
use crate::request::Error;

/// The error with its causes, without those that it tells already.
pub(super) fn full_message(error: &anyhow::Error) -> String {
    error.chain().fold(String::new(), |message, cause| match cause.to_string() {
        cause if message.contains(&cause) => message,
        cause if message.is_empty() => cause,
        cause => format!("{message}: {cause}"),
    })
}

/// What to do about it, where that is known.
pub fn find_hint(error: &anyhow::Error) -> Option<String> {
    downcast_hint(error, |error: &Error| error.hint.clone())
        .or_else(|| downcast_hint(error, mcp::SelectionError::hint))
        .or_else(|| downcast_hint(error, install::Error::hint))
        .or_else(|| downcast_hint(error, install::RemoveError::hint))
        .or_else(|| downcast_hint(error, |error: &config_file::Error| error.hint("dayledger rules")))
        .or_else(|| downcast_hint(error, rules::AddError::hint))
        .or_else(|| downcast_hint(error, StatementError::hint))
        .or_else(|| error.downcast_ref().and_then(Failure::hint))
        .or_else(|| downcast_hint(error, client_page::Error::hint))
        .or_else(|| error.downcast_ref().and_then(destination::Error::hint).map(str::to_owned))
        .or_else(|| downcast_hint(error, crate::export::Error::hint))
        .or_else(|| downcast_hint(error, engine::Error::hint))
}

/// Returns the hint of an error of type `E`.
pub fn downcast_hint<E, H>(error: &anyhow::Error, hint: impl FnOnce(&E) -> H) -> Option<String>
where
    E: Display + Debug + Send + Sync + 'static,
    H: Into<String>,
{
    error.downcast_ref().map(hint).map(Into::into)
}
