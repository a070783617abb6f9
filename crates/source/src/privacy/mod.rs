//! Privacy settings, and the redaction of texts by their kind.
//!
//! The kind of a text ([`TextKind`]) follows from its column and its timeline, not from its content. For a website it is
//! a URL or a title, for a document it is a path. Only a part that is parsed strictly is shown ([`strict_addresses`]).
//! Free text that contains a URL or a path is redacted completely ([`free_text`]). To find applications and sites to
//! hide, texts are parsed leniently ([`lenient_hosts`]). Screenshots of the time in which something hidden was visible
//! are hidden too ([`HiddenScreenshots`]).
//!
//! A source applies the settings to each row before it leaves the source, so filters, sort orders and counts only use what
//! a response shows. Invariants: without privacy settings, rows are read without any check. Times, durations and ids
//! never change, so totals remain the same. All hidden applications and sites look the same. No pattern is ever printed.

mod free_text;
mod hidden_screenshots;
mod intervals;
mod lenient_hosts;
mod strict_addresses;
mod switches;
mod text_kind;

pub use hidden_screenshots::{HiddenScreenshots, HiddenScreenshotsBuilder};
pub use intervals::{Interval, merge_intervals, to_interval};
pub use switches::{
    HIDDEN, InvalidPattern, Pattern, Privacy, PrivacySummary, REDACTED, Redaction, Redactions, UNKNOWN,
};
pub use text_kind::TextKind;
