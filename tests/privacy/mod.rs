//! What the switches of a source withhold, from the tables up to the server.
//!
//! Owns what must not leave, by which way it could, and that it changes no total. How switches are configured is `cli/`.

#![cfg(test)]

mod everywhere;
mod hidden;
mod meetings;
mod notes;
mod pictures;
mod redaction;
mod secrets;
mod server;
mod totals;

use dayledger::House;
use dayledger::manictime::{Pattern, Privacy};

use crate::histories::{History, house_over, source_at};

pub(crate) fn pattern(text: &str) -> Pattern {
    Pattern::parse(text).unwrap()
}

/// An engine over what is told of a history.
fn under(history: &History, privacy: Privacy) -> House {
    house_over(source_at(history.folder()).with_privacy(privacy))
}
