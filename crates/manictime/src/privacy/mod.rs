//! Applies the privacy settings ([`Privacy`](dayledger_source::Privacy)) to `ManicTime`'s rows while they are read.
//!
//! `dayledger_source` contains the rules. This module classifies texts by `ManicTime`'s types of groups
//! ([`classify`](mod@classify)), and queries the rows that the rules need. Names of groups and timelines are redacted
//! as soon as they are read ([`groups`]), so tables receive [`RedactedNames`] and never the original. Titles, URLs and
//! notes are redacted while their activity is read ([`row_redactor`]). Hidden activities are found once per commit
//! ([`hidden`]).

mod classify;
mod groups;
mod hidden;
mod row_redactor;

pub(crate) use classify::{classify, is_website};
pub(crate) use groups::RedactedNames;
pub(crate) use hidden::HiddenRows;
pub(crate) use row_redactor::RowRedactor;
