//! The position of an error in a statement.

use datafusion::common::DataFusionError;
use datafusion::sql::sqlparser::parser::ParserError;
use dayledger_core::Position;

use super::lexer::{LexemeKind, lexemes};

/// Returns the position of a DataFusion error in the statement. Returns `None` if it isn't known.
pub(crate) fn find_error(error: &DataFusionError) -> Option<Position> {
    if let Some(span) = error.diagnostic().and_then(|diagnostic| diagnostic.span) {
        return Some(Position { line: span.start.line, column: span.start.column });
    }
    // The parser reports the position only as part of its message.
    let DataFusionError::SQL(error, _) = error.find_root() else { return None };
    let (ParserError::ParserError(message) | ParserError::TokenizerError(message)) = error.as_ref() else {
        return None;
    };
    split_message(message).1
}

/// Splits a message of the parser into the message itself and the position.
pub(crate) fn split_message(message: &str) -> (&str, Option<Position>) {
    let split = || {
        let (rest, place) = message.rsplit_once(" at Line: ")?;
        let (line, column) = place.split_once(", Column: ")?;
        Some((rest, Position { line: line.parse().ok()?, column: column.parse().ok()? }))
    };
    split().map_or((message, None), |(rest, position)| (rest, Some(position)))
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
    fn a_message_is_split_from_its_position() {
        let message = "Expected: ), found: EOF at Line: 2, Column: 14";
        let position = Some(Position { line: 2, column: 14 });
        assert_eq!(split_message(message), ("Expected: ), found: EOF", position));
        assert_eq!(split_message("a text at Line: x"), ("a text at Line: x", None));
    }
}
