//! Privacy settings, and the redaction of texts by their kind.
//!
//! The kind of a text ([`TextKind`]) depends on its column and its timeline, and not on its content. The text of a
//! website is a URL or a title, and the text of a document is a path. If a URL or a path is redacted, only its site or
//! file name is shown, as the strict parser finds it ([`strict_addresses`]). Free text that contains a URL or a path is
//! redacted completely ([`free_text`]). To find hidden sites, the lenient parser is used ([`lenient_hosts`]).
//! Screenshots from the time of a hidden activity are also hidden ([`HiddenScreenshots`]).
//!
//! A source only decides which kind each text has. This module decides which groups are hidden
//! ([`Privacy::is_hidden_group`]), and which times are hidden because of these groups ([`HiddenTimesBuilder`]). It also
//! decides which texts of an activity are shown ([`ActivityRedactor`]). The source redacts each row before it returns
//! the row. So filters, sort orders and counts only use texts as they are shown.
//!
//! Invariants:
//!
//! - Without privacy settings, rows are read without any check.
//! - Times, durations and ids never change, so totals stay the same.
//! - A response doesn't show which hidden application or site a row belongs to: they all have the same name.
//! - Patterns are never printed.

mod activity_redactor;
mod free_text;
mod hidden_screenshots;
mod hidden_times;
mod lenient_hosts;
mod strict_addresses;
mod switches;
mod text_kind;

pub use activity_redactor::{Activity, ActivityRedactor, RedactedActivity};
pub use hidden_screenshots::HiddenScreenshots;
pub use hidden_times::{HiddenTimes, HiddenTimesBuilder};
pub use switches::{
    HIDDEN, InvalidPattern, Pattern, Privacy, PrivacySummary, REDACTED, Redaction, Redactions, UNKNOWN, is_shown,
};
pub use text_kind::TextKind;
