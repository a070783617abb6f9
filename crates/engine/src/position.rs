//! The position of an error in a statement.

use serde::{Deserialize, Serialize};

use super::lexer::{LexemeKind, lexemes};

/// The text that the parser puts between a message and a position.
const AT_LINE: &str = " at Line: ";
const COLUMN: &str = ", Column: ";

/// A position in a statement. Lines and columns start at 1, and columns are characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Position {
    /// The line.
    pub line: u64,
    /// The column.
    pub column: u64,
}

impl Position {
    /// Returns a message of the parser without its position.
    pub(super) fn strip_position(message: &str) -> &str {
        match message.rsplit_once(AT_LINE) {
            Some((rest, place)) if place.contains(COLUMN) => rest,
            _ => message,
        }
    }

    /// Returns the position of the first call of the function `name`.
    pub(super) fn find_call(sql: &str, name: &str) -> Option<Self> {
        let lexemes = lexemes(sql);
        let is_call = |index: usize| {
            let after = lexemes[index + 1..].iter().find(|lexeme| lexeme.part != LexemeKind::Space);
            after.is_some_and(|after| &sql[after.range.clone()] == "(")
        };
        let found = lexemes.iter().enumerate().find(|(index, lexeme)| {
            lexeme.part == LexemeKind::Name && sql[lexeme.range.clone()].eq_ignore_ascii_case(name) && is_call(*index)
        });
        found.map(|(_, lexeme)| Self::from_byte(sql, lexeme.range.start))
    }

    /// Returns the position of a byte of `text`.
    pub fn from_byte(text: &str, byte: usize) -> Self {
        let before = text.get(..byte).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |end| end + 1);
        let (lines, letters) = (before.matches('\n').count(), before[line_start..].chars().count());
        Self { line: lines as u64 + 1, column: letters as u64 + 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_found_and_a_column_of_the_same_name_is_not() {
        let sql = "SELECT pieces, 'pieces(' -- pieces(\nFROM Gr\u{f6}\u{df}e, PIECES ('a', 'b')";
        assert_eq!(Position::find_call(sql, "pieces"), Some(Position { line: 2, column: 13 }));
        assert_eq!(Position::find_call(sql, "narrative"), None);
    }

    #[test]
    fn the_position_is_removed_from_a_message() {
        let message = "Expected: ), found: EOF at Line: 2, Column: 14";
        assert_eq!(Position::strip_position(message), "Expected: ), found: EOF");
        assert_eq!(Position::strip_position("a text at Line: x"), "a text at Line: x");
    }
}
