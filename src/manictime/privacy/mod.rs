//! Redacts texts and hides applications and sites, before any row reaches a view.
//!
//! `cli` reads the settings. The column and the timeline of a text determine its kind ([`text_kind`]), not its content.
//! For a website it is a URL or a title, for a document it is a path. Only a part that is parsed strictly is shown
//! ([`strict_addresses`]). Free text that contains a URL or a path is redacted completely ([`free_text`]). To find
//! applications and sites to hide, texts are parsed leniently ([`lenient_hosts`]).
//!
//! A [`Privacy`] belongs to a [`Source`](super::Source), below every view. Names of groups and timelines are redacted
//! as soon as they are read ([`groups`]), so tables receive [`RedactedNames`] and never the original. Titles, URLs and
//! notes are redacted while their activity is read ([`activity_redactor`]). So filters, sort orders and counts only use
//! what a response shows. The periods of hidden activities are computed once per commit ([`hidden`]), and screenshots
//! from these periods are hidden too ([`hidden_screenshots`]).
//!
//! Invariants: without privacy settings, rows are read without any check. Times, durations and ids of activities never
//! change, so totals remain the same. All hidden applications and sites look the same. No pattern is ever printed.

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
