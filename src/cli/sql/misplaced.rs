//! Mistakes of statements by their place in the text that holds them.

use super::statements::Statement;
use crate::engine::{self, Position};

/// A statement's mistake, with its place in the text that the statement is from.
#[derive(Debug, thiserror::Error)]
#[error("{error} (line {}, column {})", at.line, at.column)]
pub(in crate::cli) struct Misplaced {
    #[source]
    error: engine::Error,
    at: Position,
}

impl Misplaced {
    pub(in crate::cli) fn hint(&self) -> String {
        self.error.hint()
    }
}

/// The error of `statement`, which is a part of `text`.
pub(super) fn misplaced(error: engine::Error, text: &str, statement: &Statement) -> anyhow::Error {
    match error.position() {
        Some(position) => Misplaced { at: statement.place_in(text, position), error }.into(),
        None => error.into(),
    }
}
