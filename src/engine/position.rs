//! Where in a statement a mistake is.

use datafusion::common::DataFusionError;
use datafusion::sql::sqlparser::parser::ParserError;

use super::lexicon::{Part, lexemes};

/// A place in a statement as it was written: line and column, both from 1, the column in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// The line.
    pub line: usize,
    /// The character of that line.
    pub column: usize,
}

/// What the parser puts between a message and a place.
const AT_LINE: &str = " at Line: ";
const COLUMN: &str = ", Column: ";

impl Position {
    /// The place that an error of planning tells.
    pub(super) fn of(error: &DataFusionError) -> Option<Self> {
        if let DataFusionError::SQL(parsing, _) = error.find_root()
            && let ParserError::ParserError(message) | ParserError::TokenizerError(message) = parsing.as_ref()
        {
            return Self::in_message(message).map(|(_, position)| position);
        }
        let start = error.diagnostic()?.span?.start;
        Self::new(start.line, start.column)
    }

    /// A message of the parser without its place.
    pub(super) fn cut_off(message: &str) -> &str {
        Self::in_message(message).map_or(message, |(rest, _)| rest)
    }

    /// The first call of the function `name`.
    pub(super) fn of_call(sql: &str, name: &str) -> Option<Self> {
        let lexemes = lexemes(sql);
        let is_call = |index: usize| {
            let after = lexemes[index + 1..].iter().find(|lexeme| lexeme.part != Part::Space);
            after.is_some_and(|after| &sql[after.range.clone()] == "(")
        };
        let found = lexemes.iter().enumerate().find(|(index, lexeme)| {
            lexeme.part == Part::Name && sql[lexeme.range.clone()].eq_ignore_ascii_case(name) && is_call(*index)
        });
        found.map(|(_, lexeme)| Self::at(sql, lexeme.range.start))
    }

    /// The place of a byte of `text`.
    pub fn at(text: &str, byte: usize) -> Self {
        let before = text.get(..byte).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |end| end + 1);
        Self { line: before.matches('\n').count() + 1, column: before[line_start..].chars().count() + 1 }
    }

    fn new(line: u64, column: u64) -> Option<Self> {
        // The parser's empty places are at line 0.
        let position = Self { line: usize::try_from(line).ok()?, column: usize::try_from(column).ok()? };
        (position.line > 0 && position.column > 0).then_some(position)
    }

    fn in_message(message: &str) -> Option<(&str, Self)> {
        let (rest, place) = message.rsplit_once(AT_LINE)?;
        let (line, column) = place.split_once(COLUMN)?;
        Some((rest, Self::new(line.parse().ok()?, column.trim_end().parse().ok()?)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_found_and_a_column_of_the_same_name_is_not() {
        let sql = "SELECT pieces, 'pieces(' -- pieces(\nFROM Gr\u{f6}\u{df}e, PIECES ('a', 'b')";
        assert_eq!(Position::of_call(sql, "pieces"), Some(Position { line: 2, column: 13 }));
        assert_eq!(Position::of_call(sql, "narrative"), None);
    }

    #[test]
    fn the_place_of_a_message_is_taken_out_of_it() {
        let message = "Expected: ), found: EOF at Line: 2, Column: 14";
        assert_eq!(Position::cut_off(message), "Expected: ), found: EOF");
        assert_eq!(Position::cut_off("a text at Line: x"), "a text at Line: x");
    }
}
