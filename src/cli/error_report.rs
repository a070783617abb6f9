//! Errors at the terminal: the message with its causes, and the hint.

use crate::request::{self, Error};

/// The message of an error with those of its causes, without the ones that are in it already.
pub(super) fn full_message(error: &anyhow::Error) -> String {
    request::full_message(&**error)
}

/// The hint of the [`Error`] that `error` is or comes from.
pub(super) fn find_hint(error: &anyhow::Error) -> Option<&str> {
    let hint = error.chain().find_map(|cause| cause.downcast_ref::<Error>()).map(|error| error.hint.as_str());
    hint.filter(|hint| !hint.is_empty())
}
