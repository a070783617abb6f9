//! Splits text into statements and commands.

use std::borrow::Cow;

use dayledger_engine::{Lexeme, LexemeKind, Position, lexemes};

use super::commands;

/// A statement inside a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Statement {
    /// The statement, without the spaces and comments around it.
    pub(super) text: String,
    /// The position of the statement's start in the original text, in bytes.
    start: usize,
}

impl Statement {
    /// Converts a position in this statement to a position in the original text.
    pub(super) fn position_in(&self, text: &str, position: Position) -> Position {
        let start = Position::from_byte(text, self.start);
        match position.line {
            1 => Position { line: start.line, column: start.column + position.column - 1 },
            line => Position { line: start.line + line - 1, ..position },
        }
    }
}

/// Splits a text at the semicolons that end statements. Leaves out empty statements. Includes an unfinished statement,
/// so that the engine reports its error.
pub(super) fn split(text: &str) -> Vec<Statement> {
    let lexemes = lexemes(text);
    let statements = lexemes.split(|lexeme| lexeme.part == LexemeKind::Semicolon);
    let statements = statements.filter_map(|statement| {
        let first = statement.iter().find(|lexeme| is_significant(lexeme))?.range.start;
        let last = statement.iter().rfind(|lexeme| is_significant(lexeme))?.range.end;
        Some(Statement { text: text[first..last].to_owned(), start: first })
    });
    statements.collect()
}

/// The kind of text that is missing at the end of an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Missing {
    /// The semicolon of the last statement.
    Semicolon,
    /// The end of a quoted text, of a quoted name or of a comment.
    End,
}

/// Returns the kind of text that is missing at the end of `text`. Returns `None` if the last statement ends with its
/// semicolon, or if the text contains no statement.
pub(super) fn missing_end(text: &str) -> Option<Missing> {
    let lexemes = lexemes(text);
    if lexemes.last().is_some_and(|lexeme| lexeme.part == LexemeKind::Unfinished) {
        return Some(Missing::End);
    }
    match lexemes.iter().rfind(|lexeme| is_significant(lexeme)).map(|lexeme| lexeme.part) {
        None | Some(LexemeKind::Semicolon) => None,
        // The text contains an error that a further line can't correct.
        Some(LexemeKind::Unknown) if text.trim_end().ends_with(';') => None,
        Some(_) => Some(Missing::Semicolon),
    }
}

/// An entry of the input, with the number of its first line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Entry<'t> {
    /// A line with a command.
    Command { line: u64, text: &'t str },
    /// Complete statements on consecutive lines.
    Statements { line: u64, text: String },
    /// The last statement, if it doesn't end with a semicolon.
    Begun { line: u64, text: String },
}

impl Entry<'_> {
    /// Returns the number of the entry's first line.
    pub(super) fn line(&self) -> u64 {
        match self {
            Self::Command { line, .. } | Self::Statements { line, .. } | Self::Begun { line, .. } => *line,
        }
    }
}

/// Splits a text line by line, as if each line had been typed at the prompt. Typed, piped and file input are split in
/// the same way. A command may be between the lines of a statement, and the statement continues after the command.
/// Lines inside quotes or comments are never commands. A first line that starts with `#!` is skipped, because it names
/// the program that runs the script.
pub(super) fn entries(text: &str) -> Vec<Entry<'_>> {
    let mut entries = Vec::new();
    let mut begun = String::new();
    // `first` is the first line of the statement in `begun`. `next` is the line after the last complete statement.
    let (mut first, mut next) = (1, 1);
    for (number, line) in (1..).zip(text.split_inclusive('\n')) {
        if number == 1 && line.starts_with("#!") {
            continue;
        }
        if is_command(&begun, line) {
            entries.push(Entry::Command { line: number, text: line.trim_end_matches(['\r', '\n']) });
            continue;
        }
        if begun.is_empty() && line.trim().is_empty() {
            continue;
        }
        if begun.is_empty() {
            first = number;
        }
        let line = with_semicolon(&begun, line);
        // After the first line of a statement, only a line with `;` or `*/` can complete it. Without this check, a long
        // statement would be parsed again for each of its lines.
        let may_end = begun.is_empty() || line.contains(';') || line.contains("*/");
        begun.push_str(&line);
        if !begun.ends_with('\n') {
            begun.push('\n');
        }
        if may_end && missing_end(&begun).is_none() {
            let whole = std::mem::take(&mut begun);
            match entries.last_mut() {
                Some(Entry::Statements { text, .. }) => {
                    // Adds the blank lines that were skipped. Otherwise the line number of an error would be too small.
                    text.extend((next..first).map(|_| '\n'));
                    text.push_str(&whole);
                }
                _ => entries.push(Entry::Statements { line: first, text: whole }),
            }
            next = number + 1;
        }
    }
    if !begun.is_empty() {
        entries.push(Entry::Begun { line: first, text: begun });
    }
    entries
}

fn is_command(begun: &str, line: &str) -> bool {
    commands::is_command(line)
        && match missing_end(begun) {
            None => true,
            Some(Missing::Semicolon) => commands::ends_statement(line),
            Some(Missing::End) => false,
        }
}

/// Replaces a `\g` at the end of a statement with a semicolon. Like psql, dayledger accepts both `\g` and a semicolon.
fn with_semicolon<'l>(begun: &str, line: &'l str) -> Cow<'l, str> {
    let Some(before) = line.trim_end().strip_suffix("\\g") else { return Cow::Borrowed(line) };
    let ends = |line: &str| missing_end(&format!("{begun}{line}")).is_none();
    let whole = format!("{before};");
    if ends(&whole) && !ends(before) { Cow::Owned(whole) } else { Cow::Borrowed(line) }
}

