//! Mistakes in a text of statements and commands, with their place in it.

use super::statements::Statement;
use crate::cli::output;
use crate::engine::{self, Position};

/// A part of a text that is run at once.
#[derive(Debug, Clone, Copy)]
pub(super) struct Excerpt<'t> {
    /// The part.
    pub(super) text: &'t str,
    /// The number of its first line.
    pub(super) line: u64,
    /// All of the text.
    pub(super) whole: &'t str,
}

impl<'t> Excerpt<'t> {
    /// A text that is run as a whole.
    pub(super) fn whole(text: &'t str) -> Self {
        Self { text, line: 1, whole: text }
    }
}

/// A statement's mistake, with its place in the text that the statement is from.
#[derive(Debug, thiserror::Error)]
#[error("{error} (line {}, column {})", at.line, at.column)]
pub(in crate::cli) struct StatementError {
    #[source]
    pub(super) error: engine::Error,
    pub(super) at: Position,
    pub(super) text: String,
}

impl StatementError {
    pub(in crate::cli) fn hint(&self) -> String {
        self.error.hint()
    }
}

/// The error of `statement`, which is a part of `excerpt`.
pub(super) fn statement_error(error: engine::Error, excerpt: Excerpt<'_>, statement: &Statement) -> anyhow::Error {
    let Some(position) = error.position() else { return error.into() };
    let place = statement.position_in(excerpt.text, position);
    let at = Position { line: place.line + excerpt.line - 1, ..place };
    StatementError { error, at, text: excerpt.whole.to_owned() }.into()
}

/// The mistake of a command of a script.
#[derive(Debug, thiserror::Error)]
#[error("{error} (line {line})")]
struct CommandError {
    error: anyhow::Error,
    line: u64,
}

/// The error of a command on a line; a reader that has gone is no mistake of it.
pub(super) fn command_error(error: anyhow::Error, line: u64) -> anyhow::Error {
    if output::is_broken_pipe(&error) { error } else { CommandError { error, line }.into() }
}
