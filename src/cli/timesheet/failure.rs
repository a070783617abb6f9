//! Errors of the commands that edit and log drafts.

use std::io;
use std::path::Path;

use crate::request::{Error, full_message};

/// The hint that explains how to pass a week.
pub(super) const WEEKS: &str = "pass a week such as `2025-W43`, `this week` or `last week`";

/// Returns the hint that explains how to continue with an edited text.
pub(super) fn resume_hint(text: &Path) -> String {
    format!("continue with `dayledger timesheet edit --resume {}`", text.display())
}

/// Returns the error for a draft that isn't logged, starting with the reason `why`. If the user's text was kept in the
/// file `text`, the message contains its path. Otherwise the hint is `otherwise`.
pub(super) fn not_logged(why: &str, text: Option<&Path>, otherwise: &str) -> Error {
    match text {
        Some(text) => {
            let message = format!("{why}nothing was logged; your text is in `{}`", text.display());
            Error::for_command(message, resume_hint(text))
        }
        None => Error::for_command(format!("{why}nothing was logged"), otherwise),
    }
}

/// Returns the error for a file that a command can't read or write; `what` is the action.
pub(super) fn file_error(what: &str, path: &Path, error: &io::Error) -> Error {
    Error::for_command(format!("cannot {what} `{}`: {}", path.display(), full_message(error)), "")
}
