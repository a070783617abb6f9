//! Where statements end.

use crate::engine::{Lexeme, Part, Position, lexemes};

/// A statement of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Statement {
    /// The statement, without what stands before and after it.
    pub(super) text: String,
    /// Where it begins in the text that it is from, in bytes.
    start: usize,
}

impl Statement {
    /// A place of this statement as a place of the text that it is from.
    pub(super) fn place_in(&self, text: &str, position: Position) -> Position {
        let start = Position::at(text, self.start);
        match position.line {
            1 => Position { line: start.line, column: start.column + position.column - 1 },
            line => Position { line: start.line + line - 1, ..position },
        }
    }
}

/// Splits a text at the semicolons that end statements, leaving out empty ones. What lacks its end is one too: the
/// engine says what is missing.
pub(super) fn split(text: &str) -> Vec<Statement> {
    let lexemes = lexemes(text);
    let statements = lexemes.split(|lexeme| lexeme.part == Part::Semicolon);
    let statements = statements.filter_map(|statement| {
        let first = statement.iter().find(|lexeme| says_something(lexeme))?.range.start;
        let last = statement.iter().rfind(|lexeme| says_something(lexeme))?.range.end;
        Some(Statement { text: text[first..last].to_owned(), start: first })
    });
    statements.collect()
}

/// Whether nothing is missing at the end: the last statement has its semicolon, or there is none.
pub(super) fn is_complete(text: &str) -> bool {
    let lexemes = lexemes(text);
    match lexemes.iter().rfind(|lexeme| says_something(lexeme)).map(|lexeme| lexeme.part) {
        None | Some(Part::Semicolon) => !lexemes.last().is_some_and(|lexeme| lexeme.part == Part::Unfinished),
        // No further line makes SQL of it.
        Some(Part::Unknown) => text.trim_end().ends_with(';'),
        Some(_) => false,
    }
}

fn says_something(lexeme: &Lexeme) -> bool {
    !matches!(lexeme.part, Part::Space | Part::Comment)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<String> {
        split(text).into_iter().map(|statement| statement.text).collect()
    }

    #[test]
    fn semicolons_end_statements_but_not_inside_texts_and_comments() {
        let text = "SELECT ';' AS a; -- one; two\n;\nSELECT \"b;c\" FROM t /* ; */ WHERE x = 'it''s'";
        assert_eq!(texts(text), ["SELECT ';' AS a", "SELECT \"b;c\" FROM t /* ; */ WHERE x = 'it''s'"]);
        assert_eq!(texts("SELECT $q$ a;b $q$; SELECT 'open; text"), ["SELECT $q$ a;b $q$", "SELECT 'open; text"]);
        assert_eq!(texts(" ; -- nothing\n;"), [""; 0]);
    }

    #[test]
    fn a_statement_keeps_its_characters() {
        assert_eq!(texts("SELECT a != 1e5,\tE'\\n'\r\nFROM t;"), ["SELECT a != 1e5,\tE'\\n'\r\nFROM t"]);
    }

    #[test]
    fn a_statement_goes_on_until_its_semicolon() {
        for open in
            ["SELECT 1", "SELECT 'a;", "SELECT 1 -- x;", "SELECT /* ;", "SELECT \"a;", "SELECT $$;", "SELECT 1; S"]
        {
            assert!(!is_complete(open), "{open}");
        }
        for complete in ["SELECT 1;", "SELECT 1; -- x", "", "  \n", "-- only a comment", "SELECT $$;$$;", "SELECT 1;;"]
        {
            assert!(is_complete(complete), "{complete}");
        }
    }

    #[test]
    fn a_place_is_told_in_the_text_that_the_statement_is_from() {
        let text = "SELECT 1;\n-- two\n  SELECT a,\n  b;";
        let statement = &split(text)[1];
        let place = |line, column| statement.place_in(text, Position { line, column });
        assert_eq!(place(1, 8), Position { line: 3, column: 10 });
        assert_eq!(place(2, 3), Position { line: 4, column: 3 });
    }
}
