//! The position of an error in a statement.

use dayledger_core::Position;

use super::lexer::{LexemeKind, lexemes};

/// The text that the parser puts between a message and a position.
const AT_LINE: &str = " at Line: ";
const COLUMN: &str = ", Column: ";

/// Returns a message of the parser without its position.
pub(crate) fn strip_position(message: &str) -> &str {
    match message.rsplit_once(AT_LINE) {
        Some((rest, place)) if place.contains(COLUMN) => rest,
        _ => message,
    }
}

/// Returns the position of the first call of the function `name`.
pub(crate) fn find_call(sql: &str, name: &str) -> Option<Position> {
    let lexemes = lexemes(sql);
    let is_call = |index: usize| {
        let after = lexemes[index + 1..].iter().find(|lexeme| lexeme.part != LexemeKind::Space);
        after.is_some_and(|after| &sql[after.range.clone()] == "(")
    };
    let found = lexemes.iter().enumerate().find(|(index, lexeme)| {
        lexeme.part == LexemeKind::Name && sql[lexeme.range.clone()].eq_ignore_ascii_case(name) && is_call(*index)
    });
    found.map(|(_, lexeme)| Position::from_byte(sql, lexeme.range.start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_found_and_a_column_of_the_same_name_is_not() {
        let sql = "SELECT pieces, 'pieces(' -- pieces(\nFROM Gr\u{f6}\u{df}e, PIECES ('a', 'b')";
        assert_eq!(find_call(sql, "pieces"), Some(Position { line: 2, column: 13 }));
        assert_eq!(find_call(sql, "narrative"), None);
    }

    #[test]
    fn the_position_is_removed_from_a_message() {
        let message = "Expected: ), found: EOF at Line: 2, Column: 14";
        assert_eq!(strip_position(message), "Expected: ), found: EOF");
        assert_eq!(strip_position("a text at Line: x"), "a text at Line: x");
    }
}
