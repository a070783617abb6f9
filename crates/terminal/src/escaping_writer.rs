//! Escapes control characters, so that a title, a file name or a server's response can't control the terminal.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, Write};

use dayledger_render::{is_own_color, is_unsafe_char};

/// Bytes after which text can be split. No character, colour sequence or Windows line ending continues after one of
/// these bytes.
const BREAK_BYTES: &[u8] = b" ,\n";

/// A writer to stdout or stderr, for text that people read on a terminal.
///
/// Writes each control character in the notation of JSON, for example `\u001b`, so that JSON stays valid. Marks that
/// reorder or hide text are written in the same way, except for the joiners of Persian words and emoji. Line endings
/// and tabs stay unchanged. If colours are expected, dayledger's own colour sequences also stay unchanged.
pub(super) struct EscapingWriter<W: Write> {
    out: W,
    passes: AllowedCharacters,
    /// The unwritten end of the input, which may be the start of a sequence.
    rest: Vec<u8>,
}

/// The characters that stay unchanged, in addition to printable ASCII, line endings and tabs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct AllowedCharacters {
    /// Printable characters outside ASCII.
    pub(super) unicode: bool,
    /// The colour sequences of [`Style`](dayledger_render::Style).
    pub(super) colors: bool,
}

impl AllowedCharacters {
    /// Allows all printable characters, but no colours.
    pub(super) const TEXT: Self = Self { unicode: true, colors: false };

    fn allows(self, character: char) -> bool {
        matches!(character, '\n' | '\t') || !is_unsafe_char(character) && (self.unicode || character.is_ascii())
    }
}

impl<W: Write> EscapingWriter<W> {
    pub(super) fn new(out: W, passes: AllowedCharacters) -> Self {
        Self { out, passes, rest: Vec::new() }
    }

    /// Writes the unwritten end of the input.
    fn write_rest(&mut self) -> io::Result<()> {
        let mut shown = String::with_capacity(self.rest.len());
        escape(&String::from_utf8_lossy(&self.rest), self.passes, &mut shown);
        self.rest.clear();
        self.out.write_all(shown.as_bytes())
    }
}

impl<W: Write> Write for EscapingWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let end = bytes.iter().rposition(|byte| BREAK_BYTES.contains(byte)).map_or(0, |at| at + 1);
        let (whole, begun) = bytes.split_at(end);
        self.rest.extend_from_slice(whole);
        if !whole.is_empty() {
            self.write_rest()?;
        }
        self.rest.extend_from_slice(begun);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.write_rest()?;
        self.out.flush()
    }
}

impl<W: Write> Drop for EscapingWriter<W> {
    fn drop(&mut self) {
        // `drop` can't return an error. A caller that needs the error calls `flush`.
        let _ = self.flush();
    }
}

/// Escapes a text in the same way as [`EscapingWriter`]. Colour sequences are also escaped.
pub(super) fn escape_text(text: &str) -> Cow<'_, str> {
    if text.chars().all(|character| AllowedCharacters::TEXT.allows(character)) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    escape(text, AllowedCharacters::TEXT, &mut shown);
    Cow::Owned(shown)
}

fn escape(mut text: &str, passes: AllowedCharacters, shown: &mut String) {
    while let Some(at) = text.find(|character: char| !passes.allows(character)) {
        let (plain, special) = text.split_at(at);
        shown.push_str(plain);
        let length = allowed_prefix_length(special, passes);
        let (passing, rest) = special.split_at(length);
        shown.push_str(passing);
        text = rest;
        if length == 0 {
            let mut characters = rest.chars();
            // The notation has four digits. A character with a larger number is therefore written as its two UTF-16
            // units, as in JSON.
            for unit in characters.next().unwrap_or_default().encode_utf16(&mut [0; 2]) {
                // Writing to a string can't fail.
                let _ = write!(shown, "\\u{unit:04x}");
            }
            text = characters.as_str();
        }
    }
    shown.push_str(text);
}

