//! Applies the privacy settings ([`Privacy`](dayledger_source::Privacy)) to `ManicTime`'s rows while they are read.
//!
//! The crate `dayledger_source` contains the rules of redaction. This module applies them:
//!
//! - [`classify`](mod@classify) finds the kind of a text, such as a URL. The type of the text's group decides the kind.
//! - [`groups`] redacts the names of groups and timelines when they are read. So the modules that read tables receive
//!   [`RedactedNames`], and never original names.
//! - [`row_redactor`] redacts titles, URLs and notes when their activity is read.
//! - [`hidden`] finds the hidden activities once per commit.

mod classify;
mod groups;
mod hidden;
mod row_redactor;

pub(crate) use classify::{classify, is_website};
pub(crate) use groups::RedactedNames;
pub(crate) use hidden::HiddenRows;
pub(crate) use row_redactor::RowRedactor;
