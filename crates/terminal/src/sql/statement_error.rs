//! Errors with their position in a text of statements and commands.

use std::fmt;

use dayledger_core::Error;
use dayledger_engine::{self as engine, Position};

use super::statements::Statement;
use crate::output;

/// A section of a text that is run as a unit.
#[derive(Debug, Clone, Copy)]
pub(super) struct Excerpt<'t> {
    /// The text of the section.
    pub(super) text: &'t str,
    /// The number of the section's first line in the complete text.
    pub(super) line: u64,
    /// The complete text that contains the section.
    pub(super) whole: &'t str,
}

impl<'t> Excerpt<'t> {
    /// Returns an excerpt that is the complete text.
    pub(super) fn whole(text: &'t str) -> Self {
        Self { text, line: 1, whole: text }
    }
}

/// An error of a statement, or an error while the list of tables and functions is loaded.
#[derive(Debug, thiserror::Error)]
#[error("{error}{}", .place.as_ref().map(Place::to_string).unwrap_or_default())]
pub(super) struct StatementError {
    #[source]
    pub(super) error: Error,
    /// The position of the error, if it is known.
    pub(super) place: Option<Place>,
    /// Whether the prompt shows the hint. For an error in a statement, only the position is shown, because the position
    /// is more helpful than the hint.
    pub(super) is_hint_shown: bool,
}

impl StatementError {
    pub(super) fn new(error: engine::Error, place: Option<Place>) -> Self {
        let is_hint_shown = !matches!(error, engine::Error::Query { .. });
        Self { error: error.into(), place, is_hint_shown }
    }
}

/// A position in the text that contains a statement.
#[derive(Debug)]
pub(super) struct Place {
    pub(super) at: Position,
    pub(super) text: String,
}

impl fmt::Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, " (line {}, column {})", self.at.line, self.at.column)
    }
}

/// Returns the error of `statement`, which is inside `excerpt`.
pub(super) fn statement_error(error: engine::Error, excerpt: Excerpt<'_>, statement: &Statement) -> StatementError {
    let place = error.position().map(|position| {
        let place = statement.position_in(excerpt.text, position);
        let at = Position { line: place.line + excerpt.line - 1, ..place };
        Place { at, text: excerpt.whole.to_owned() }
    });
    StatementError::new(error, place)
}

/// The error of a command in a script, with its line.
#[derive(Debug, thiserror::Error)]
#[error("{error} (line {line})")]
struct CommandError {
    #[source]
    error: anyhow::Error,
    line: u64,
}

/// Adds the line of a command to its error. An error of a closed pipe stays unchanged.
pub(super) fn command_error(error: anyhow::Error, line: u64) -> anyhow::Error {
    if output::is_broken_pipe(&error) { error } else { CommandError { error, line }.into() }
}