/// Whether the input can be run: either it is complete, or its last line is a command.
pub(super) fn can_be_entered(text: &str) -> bool {
    let last_line = text.trim_end().lines().last();
    match entries(text).as_slice() {
        [.., Entry::Command { text, .. }, Entry::Begun { .. }] => last_line == Some(text.trim_end()),
        [.., Entry::Begun { .. }] => false,
        _ => true,
    }
}

fn is_significant(lexeme: &Lexeme) -> bool {
    !matches!(lexeme.part, LexemeKind::Space | LexemeKind::Comment)
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
    fn statement_continues_until_its_semicolon() {
        for open in
            ["SELECT 1", "SELECT 'a;", "SELECT 1 -- x;", "SELECT /* ;", "SELECT \"a;", "SELECT $$;", "SELECT 1; S"]
        {
            assert!(missing_end(open).is_some(), "{open}");
        }
        for complete in ["SELECT 1;", "SELECT 1; -- x", "", "  \n", "-- only a comment", "SELECT $$;$$;", "SELECT 1;;"]
        {
            assert_eq!(missing_end(complete), None, "{complete}");
        }
        assert_eq!(missing_end("SELECT 1\n"), Some(Missing::Semicolon));
        assert_eq!(missing_end("SELECT 'it;\n"), Some(Missing::End));
    }

    fn parts(text: &str) -> Vec<String> {
        let part = |entry: Entry<'_>| match entry {
            Entry::Command { text, .. } => format!("command {text}"),
            Entry::Statements { text, .. } => format!("statements {text}"),
            Entry::Begun { text, .. } => format!("begun {text}"),
        };
        entries(text).into_iter().map(part).collect()
    }

    #[test]
    fn command_on_the_last_line_is_separate_from_the_statement() {
        assert_eq!(parts("SELECT 1\n\\q"), ["command \\q", "begun SELECT 1\n"]);
        assert_eq!(parts("SELECT 1\nexit\n"), ["command exit", "begun SELECT 1\n"]);
        assert_eq!(parts("SELECT 1;\n\\d tags"), ["statements SELECT 1;\n", "command \\d tags"]);
        for statement in ["SELECT 1\n.5", "SELECT a\n.help", "SELECT 'a\n\\q", "SELECT /*\nexit", "SELECT 1\nhelp"] {
            assert_eq!(parts(statement), [format!("begun {statement}\n")], "{statement}");
            assert!(!can_be_entered(statement), "{statement}");
        }
        for entered in ["\\q", "exit", "", "SELECT 1;", "SELECT 1\n\\q", "\\timing off\nSELECT 1;"] {
            assert!(can_be_entered(entered), "{entered}");
        }
        assert!(!can_be_entered("\\timing off\nSELECT 1"));
    }

    /// Statements after a command in the same pasted text used to be lost.
    #[test]
    fn commands_and_statements_of_one_paste_keep_their_order() {
        assert_eq!(
            parts("\\timing off\nSELECT 1;\nSELECT\n2;\n\n\\examples 1\n\\examples 2\nSELECT 3;\n"),
            [
                "command \\timing off",
                "statements SELECT 1;\nSELECT\n2;\n",
                "command \\examples 1",
                "command \\examples 2",
                "statements SELECT 3;\n"
            ]
        );
        assert_eq!(parts("SELECT 'a;\n\\q\n';"), ["statements SELECT 'a;\n\\q\n';\n"]);
    }

    /// In a script, `exit;`, `\q`, `.mode csv` and a first line `#!` used to be read as SQL.
    #[test]
    fn parts_of_a_script_have_their_line_numbers() {
        let script = "#!/usr/bin/env -S dayledger sql -f\n.mode csv\r\n\n/* a\n\\q */ SELECT 1;\n\nSELECT 'x\r\ny';\n\
                      exit;\n\nSELECT\n3";
        let statements = "/* a\n\\q */ SELECT 1;\n\nSELECT 'x\r\ny';\n".to_owned();
        let expected = [
            Entry::Command { line: 2, text: ".mode csv" },
            Entry::Statements { line: 4, text: statements },
            Entry::Command { line: 9, text: "exit;" },
            Entry::Begun { line: 11, text: "SELECT\n3\n".to_owned() },
        ];
        assert_eq!(entries(script), expected);
    }

    #[test]
    fn a_statement_may_end_with_backslash_g() {
        assert_eq!(parts("SELECT 1 \\g\nSELECT\n2\n\\g\n"), ["statements SELECT 1 ;\nSELECT\n2\n;\n"]);
        assert_eq!(parts("\\g"), ["command \\g"], "there is no statement to end");
        for text in ["SELECT 'a\\g", "SELECT 1 -- \\g"] {
            assert_eq!(parts(text), [format!("begun {text}\n")], "`\\g` in a text or a comment ends nothing");
        }
        assert!(can_be_entered("SELECT 1\n\\g"));
    }

    #[test]
    fn error_position_is_in_the_whole_text() {
        let text = "SELECT 1;\n-- two\n  SELECT a,\n  b;";
        let statement = &split(text)[1];
        let place = |line, column| statement.position_in(text, Position { line, column });
        assert_eq!(place(1, 8), Position { line: 3, column: 10 });
        assert_eq!(place(2, 3), Position { line: 4, column: 3 });
    }
}
