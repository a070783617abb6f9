//! Draws lines of text as a picture that looks the same with every font.
//!
//! Each word is drawn at its column, and stretched to the same width in any font. Characters for bars and lines of
//! tables are drawn as shapes, because fonts leave gaps between such characters.

use std::fmt::Write as _;

use super::text_style::{Line, TextStyle};

/// The width of a column. `ROW` is the height of a row.
const COLUMN: f64 = 8.4;
const ROW: f64 = 19.0;
const MARGIN: f64 = 18.0;
const FONT: &str = "ui-monospace, 'Cascadia Mono', 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace";

/// Returns a picture of `lines`. `title` is its description.
pub(super) fn picture(title: &str, lines: &[Line]) -> String {
    let columns = lines.iter().map(Line::width).max().unwrap_or(0);
    #[expect(clippy::cast_precision_loss, reason = "at most a few dozen")]
    let (width, height) = (columns as f64 * COLUMN + 2.0 * MARGIN, lines.len() as f64 * ROW + 2.0 * MARGIN);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\">\n<title>{}</title>\n\
         <rect x=\".5\" y=\".5\" width=\"{:.0}\" height=\"{:.0}\" rx=\"9\" fill=\"#16181d\" stroke=\"#3a3f4b\"/>\n\
         <g font-family=\"{FONT}\" font-size=\"14\">\n",
        escape(title),
        width - 1.0,
        height - 1.0,
    );
    for (row, line) in lines.iter().enumerate() {
        #[expect(clippy::cast_precision_loss, reason = "at most a few dozen")]
        let top = MARGIN + row as f64 * ROW;
        for run in &line.0 {
            for (column, word) in words(&run.text) {
                #[expect(clippy::cast_precision_loss, reason = "at most a few dozen")]
                let left = MARGIN + (run.column + column) as f64 * COLUMN;
                draw(&mut svg, word, run.style, left, top);
            }
        }
    }
    svg += "</g>\n</svg>\n";
    svg
}

impl Line {
    fn width(&self) -> usize {
        let ends = self.0.iter().map(|run| run.column + run.text.trim_end().chars().count());
        ends.max().unwrap_or(0)
    }
}

/// Returns the words of a text with their columns. Consecutive characters that are drawn as shapes form a separate
/// word.
fn words(text: &str) -> Vec<(usize, &str)> {
    let mut words: Vec<(usize, &str)> = Vec::new();
    let (mut begin, mut column) = (None, 0);
    let kind = |letter: char| if is_drawn(letter) { Some(letter) } else { None };
    let mut before = None;
    for (position, letter) in text.char_indices() {
        let ends = letter == ' ' || before.is_some_and(|before| kind(before) != kind(letter));
        if ends && let Some((from, at)) = begin.take() {
            words.push((at, &text[from..position]));
        }
        if letter != ' ' && begin.is_none() {
            begin = Some((position, column));
        }
        before = Some(letter);
        column += 1;
    }
    words.extend(begin.map(|(from, at)| (at, &text[from..])));
    words
}

fn is_drawn(letter: char) -> bool {
    matches!(letter, '▁'..='█' | '▌' | '▓' | '▒' | '░' | '━' | '╸' | '─' | '│' | '┼')
}

fn draw(svg: &mut String, word: &str, ink: TextStyle, left: f64, top: f64) {
    #[expect(clippy::cast_precision_loss, reason = "at most a few dozen")]
    let width = word.chars().count() as f64 * COLUMN;
    let color = format!("#{:06x}", ink.color);
    let mut rect = |x: f64, y: f64, width: f64, height: f64, more: &str| {
        let _ = writeln!(
            svg,
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" fill=\"{color}\"{more}/>"
        );
    };
    let (center, middle) = (left + COLUMN / 2.0, top + ROW / 2.0);
    match word.chars().next() {
        // The bar starts at the bottom of the row. Its height is a multiple of an eighth of the row's height.
        Some(bar @ '▁'..='█') => {
            let height = (ROW - 3.0) * f64::from(u32::from(bar) - u32::from('▁') + 1) / 8.0;
            rect(left, top + ROW - 1.5 - height, width, height, "");
        }
        Some('▌') => rect(left, top + 1.5, COLUMN / 2.0, ROW - 3.0, ""),
        Some('▓') => rect(left, top + 1.5, width, ROW - 3.0, " opacity=\".75\""),
        Some('▒') => rect(left, top + 1.5, width, ROW - 3.0, " opacity=\".5\""),
        Some('░') => rect(left, top + 1.5, width, ROW - 3.0, " opacity=\".25\""),
        Some('━') => rect(left, middle - 1.5, width, 3.0, ""),
        Some('╸') => rect(left, middle - 1.5, COLUMN / 2.0, 3.0, ""),
        Some('─') => rect(left, middle - 0.5, width, 1.0, ""),
        Some('│') => rect(center - 0.5, top, 1.0, ROW, ""),
        Some('┼') => {
            rect(left, middle - 0.5, width, 1.0, "");
            rect(center - 0.5, top, 1.0, ROW, "");
        }
        _ => {
            let weight = if ink.bold { " font-weight=\"bold\"" } else { "" };
            let _ = writeln!(
                svg,
                "<text x=\"{left:.1}\" y=\"{:.1}\" textLength=\"{width:.1}\" lengthAdjust=\"spacingAndGlyphs\" \
                 fill=\"{color}\"{weight}>{}</text>",
                top + 14.0,
                escape(word)
            );
        }
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