/// Returns the length in bytes of a Windows line ending, or of an expected colour sequence, at the start of `text`.
fn allowed_prefix_length(text: &str, passes: AllowedCharacters) -> usize {
    if text.starts_with("\r\n") {
        return 2;
    }
    let color = text.strip_prefix("\u{1b}[").filter(|_| passes.colors).and_then(|color| color.split_once('m'));
    match color {
        Some((numbers, _)) if is_own_color(numbers) => numbers.len() + 3,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLORS: AllowedCharacters = AllowedCharacters { colors: true, ..AllowedCharacters::TEXT };
    const ASCII: AllowedCharacters = AllowedCharacters { unicode: false, colors: false };

    /// Returns the output for `bytes`. Checks that the output doesn't depend on the length of the individual writes.
    #[track_caller]
    fn write_in_chunks(bytes: &[u8], passes: AllowedCharacters) -> String {
        let mut outcomes = (1..=bytes.len().max(1)).map(|length| {
            let mut out = Vec::new();
            let mut visible = EscapingWriter::new(&mut out, passes);
            for part in bytes.chunks(length) {
                visible.write_all(part).unwrap();
            }
            visible.flush().unwrap();
            drop(visible);
            String::from_utf8(out).unwrap()
        });
        let first = outcomes.next().unwrap();
        assert!(outcomes.all(|outcome| outcome == first), "the output depends on the size of the chunks: {first}");
        first
    }

    #[test]
    fn control_characters_and_reordering_marks_are_shown_as_in_json() {
        let osc = "a\u{1b}]52;c;eA==\u{7}b";
        assert_eq!(write_in_chunks(osc.as_bytes(), AllowedCharacters::TEXT), r"a\u001b]52;c;eA==\u0007b");
        assert_eq!(escape_text(osc), r"a\u001b]52;c;eA==\u0007b");
        let marks = "\u{9b}31m\u{7f}\u{202e}\u{2066}\u{200b}\u{feff}\0";
        assert_eq!(
            write_in_chunks(marks.as_bytes(), AllowedCharacters::TEXT),
            r"\u009b31m\u007f\u202e\u2066\u200b\ufeff\u0000"
        );
        let json: String = serde_json::from_str(&format!("\"{}\"", escape_text(marks))).unwrap();
        assert_eq!(json, marks, "JSON stays the same JSON");
    }

    #[test]
    fn text_of_any_language_passes() {
        let text = "می\u{200c}خواهم 👩\u{200d}💻 Grün\ta\nb\r\nc";
        assert_eq!(write_in_chunks(text.as_bytes(), AllowedCharacters::TEXT), text);
        assert_eq!(write_in_chunks("Grün 💻".as_bytes(), ASCII), r"Gr\u00fcn \ud83d\udcbb");
    }

    #[test]
    fn a_carriage_return_passes_only_at_a_line_end() {
        assert_eq!(write_in_chunks(b"paid\rfree\r\n\r", AllowedCharacters::TEXT), "paid\\u000dfree\r\n\\u000d");
    }

    #[test]
    fn only_own_colours_pass_and_only_if_they_are_expected() {
        let own = "\u{1b}[1mtitle\u{1b}[22m \u{1b}[38;5;196mred\u{1b}[39m \u{1b}[38;2;196;106;106mred\u{1b}[39m";
        assert_eq!(write_in_chunks(own.as_bytes(), COLORS), own);
        assert!(!write_in_chunks(own.as_bytes(), AllowedCharacters::TEXT).contains('\u{1b}'));
        for foreign in ["\u{1b}[2J", "\u{1b}[8m", "\u{1b}[0m", "\u{1b}[31m", "\u{1b}[38;5;m", "\u{1b}[1;8m", "\u{1b}c"]
        {
            assert!(!write_in_chunks(foreign.as_bytes(), COLORS).contains('\u{1b}'), "{foreign:?}");
        }
        assert_eq!(
            write_in_chunks(b"\x1b[1mtitle\x1b[2", COLORS),
            "\u{1b}[1mtitle\\u001b[2",
            "an incomplete escape sequence"
        );
    }

    #[test]
    fn invalid_utf_8_does_not_reach_the_terminal() {
        assert_eq!(write_in_chunks(b"a\x9bb\xffc", AllowedCharacters::TEXT), "a\u{fffd}b\u{fffd}c");
        assert_eq!(write_in_chunks(b"a\xe2\x80", AllowedCharacters::TEXT), "a\u{fffd}");
    }
}
