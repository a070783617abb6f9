//! What leaves towards a model: which kinds of text are redacted, which applications and sites are hidden.
//!
//! **Owns** the switches, the patterns, and what a redacted text becomes. **Does not own** where the switches are set
//! (`cli`) nor which column holds what (`tables`).
//!
//! What a text is, its place decides ([`place`]): a website's is an address or a title, a document's a path, and no more
//! is told of either than what is read strictly ([`strict`]). A free text that can contain either is redacted as a whole
//! ([`free_text`]). What is to be hidden is read loosely ([`loose`]).
//!
//! A [`Privacy`] belongs to a [`Source`](super::Source), below every view. What names activities is redacted as soon as
//! it was read ([`groups`]): the tables get [`RedactedNames`] and never what the file says. Titles, addresses and notes
//! are redacted while their activity is read ([`disclosure`]). So a filter, an order or a count sees what an answer shows
//! and nothing else. Where and when something hidden was there is read once per commit ([`hidden`]); pictures of that
//! time may not be shown ([`pictures`]).
//!
//! Invariants: without switches nothing is asked for a row; times, durations and ids of activities never change, so
//! that totals stay what they are; what is hidden looks the same whatever it was; nothing here prints a pattern.

mod activity_redactor;
mod errors;
mod free_text;
mod groups;
mod hidden;
mod hidden_screenshots;
mod intervals;
mod lenient_hosts;
mod names;
mod strict_addresses;
mod switches;
mod text_kind;

pub(crate) use activity_redactor::{Activity, ActivityRedactor};
pub(crate) use hidden::HiddenTimes;
pub use hidden_screenshots::HiddenScreenshots;
pub(crate) use names::RedactedNames;
pub(crate) use switches::{HIDDEN, REDACTED, Redactions, UNKNOWN};
pub use switches::{InvalidPattern, Pattern, Privacy, PrivacySummary, Redaction};
pub(crate) use text_kind::{TextKind, is_website};
