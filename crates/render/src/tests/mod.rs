//! Tests of the terminal output, with sample responses.

mod day;
mod find;
mod formats;
mod health;
mod period;
mod timesheet;
mod why;

use super::{ColorDepth, Style};
use dayledger_request::Minutes;

const PLAIN: Style = Style { color: ColorDepth::None, width: 100, unicode: true, source_options: "" };

/// Converts minutes to the type of a response.
pub(super) fn to_minutes(minutes: f64) -> Minutes {
    Minutes::parse(Some(minutes), 0.0, "").unwrap()
}

fn render(draw: impl FnOnce(&mut Vec<u8>) -> std::io::Result<()>) -> String {
    let mut out = Vec::new();
    draw(&mut out).unwrap();
    String::from_utf8(out).unwrap()
}

/// Returns all combinations of colours and character sets as styles of this width.
fn styles(width: usize) -> impl Iterator<Item = Style> {
    [ColorDepth::None, ColorDepth::Ansi256, ColorDepth::TrueColor]
        .into_iter()
        .flat_map(move |color| [true, false].map(|unicode| Style { color, width, unicode, source_options: "" }))
}

/// Removes the colour sequences from a text.
fn strip_colors(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, sequence)) = rest.split_once("\u{1b}[") {
        plain.push_str(before);
        rest = sequence.split_once('m').unwrap().1;
    }
    plain + rest
}

fn assert_fits(text: &str, style: &Style) {
    for line in strip_colors(text).lines() {
        let width = unicode_width::UnicodeWidthStr::width(line);
        assert!(width <= style.width, "{width} columns of {}: {line}", style.width);
        assert!(style.unicode || line.is_ascii(), "beyond ASCII: {line}");
        assert!(!line.chars().any(char::is_control), "a control character: {line:?}");
        assert_eq!(line.trim_end(), line, "blanks at the end");
    }
    assert!(style.color != ColorDepth::None || !text.contains('\u{1b}'), "an escape sequence in plain text");
}
