//! What is said of an error: the message with its causes, and the hint.

use std::fmt::{Debug, Display};

use super::sql::misplaced::Misplaced;
use super::timesheet::failure::Failure;
use super::{client_page, config_file, destination, install, rules};
use crate::engine;
use crate::mcp;
use crate::question::Error;

/// The error with its causes, without those that it tells already.
pub(super) fn message_of(error: &anyhow::Error) -> String {
    error.chain().fold(String::new(), |message, cause| match cause.to_string() {
        cause if message.contains(&cause) => message,
        cause if message.is_empty() => cause,
        cause => format!("{message}: {cause}"),
    })
}

/// What to do about it, where that is known.
pub fn hint_of(error: &anyhow::Error) -> Option<String> {
    hint(error, |error: &Error| error.hint.clone())
        .or_else(|| hint(error, mcp::SelectionError::hint))
        .or_else(|| hint(error, install::Error::hint))
        .or_else(|| hint(error, install::NotRemoved::hint))
        .or_else(|| hint(error, |error: &config_file::Error| error.hint("dayledger rules")))
        .or_else(|| hint(error, rules::NotAdded::hint))
        .or_else(|| hint(error, Misplaced::hint))
        .or_else(|| error.downcast_ref().and_then(Failure::hint))
        .or_else(|| hint(error, client_page::Error::hint))
        .or_else(|| error.downcast_ref().and_then(destination::Error::hint).map(str::to_owned))
        .or_else(|| hint(error, crate::export::Error::hint))
        .or_else(|| hint(error, engine::Error::hint))
}

/// Returns the hint of an error of type `E`.
pub fn hint<E, H>(error: &anyhow::Error, hint: impl FnOnce(&E) -> H) -> Option<String>
where
    E: Display + Debug + Send + Sync + 'static,
    H: Into<String>,
{
    error.downcast_ref().map(hint).map(Into::into)
}
