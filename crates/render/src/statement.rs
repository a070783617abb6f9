//! Shows SQL statements in colours, and marks the position of an error.

use std::io::{self, Write};

use dayledger_engine::{LexemeKind, Position, lexemes};

use super::color::Rgb;
use super::style::{ColorDepth, Style, TextStyle};
use super::text::{sanitize, width_of};

const KEYWORD: Rgb = Rgb(0x5b, 0x8d, 0xc9);
const TEXT: Rgb = Rgb(0x5a, 0xa0, 0x6c);
const NUMBER: Rgb = Rgb(0xb5, 0x6b, 0x9d);

/// The maximum length of a statement that is coloured, in bytes. The limit is needed, because the prompt colours the
/// whole statement again after each key press.
const MAX_COLORED_LENGTH: usize = 20_000;
/// If the line with an error is long, this many characters before the error are shown.
const BEFORE: usize = 24;

/// Returns a statement in colours. Returns it unchanged if the style doesn't allow colours.
pub fn paint_statement(sql: &str, style: &Style) -> String {
    if style.color == ColorDepth::None || sql.len() > MAX_COLORED_LENGTH {
        return sql.to_owned();
    }
    let painted = lexemes(sql).into_iter().map(|lexeme| {
        let text_style = match lexeme.part {
            LexemeKind::Keyword => TextStyle::Color(KEYWORD),
            LexemeKind::Text | LexemeKind::Unfinished => TextStyle::Color(TEXT),
            LexemeKind::Number => TextStyle::Color(NUMBER),
            LexemeKind::Comment => TextStyle::Faint,
            LexemeKind::Name
            | LexemeKind::QuotedName
            | LexemeKind::Space
            | LexemeKind::Semicolon
            | LexemeKind::Symbol
            | LexemeKind::Unknown => TextStyle::Plain,
        };
        style.paint(&sql[lexeme.range], text_style)
    });
    painted.collect()
}

/// Writes the line of `statement` that contains `position`, with a mark below the word at that position.
///
/// Writes nothing if the statement doesn't have such a line.
pub fn write_mistake(out: &mut dyn Write, statement: &str, position: Position, style: &Style) -> io::Result<()> {
    let index = |number: u64| usize::try_from(number).unwrap_or_default().saturating_sub(1);
    let Some(line) = statement.lines().nth(index(position.line)) else { return Ok(()) };
    let start = line.char_indices().nth(index(position.column)).map_or(line.len(), |(start, _)| start);
    // The line is split before it is sanitised, because `column` also counts the characters that are removed by
    // sanitising.
    let (before, rest) = line.split_at(start);
    let word = lexemes(rest).first().map_or(0, |first| first.range.end);
    let (word, after) = rest.split_at(word);
    let [before, word, after] = [before, word, after].map(|text| sanitize(text, style).into_owned());

    let number = position.line.to_string();
    let upright = if style.unicode { "│" } else { "|" };
    let room = style.width.saturating_sub(number.len() + 5);
    let skipped = skipped_chars(&before, &word, room);
    let shown: String = before.chars().skip(skipped).collect();
    let ellipsis = match (skipped > 0, style.unicode) {
        (false, _) => "",
        (true, true) => "…",
        (true, false) => "~",
    };
    let marked = format!("{ellipsis}{shown}");
    let mark = "^".repeat(width_of(&word).clamp(1, room.saturating_sub(width_of(&marked)).max(1)));
    let line = super::text::fit(&format!("{marked}{word}{after}"), room, style).into_owned();

    writeln!(
        out,
        "  {} {}",
        style.paint(&format!("{number} {upright}"), TextStyle::Faint),
        paint_statement(&line, style)
    )?;
    let blank = " ".repeat(number.len());
    writeln!(
        out,
        "  {} {}{}",
        style.paint(&format!("{blank} {upright}"), TextStyle::Faint),
        " ".repeat(width_of(&marked)),
        style.alarm(&mark)
    )
}

/// Returns the number of characters to omit at the start of `before`, so that `word` fits into the line.
fn skipped_chars(before: &str, word: &str, room: usize) -> usize {
    if width_of(before) + width_of(word) <= room {
        return 0;
    }
    before.chars().count().saturating_sub(BEFORE)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Style = Style { color: ColorDepth::None, width: 60, unicode: true, source_options: "" };

    fn render_mistake(statement: &str, line: u64, column: u64, style: &Style) -> String {
        let mut out = Vec::new();
        write_mistake(&mut out, statement, Position { line, column }, style).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn the_mark_is_below_the_word() {
        insta::assert_snapshot!(render_mistake("SELECT\n  '日本', durationn\nFROM tags", 2, 9, &PLAIN), @r"
          2 │   '日本', durationn
            │           ^^^^^^^^^
        ");
        assert_eq!(render_mistake("SELECT 1", 7, 1, &PLAIN), "");
    }

    #[test]
    fn an_error_at_the_end_of_a_statement_is_marked() {
        insta::assert_snapshot!(render_mistake("SELECT (1", 1, 10, &PLAIN), @r"
          1 │ SELECT (1
            │          ^
        ");
    }

    #[test]
    fn a_long_line_is_cut_around_the_error() {
        let statement = format!("SELECT {} wrong, {} FROM t", "aaaa, ".repeat(30), "bbbb, ".repeat(30));
        let drawn = render_mistake(&statement, 1, 189, &PLAIN);
        assert!(drawn.lines().all(|line| width_of(line) <= PLAIN.width), "{drawn}");
        let lines: Vec<_> = drawn.lines().collect();
        let at = lines[1].find('^').map(|byte| lines[1][..byte].chars().count()).unwrap();
        assert_eq!(lines[0].chars().skip(at).take(5).collect::<String>(), "wrong", "{drawn}");
    }

    #[test]
    fn colours_change_no_character() {
        let style = Style { color: ColorDepth::TrueColor, ..PLAIN };
        let sql = "SELECT 'x', 1 -- y\nFROM date WHERE \"a\" = 'open";
        let painted = paint_statement(sql, &style);
        let mut plain = String::new();
        let mut escape = false;
        for letter in painted.chars() {
            match letter {
                '\u{1b}' => escape = true,
                'm' if escape => escape = false,
                _ if escape => {}
                letter => plain.push(letter),
            }
        }
        assert_eq!(plain, sql);
        assert!(painted.contains("\u{1b}[38;2;91;141;201mSELECT\u{1b}[39m"), "{painted:?}");
        assert!(!painted.contains("mdate"), "a name has no colour: {painted:?}");
        assert_eq!(paint_statement(sql, &PLAIN), sql);
    }
}
