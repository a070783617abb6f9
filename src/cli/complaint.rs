//! What is said of an error: the message with its causes, and the hint.

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
    if let Some(error) = error.downcast_ref::<Error>() {
        return Some(error.hint.clone());
    }
    if let Some(error) = error.downcast_ref::<mcp::SelectionError>() {
        return Some(error.hint());
    }
    if let Some(error) = error.downcast_ref::<install::Error>() {
        return Some(error.hint());
    }
    if let Some(error) = error.downcast_ref::<install::NotRemoved>() {
        return Some(error.hint().to_owned());
    }
    if let Some(error) = error.downcast_ref::<config_file::Error>() {
        return Some(error.hint("dayledger rules"));
    }
    if let Some(error) = error.downcast_ref::<rules::NotAdded>() {
        return Some(error.hint());
    }
    if let Some(error) = error.downcast_ref::<Misplaced>() {
        return Some(error.hint());
    }
    if let Some(error) = error.downcast_ref::<Failure>() {
        return error.hint();
    }
    if let Some(error) = error.downcast_ref::<client_page::Error>() {
        return Some(error.hint().to_owned());
    }
    if let Some(error) = error.downcast_ref::<destination::Error>() {
        return error.hint().map(str::to_owned);
    }
    if let Some(error) = error.downcast_ref::<crate::export::Error>() {
        return Some(error.hint());
    }
    error.downcast_ref::<engine::Error>().map(engine::Error::hint)
}
