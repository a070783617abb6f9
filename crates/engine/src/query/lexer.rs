//! Splits the text of a statement into its parts, for highlighting, completion and finding the end of a statement.
//!
//! The lexer uses the tokenizer of DataFusion's parser. So both agree, for example, on the end of a quoted text.

use std::ops::Range;

use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::tokenizer::{Location, Token, TokenWithSpan, Tokenizer, Whitespace};

/// The keywords for completion and highlighting, separated by spaces. The parser has many more keywords, such as `date`
/// or `path`, but also accepts most of them as names.
pub const KEYWORDS: &str = "\
    ALL AND ANTI ANY AS ASC BETWEEN BY CASE CAST CROSS CURRENT DESC DESCRIBE DISTINCT ELSE END EXCEPT EXISTS EXPLAIN \
    EXTRACT FALSE FILTER FIRST FOLLOWING FROM FULL GROUP GROUPING HAVING ILIKE IN INNER INTERSECT INTERVAL INTO IS \
    JOIN LAST LATERAL LEFT LIKE LIMIT NATURAL NOT NULL NULLS OFFSET ON OR ORDER OUTER OVER PARTITION PRECEDING \
    QUALIFY RECURSIVE RIGHT ROWS SELECT SEMI SHOW SIMILAR TABLES THEN TRUE UNION USING VALUES WHEN WHERE WITH";

/// The kind of a part of a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LexemeKind {
    /// One of [`KEYWORDS`].
    Keyword,
    /// Any other word: a table, a column or a function.
    Name,
    /// A name in double quotes.
    QuotedName,
    /// A text in any kind of quotes.
    Text,
    /// A number.
    Number,
    /// A comment.
    Comment,
    /// Whitespace.
    Space,
    /// The end of a statement.
    Semicolon,
    /// An operator or a bracket.
    Symbol,
    /// A text, name or comment that isn't closed. It can only be the last part of the statement.
    Unfinished,
    /// Text that isn't SQL. It can only be the last part of the statement.
    Unknown,
}

/// A part of a statement, and its position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lexeme {
    /// The kind.
    pub part: LexemeKind,
    /// The range in bytes.
    pub range: Range<usize>,
}

/// Splits `sql` into parts. The parts are in order and cover every byte.
pub fn lexemes(sql: &str) -> Vec<Lexeme> {
    let mut tokens: Vec<TokenWithSpan> = Vec::new();
    let dialect = GenericDialect {};
    let outcome = Tokenizer::new(&dialect, sql).with_unescape(false).tokenize_with_location_into_buf(&mut tokens);
    let mut place = TextCursor { sql, at: 0, location: Location::new(1, 1) };
    let mut found = Vec::with_capacity(tokens.len());
    for TokenWithSpan { token, span } in &tokens {
        let start = place.at;
        let end = place.advance_to(span.end);
        found.push(Lexeme { part: lexeme_kind(token), range: start..end });
    }
    if place.at < sql.len() {
        let unfinished = outcome.is_err_and(|error| {
            // The tokenizer has one type for all errors, so only the message shows whether the text is unfinished.
            error.message.starts_with("Unterminated") || error.message.contains("EOF")
        });
        let part = if unfinished { LexemeKind::Unfinished } else { LexemeKind::Unknown };
        found.push(Lexeme { part, range: place.at..sql.len() });
    }
    found
}

fn is_keyword(word: &str) -> bool {
    KEYWORDS.split(' ').any(|keyword| keyword.eq_ignore_ascii_case(word))
}

fn lexeme_kind(token: &Token) -> LexemeKind {
    match token {
        Token::Word(word) if word.quote_style.is_some() => LexemeKind::QuotedName,
        Token::Word(word) if is_keyword(&word.value) => LexemeKind::Keyword,
        Token::Word(_) => LexemeKind::Name,
        Token::Number(..) => LexemeKind::Number,
        Token::Whitespace(Whitespace::SingleLineComment { .. } | Whitespace::MultiLineComment(_)) => {
            LexemeKind::Comment
        }
        Token::Whitespace(_) => LexemeKind::Space,
        Token::SemiColon => LexemeKind::Semicolon,
        Token::SingleQuotedString(_)
        | Token::DoubleQuotedString(_)
        | Token::TripleSingleQuotedString(_)
        | Token::TripleDoubleQuotedString(_)
        | Token::DollarQuotedString(_)
        | Token::SingleQuotedByteStringLiteral(_)
        | Token::DoubleQuotedByteStringLiteral(_)
        | Token::SingleQuotedRawStringLiteral(_)
        | Token::DoubleQuotedRawStringLiteral(_)
        | Token::NationalStringLiteral(_)
        | Token::EscapedStringLiteral(_)
        | Token::UnicodeStringLiteral(_)
        | Token::HexStringLiteral(_) => LexemeKind::Text,
        _ => LexemeKind::Symbol,
    }
}

/// A position in the text that only moves forward. It converts the tokenizer's lines and columns to byte positions.
struct TextCursor<'s> {
    sql: &'s str,
    at: usize,
    location: Location,
}

impl TextCursor<'_> {
    fn advance_to(&mut self, end: Location) -> usize {
        for letter in self.sql[self.at..].chars() {
            if (self.location.line, self.location.column) >= (end.line, end.column) {
                break;
            }
            self.at += letter.len_utf8();
            if letter == '\n' {
                self.location = Location::new(self.location.line + 1, 1);
            } else {
                self.location.column += 1;
            }
        }
        self.at
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(sql: &str) -> Vec<(LexemeKind, &str)> {
        let parts = lexemes(sql).into_iter().filter(|lexeme| lexeme.part != LexemeKind::Space);
        parts.map(|lexeme| (lexeme.part, &sql[lexeme.range])).collect()
    }

    #[test]
    fn lexemes_cover_every_byte() {
        let sql =
            "select \"Gr\u{f6}\u{df}e\", 'd\u{e9}j\u{e0}\n; vu' -- \u{65e5}; x\n, $a$;$a$ FROM date /* ; */ != 1e5;";
        let parts = [
            (LexemeKind::Keyword, "select"),
            (LexemeKind::QuotedName, "\"Gr\u{f6}\u{df}e\""),
            (LexemeKind::Symbol, ","),
            (LexemeKind::Text, "'d\u{e9}j\u{e0}\n; vu'"),
            (LexemeKind::Comment, "-- \u{65e5}; x\n"),
            (LexemeKind::Symbol, ","),
            (LexemeKind::Text, "$a$;$a$"),
            (LexemeKind::Keyword, "FROM"),
            (LexemeKind::Name, "date"),
            (LexemeKind::Comment, "/* ; */"),
            (LexemeKind::Symbol, "!="),
            (LexemeKind::Number, "1e5"),
            (LexemeKind::Semicolon, ";"),
        ];
        assert_eq!(split(sql), parts);
        let all: String = lexemes(sql).into_iter().map(|lexeme| &sql[lexeme.range]).collect();
        assert_eq!(all, sql);
    }

    #[test]
    fn unterminated_text_is_the_last_lexeme() {
        for (sql, rest) in [
            ("SELECT 'a;", "'a;"),
            ("SELECT \"a;", "\"a;"),
            ("SELECT /* a;", "/* a;"),
            ("SELECT $x$ a; $y$", "$x$ a; $y$"),
        ] {
            assert_eq!(split(sql).last(), Some(&(LexemeKind::Unfinished, rest)), "{sql}");
        }
    }
}
