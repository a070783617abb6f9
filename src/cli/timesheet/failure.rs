//! What goes wrong between a person and a draft.

use std::io;
use std::path::Path;

use crate::request::{Error, full_message};

/// How to name a week, as a hint.
pub(super) const WEEKS: &str = "pass a week such as `2025-W43`, `this week` or `last week`";

/// How somebody goes on with a text.
pub(super) fn resume_hint(text: &Path) -> String {
    format!("continue with `dayledger timesheet edit --resume {}`", text.display())
}

/// The error of a draft that is not logged, `why` first. The hint is `otherwise` if no text of the person is kept at `text`.
pub(super) fn not_logged(why: &str, text: Option<&Path>, otherwise: &str) -> Error {
    match text {
        Some(text) => {
            let message = format!("{why}nothing was logged; your text is in `{}`", text.display());
            Error::for_command(message, resume_hint(text))
        }
        None => Error::for_command(format!("{why}nothing was logged"), otherwise),
    }
}

/// The error of a file that a command cannot read or write, as `what` says.
pub(super) fn file_error(what: &str, path: &Path, error: &io::Error) -> Error {
    Error::for_command(format!("cannot {what} `{}`: {}", path.display(), full_message(error)), "")
}
