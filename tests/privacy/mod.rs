//! What the switches of a source withhold, from the tables up to the server.
//!
//! Owns what must not leave, by which way it could, and that it changes no total. How switches are configured is `cli/`.

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

/// An engine over what is told of a history.
fn app_with_privacy(history: &History, privacy: Privacy) -> App {
    app_over(source_at(history.folder()).with_privacy(privacy))
}
