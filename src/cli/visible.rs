//! Control characters made visible, so that no title, file name or answer of a server controls the terminal.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, Write};

use crate::report::{is_own_color, is_unruly};

/// Bytes after which a text can be cut: no character, colour or line end of Windows goes on after one of them.
const CUTS: &[u8] = b" ,\n";

/// A writer to a terminal, or to stderr, through which everything goes that a person reads there.
///
/// Each control character is written as `\u001b`, the notation of JSON, so that JSON stays JSON. So are marks that reorder
/// or hide text, but not the joiners of Persian words and emoji. Line ends and tabs pass, and dayledger's own colours if
/// they are expected.
pub(super) struct Visible<W: Write> {
    out: W,
    passes: Passes,
    /// The end of what was written, which may be the beginning of a sequence.
    rest: Vec<u8>,
}

/// What passes besides printable ASCII, line ends and tabs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Passes {
    /// Characters beyond ASCII.
    pub(super) unicode: bool,
    /// The colours of [`Style`](crate::report::Style).
    pub(super) colors: bool,
}

impl Passes {
    /// All printable characters.
    pub(super) const TEXT: Self = Self { unicode: true, colors: false };

    fn pass(self, character: char) -> bool {
        matches!(character, '\n' | '\t') || !is_unruly(character) && (self.unicode || character.is_ascii())
    }
}

impl<W: Write> Visible<W> {
    pub(super) fn new(out: W, passes: Passes) -> Self {
        Self { out, passes, rest: Vec::new() }
    }

    /// Writes what was kept back.
    fn write_rest(&mut self) -> io::Result<()> {
        let mut shown = String::with_capacity(self.rest.len());
        escape(&String::from_utf8_lossy(&self.rest), self.passes, &mut shown);
        self.rest.clear();
        self.out.write_all(shown.as_bytes())
    }
}

impl<W: Write> Write for Visible<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let end = bytes.iter().rposition(|byte| CUTS.contains(byte)).map_or(0, |at| at + 1);
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

impl<W: Write> Drop for Visible<W> {
    fn drop(&mut self) {
        // Callers that need the error call `flush`.
        let _ = self.flush();
    }
}

/// A text as [`Visible`] writes it, without colours.
pub(super) fn visible(text: &str) -> Cow<'_, str> {
    if text.chars().all(|character| Passes::TEXT.pass(character)) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    escape(text, Passes::TEXT, &mut shown);
    Cow::Owned(shown)
}

fn escape(mut text: &str, passes: Passes, shown: &mut String) {
    while let Some(at) = text.find(|character: char| !passes.pass(character)) {
        let (plain, special) = text.split_at(at);
        shown.push_str(plain);
        let length = passing_sequence(special, passes);
        let (passing, rest) = special.split_at(length);
        shown.push_str(passing);
        text = rest;
        if length == 0 {
            let mut characters = rest.chars();
            for unit in characters.next().unwrap_or_default().encode_utf16(&mut [0; 2]) {
                // Writing to a string cannot fail.
                let _ = write!(shown, "\\u{unit:04x}");
            }
            text = characters.as_str();
        }
    }
    shown.push_str(text);
}

/// How many bytes at the beginning of `text` are a line end of Windows, or a colour that is expected.
fn passing_sequence(text: &str, passes: Passes) -> usize {
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

    const COLORS: Passes = Passes { colors: true, ..Passes::TEXT };
    const ASCII: Passes = Passes { unicode: false, colors: false };

    /// What comes out, whole and in writes of every length.
    #[track_caller]
    fn written(bytes: &[u8], passes: Passes) -> String {
        let mut outcomes = (1..=bytes.len().max(1)).map(|length| {
            let mut out = Vec::new();
            let mut visible = Visible::new(&mut out, passes);
            for part in bytes.chunks(length) {
                visible.write_all(part).unwrap();
            }
            visible.flush().unwrap();
            drop(visible);
            String::from_utf8(out).unwrap()
        });
        let first = outcomes.next().unwrap();
        assert!(outcomes.all(|outcome| outcome == first), "it depends on how it is cut: {first}");
        first
    }

    #[test]
    fn control_characters_and_reordering_marks_are_shown_as_in_json() {
        let osc = "a\u{1b}]52;c;eA==\u{7}b";
        assert_eq!(written(osc.as_bytes(), Passes::TEXT), r"a\u001b]52;c;eA==\u0007b");
        assert_eq!(visible(osc), r"a\u001b]52;c;eA==\u0007b");
        let marks = "\u{9b}31m\u{7f}\u{202e}\u{2066}\u{200b}\u{feff}\0";
        assert_eq!(written(marks.as_bytes(), Passes::TEXT), r"\u009b31m\u007f\u202e\u2066\u200b\ufeff\u0000");
        let json: String = serde_json::from_str(&format!("\"{}\"", visible(marks))).unwrap();
        assert_eq!(json, marks, "JSON stays the same JSON");
    }

    #[test]
    fn text_of_any_language_passes() {
        let text = "می\u{200c}خواهم 👩\u{200d}💻 Grün\ta\nb\r\nc";
        assert_eq!(written(text.as_bytes(), Passes::TEXT), text);
        assert_eq!(written("Grün 💻".as_bytes(), ASCII), r"Gr\u00fcn \ud83d\udcbb");
    }

    #[test]
    fn a_carriage_return_passes_only_at_a_line_end() {
        assert_eq!(written(b"paid\rfree\r\n\r", Passes::TEXT), "paid\\u000dfree\r\n\\u000d");
    }

    #[test]
    fn only_own_colours_pass_and_only_if_they_are_expected() {
        let own = "\u{1b}[1mtitle\u{1b}[22m \u{1b}[38;5;196mred\u{1b}[39m \u{1b}[38;2;196;106;106mred\u{1b}[39m";
        assert_eq!(written(own.as_bytes(), COLORS), own);
        assert!(!written(own.as_bytes(), Passes::TEXT).contains('\u{1b}'));
        for foreign in ["\u{1b}[2J", "\u{1b}[8m", "\u{1b}[0m", "\u{1b}[31m", "\u{1b}[38;5;m", "\u{1b}[1;8m", "\u{1b}c"]
        {
            assert!(!written(foreign.as_bytes(), COLORS).contains('\u{1b}'), "{foreign:?}");
        }
        assert_eq!(written(b"\x1b[1mtitle\x1b[2", COLORS), "\u{1b}[1mtitle\\u001b[2", "a sequence without an end");
    }

    #[test]
    fn bytes_that_are_no_text_do_not_reach_the_terminal() {
        assert_eq!(written(b"a\x9bb\xffc", Passes::TEXT), "a\u{fffd}b\u{fffd}c");
        assert_eq!(written(b"a\xe2\x80", Passes::TEXT), "a\u{fffd}");
    }
}
