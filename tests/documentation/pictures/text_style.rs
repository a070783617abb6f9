//! Lines of text with colours.

use vt100::{Cell, Color, Screen};

/// The sixteen basic colours of a terminal, in the shades that the pictures use.
const SIXTEEN: [u32; 16] = [
    0x2b_303b, 0xe0_6c75, 0x98_c379, 0xe5_c07b, 0x61_afef, 0xc6_78dd, 0x56_b6c2, 0xd7_dae0, 0x7f_8796, 0xff_7b86,
    0xb5_e890, 0xff_d58a, 0x82_c4ff, 0xde_9cf0, 0x7f_d6e0, 0xff_ffff,
];
/// The six shades of red, green and blue from which a terminal's 216 colours are mixed.
const SHADES: [u32; 6] = [0, 95, 135, 175, 215, 255];
/// The colour of text without a colour.
pub(super) const PLAIN: u32 = 0xd7_dae0;
/// The colour of less important text.
pub(super) const FAINT: u32 = 0x9a_a1ae;

/// The style of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TextStyle {
    /// The colour as red, green and blue.
    pub(super) color: u32,
    pub(super) bold: bool,
}

/// A section of a line that has one style. `column` is its first column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct StyledText {
    pub(super) column: usize,
    pub(super) text: String,
    pub(super) style: TextStyle,
}

/// A line of text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Line(pub(super) Vec<StyledText>);

impl TextStyle {
    pub(super) const PLAIN: Self = Self { color: PLAIN, bold: false };
    pub(super) const FAINT: Self = Self { color: FAINT, bold: false };

    fn from_cell(cell: &Cell) -> Self {
        let color = match cell.fgcolor() {
            Color::Default if cell.dim() => FAINT,
            Color::Default => PLAIN,
            Color::Rgb(red, green, blue) => u32::from_be_bytes([0, red, green, blue]),
            Color::Idx(index) => palette_color(index),
        };
        Self { color, bold: cell.bold() }
    }
}

fn palette_color(index: u8) -> u32 {
    let number = u32::from(index);
    match index {
        0..16 => SIXTEEN[usize::from(index)],
        16..232 => {
            let [red, green, blue] = [36, 6, 1].map(|step| SHADES[((number - 16) / step % 6) as usize]);
            red << 16 | green << 8 | blue
        }
        232.. => (8 + 10 * (number - 232)) * 0x01_0101,
    }
}

impl Line {
    /// Returns the line with more text at its end.
    pub(super) fn append(mut self, text: &str, style: TextStyle) -> Self {
        let column = self.0.last().map_or(0, |run| run.column + run.text.chars().count());
        self.0.push(StyledText { column, text: text.to_owned(), style });
        self
    }
}

/// Returns the lines of a screen, without blank lines at the end.
pub(super) fn lines(screen: &Screen) -> Vec<Line> {
    let (rows, columns) = screen.size();
    let mut lines: Vec<_> = (0..rows.get()).map(|row| line(screen, row, columns.get())).collect();
    while lines.last().is_some_and(|line| line.0.iter().all(|run| run.text.trim().is_empty())) {
        lines.pop();
    }
    lines
}

fn line(screen: &Screen, row: u16, columns: u16) -> Line {
    let mut runs: Vec<StyledText> = Vec::new();
    for column in 0..columns {
        let Some(cell) = screen.cell(row, column) else { continue };
        let text = if cell.has_contents() { cell.contents() } else { " " };
        let style = TextStyle::from_cell(cell);
        match runs.last_mut() {
            Some(run) if run.style == style => run.text.push_str(text),
            _ => runs.push(StyledText { column: usize::from(column), text: text.to_owned(), style }),
        }
    }
    Line(runs)
}
