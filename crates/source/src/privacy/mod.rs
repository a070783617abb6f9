//! Privacy settings, and the redaction of texts by their kind.
//!
//! The kind of a text ([`TextKind`]) depends on its column and its timeline, and not on its content. The text of a
//! website is a URL or a title, and the text of a document is a path. From a redacted URL or path, only the text that
//! the strict parser recognises is shown ([`strict_addresses`]). Free text that contains a URL or a path is redacted
//! completely ([`free_text`]). To find hidden applications and sites, texts are parsed leniently ([`lenient_hosts`]).
//! Screenshots from the time of a hidden activity are also hidden ([`HiddenScreenshots`]).
//!
//! A source only decides which kind each text has. This module decides which groups are hidden
//! ([`Privacy::is_hidden_group`]), which times are hidden because of these groups ([`HiddenTimesBuilder`]), and which
//! texts of an activity are shown ([`ActivityRedactor`]). The source redacts each row before it returns the row. So
//! filters, sort orders and counts only use texts that a response shows.
//!
//! Invariants:
//!
//! - Without privacy settings, rows are read without any check.
//! - Times, durations and ids never change, so totals stay the same.
//! - All hidden applications and sites look the same.
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
    HIDDEN, InvalidPattern, Pattern, Privacy, PrivacySummary, REDACTED, Redaction, Redactions, UNKNOWN,
};
pub use text_kind::TextKind;
