//! Writes aligned columns. If the line is too short, columns become narrower or are hidden.

use std::borrow::Cow;
use std::io::{self, Write};

use super::style::{Style, TextStyle};
use super::text::{fit, sanitize, width_of, wrap};

/// The indent of every row.
pub(super) const INDENT: usize = 2;
/// The minimum width of a column. No column becomes narrower than this. A column is hidden instead.
const MIN_WIDTH: usize = 8;

/// The alignment of a column's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Align {
    Left,
    Right,
}

/// The behaviour of a column if the line is too short.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Overflow {
    /// The column keeps its width.
    Keep,
    /// The column becomes narrower.
    Shrink,
    /// The column becomes narrower, and its text wraps at spaces. Only the last column can have this behaviour.
    Wrap,
    /// The column becomes narrower. If the line is still too long, the column is hidden. If several columns have this
    /// behaviour, the column with the greatest number is hidden first.
    Hide(u8),
}

/// A column of the output.
#[derive(Debug, Clone, Copy)]
pub(super) struct Column {
    /// The heading, or an empty text if the column has no heading.
    pub(super) head: &'static str,
    /// The alignment of the text.
    pub(super) align: Align,
    /// The behaviour if the line is too short.
    pub(super) overflow: Overflow,
    /// The number of spaces before the column.
    pub(super) gap: usize,
}

impl Column {
    pub(super) const fn left(head: &'static str) -> Self {
        Self { head, align: Align::Left, overflow: Overflow::Keep, gap: 2 }
    }

    pub(super) const fn right(head: &'static str) -> Self {
        Self { align: Align::Right, ..Self::left(head) }
    }

    pub(super) const fn with_overflow(self, overflow: Overflow) -> Self {
        Self { overflow, ..self }
    }

    pub(super) const fn with_narrow_gap(self) -> Self {
        Self { gap: 1, ..self }
    }
}

/// A cell with its style. Its text is sanitised when it is written.
#[derive(Debug, Clone)]
pub(super) struct Cell {
    text: String,
    text_style: TextStyle,
}

impl Cell {
    pub(super) fn new(text: impl Into<String>, text_style: TextStyle) -> Self {
        Self { text: text.into(), text_style }
    }

    pub(super) fn plain(text: impl Into<String>) -> Self {
        Self::new(text, TextStyle::Plain)
    }
}

/// A line of a table.
#[derive(Debug, Clone)]
pub(super) enum Row {
    /// One cell for each column.
    Cells(Vec<Cell>),
    /// Cells of the first columns. The last cell extends to the end of the line.
    Wide(Vec<Cell>),
    /// A line that separates the rows above from the rows below. Its text may be empty.
    Caption(String),
}

/// Writes the rows. If a column has a heading, writes the headings above the rows.
pub(super) fn write_columns(out: &mut dyn Write, columns: &[Column], rows: &[Row], style: &Style) -> io::Result<()> {
    let widths = widths(columns, rows, style);
    if columns.iter().any(|column| !column.head.is_empty()) {
        let heads = columns.iter().map(|column| Cell::new(column.head, TextStyle::Faint)).collect::<Vec<_>>();
        write_cells(out, columns, &widths, &heads, style)?;
    }
    for row in rows {
        match row {
            Row::Cells(cells) => write_cells(out, columns, &widths, cells, style)?,
            Row::Wide(cells) => {
                let widths = wide_last(columns, widths.clone(), cells.len(), style);
                write_cells(out, columns, &widths, cells, style)?;
            }
            Row::Caption(text) if text.is_empty() => writeln!(out)?,
            Row::Caption(text) => {
                writeln!(out, "{:INDENT$}{}", "", style.paint(&sanitize(text, style), TextStyle::Faint))?;
            }
        }
    }
    Ok(())
}

/// Returns the widths of the first `count` columns. The last of these columns is widened to the end of the line.
fn wide_last(columns: &[Column], mut widths: Vec<Option<usize>>, count: usize, style: &Style) -> Vec<Option<usize>> {
    widths.truncate(count);
    let gaps: usize = columns.iter().take(count).skip(1).map(|column| column.gap).sum();
    if let Some((last, before)) = widths.split_last_mut() {
        let used: usize = before.iter().flatten().sum();
        *last = Some(style.width.saturating_sub(INDENT + gaps + used));
    }
    widths
}

