//! Tests redaction and hiding, from the tables up to the server.
//!
//! These tests cover all ways in which private data could leak. They also check that redaction changes no total. The
//! tests in `cli/` cover the configuration.

#![cfg(test)]

mod all_outputs;
mod hidden;
mod meetings;
mod notes;
mod redaction;
mod screenshots;
mod secrets;
mod server;
mod totals;

use dayledger::App;
use dayledger::source::{Pattern, Privacy};

use crate::histories::{History, app_over, source_at};

pub(crate) fn pattern(text: &str) -> Pattern {
    Pattern::parse(text).unwrap()
}

/// Returns an app over a history with privacy settings.
fn app_with_privacy(history: &History, privacy: Privacy) -> App {
    app_over(source_at(history.folder()).with_privacy(privacy))
}
