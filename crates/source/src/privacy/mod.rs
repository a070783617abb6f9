//! Privacy settings, and the redaction of texts by their kind.
//!
//! The kind of a text ([`TextKind`]) follows from its column and its timeline, not from its content. For a website it is
//! a URL or a title, for a document it is a path. Only a part that is parsed strictly is shown ([`strict_addresses`]).
//! Free text that contains a URL or a path is redacted completely ([`free_text`]). To find applications and sites to
//! hide, texts are parsed leniently ([`lenient_hosts`]). Screenshots of the time in which something hidden was visible
//! are hidden too ([`HiddenScreenshots`]).
//!
//! A source classifies its texts, and everything else is decided here: which groups are hidden
//! ([`Privacy::is_hidden_group`]), which times are hidden because of them ([`HiddenTimesBuilder`]), and which texts of an
//! activity are shown ([`ActivityRedactor`]). The source redacts each row before it leaves the source, so filters, sort
//! orders and counts only use texts that a response shows. Invariants: without privacy settings, rows are read without
//! any check. Times, durations and ids never change, so totals remain the same. All hidden applications and sites look the
//! same. No pattern is ever printed.

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