/// Returns the width of each column. The width is `None` if the column is empty or hidden.
fn widths(columns: &[Column], rows: &[Row], style: &Style) -> Vec<Option<usize>> {
    let room = style.width.saturating_sub(INDENT);
    let mut widths: Vec<Option<usize>> = (0..columns.len())
        .map(|index| {
            let widest = rows.iter().filter_map(|row| match row {
                Row::Cells(cells) => cells.get(index).map(|cell| width_of(&sanitize(&cell.text, style))),
                Row::Wide(cells) if index + 1 < cells.len() => Some(width_of(&sanitize(&cells[index].text, style))),
                Row::Wide(_) | Row::Caption(_) => None,
            });
            let widest = widest.max().filter(|widest| *widest > 0)?;
            Some(widest.max(width_of(columns[index].head)).min(room))
        })
        .collect();
    let total = |widths: &[Option<usize>]| -> usize {
        let used = widths.iter().zip(columns).filter_map(|(width, column)| width.map(|width| width + column.gap));
        // There is no gap before the first visible column.
        let first = widths.iter().position(Option::is_some).map_or(0, |first| columns[first].gap);
        used.sum::<usize>().saturating_sub(first)
    };
    loop {
        let least = widths.iter().zip(columns).map(|(width, column)| match column.overflow {
            Overflow::Keep => *width,
            Overflow::Shrink | Overflow::Wrap | Overflow::Hide(_) => width.map(|width| width.min(MIN_WIDTH)),
        });
        if total(&least.collect::<Vec<_>>()) <= room {
            break;
        }
        let next = (0..columns.len()).filter(|index| widths[*index].is_some()).filter_map(|index| {
            match columns[index].overflow {
                Overflow::Hide(rank) => Some((rank, index)),
                Overflow::Keep | Overflow::Shrink | Overflow::Wrap => None,
            }
        });
        match next.max() {
            Some((_, index)) => widths[index] = None,
            None => break,
        }
    }
    // Each step makes the widest column narrower by one. In the end, the widest columns have the same width.
    while total(&widths) > room {
        let widest = (0..columns.len())
            .filter(|index| columns[*index].overflow != Overflow::Keep)
            .max_by_key(|index| widths[*index]);
        match widest.and_then(|index| widths[index].as_mut()) {
            Some(width) if *width > 1 => *width -= 1,
            _ => break,
        }
    }
    widths
}

fn write_cells(
    out: &mut dyn Write,
    columns: &[Column],
    widths: &[Option<usize>],
    cells: &[Cell],
    style: &Style,
) -> io::Result<()> {
    let mut line = String::new();
    // Spaces are written only before a text, so that lines don't end with spaces.
    let mut blank = INDENT;
    let mut first = true;
    // The start column of the last cell, and the remaining lines of this cell's text. The first line of the text is in
    // the row itself.
    let mut start = INDENT;
    let mut below = Vec::new();
    for ((column, width), cell) in columns.iter().zip(widths).zip(cells) {
        let Some(width) = *width else { continue };
        if !first {
            blank += column.gap;
            start += column.gap;
        }
        first = false;
        let text = sanitize(&cell.text, style);
        let text = if column.overflow == Overflow::Wrap {
            let mut lines = wrap(&text, width, style).into_iter();
            let text = lines.next().unwrap_or_default();
            let blank = " ".repeat(start);
            below.extend(lines.map(|line| format!("{blank}{}", style.paint(&line, cell.text_style))));
            Cow::Owned(text)
        } else {
            fit(text.trim_end(), width, style)
        };
        start += width;
        let padding = width - width_of(&text);
        if text.is_empty() {
            blank += padding;
            continue;
        }
        let (before, after) = match column.align {
            Align::Left => (0, padding),
            Align::Right => (padding, 0),
        };
        line.push_str(&" ".repeat(blank + before));
        line.push_str(&style.paint(&text, cell.text_style));
        blank = after;
    }
    writeln!(out, "{line}")?;
    below.iter().try_for_each(|line| writeln!(out, "{line}"))
}

#[cfg(test)]
mod tests {
    use super::super::style::ColorDepth;
    use super::*;

    #[test]
    fn long_explanation_continues_below_its_own_start() {
        let style = Style { color: ColorDepth::None, width: 40, unicode: true, source_options: "" };
        let columns =
            [Column::left("").with_overflow(Overflow::Shrink), Column::left("").with_overflow(Overflow::Wrap)];
        let row = |name: &str, meaning: &str| Row::Cells(vec![Cell::plain(name), Cell::plain(meaning)]);
        let rows =
            [row("seconds", "length in seconds, measured in UTC, without breaks"), row("tag", "full list of tags")];
        let mut out = Vec::new();
        write_columns(&mut out, &columns, &rows, &style).unwrap();
        assert_eq!(
            String::from_utf8(out).unwrap(),
            "  seconds  length in seconds, measured\n           in UTC, without breaks\n  tag      full list of tags\n"
        );
    }
}
