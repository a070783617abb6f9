//! Applies the privacy settings ([`Privacy`](dayledger_source::Privacy)) to `ManicTime`'s rows while they are read.
//!
//! Names of groups and timelines are redacted as soon as they are read ([`groups`]), so tables receive [`RedactedNames`]
//! and never the original. Titles, URLs and notes are redacted while their activity is read ([`activity_redactor`]). The
//! periods of hidden activities are computed once per commit ([`hidden`]).

mod activity_redactor;
mod classify;
mod errors;
mod groups;
mod hidden;
mod names;

pub(crate) use activity_redactor::{Activity, ActivityRedactor};
pub(crate) use classify::{classify, is_website};
pub(crate) use errors::redact_error;
pub(crate) use hidden::HiddenTimes;
pub(crate) use names::RedactedNames;
