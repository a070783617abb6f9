//! What is said of a file that cannot be read.

use std::fmt::Display;

use crate::refusal::Refusal;

/// `VALIDATION_ERROR` for `file`, and why.
pub(super) fn refusal(why: impl Display) -> Refusal {
    Refusal::invalid("file", format_args!("the file cannot be read as projects: {why}"))
}
