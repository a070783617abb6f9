//! Prints errors on the terminal: the message with its causes, and the hint.

use crate::request::{self, Error};

/// Returns the message of an error with the messages of its causes. Leaves out causes that the message already
/// contains.
pub(super) fn full_message(error: &anyhow::Error) -> String {
    request::full_message(&**error)
}

/// Returns the hint of the [`Error`] that `error` is or was caused by.
pub(super) fn find_hint(error: &anyhow::Error) -> Option<&str> {
    let hint = error.chain().find_map(|cause| cause.downcast_ref::<Error>()).map(|error| error.hint.as_str());
    hint.filter(|hint| !hint.is_empty())
}

#[cfg(test)]
mod tests {
    use anyhow::Context;

    use super::*;

    #[test]
    fn hint_is_found_below_added_context_and_an_empty_hint_is_left_out() {
        let refused = Err::<(), _>(Error::for_command("`x` is read-only", "make it writable"));
        let refused = refused.context("cannot add the rule").unwrap_err();
        assert_eq!(full_message(&refused), "cannot add the rule: `x` is read-only");
        assert_eq!(find_hint(&refused), Some("make it writable"));
        assert_eq!(find_hint(&Error::for_command("`x` is a folder: pass a file", "").into()), None);
    }
}
