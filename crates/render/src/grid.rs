//! Writes rows as a table of aligned columns, with lines between the columns.

use std::borrow::Cow;
use std::io::Write;

use arrow::array::RecordBatch;
use arrow::datatypes::{DataType, SchemaRef};
use arrow::error::ArrowError;

use super::style::{Style, TextStyle};
use super::text::{NULL, fit, sanitize, width_of};
use dayledger_rows::for_each_row;

/// The minimum width of a column with texts that may be truncated.
const MIN_COLUMN_WIDTH: usize = 12;
/// The width of the space between two columns, including the line.
const BETWEEN: usize = 3;

/// The kind of lines around a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Frame {
    /// There are no lines around the table. Lines only separate columns, and the headings from the rows.
    Open,
    /// The table has a line on each side.
    Closed,
}

impl Frame {
    /// Returns the width of the left and right side of a line: everything except the columns and the space between
    /// them. Even an open table has a margin, because the line below the headings is one character longer than the
    /// columns.
    fn margin(self) -> usize {
        match self {
            Self::Open => 2,
            Self::Closed => 4,
        }
    }
}

/// Describes how a table was changed to fit on a screen.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TableFit {
    /// Whether texts are truncated.
    pub is_cut: bool,
    /// The number of omitted columns. They are the last columns of the table.
    pub left_out: usize,
}

/// A table whose values are sanitised when they are written.
pub(super) struct Table<'b> {
    batches: &'b [RecordBatch],
    frame: Frame,
    heads: Vec<String>,
    /// For each column, whether the values are aligned to the right.
    right_aligned: Vec<bool>,
    /// For each column, whether truncated values are still useful.
    shrinks: Vec<bool>,
    /// The widths of the visible columns.
    widths: Vec<usize>,
}

impl<'b> Table<'b> {
    pub(super) fn new(
        batches: &'b [RecordBatch],
        schema: &SchemaRef,
        frame: Frame,
        style: &Style,
    ) -> Result<Self, ArrowError> {
        let heads: Vec<_> = schema.fields().iter().map(|field| sanitize(field.name(), style).into_owned()).collect();
        let mut widths: Vec<usize> = heads.iter().map(|head| width_of(head)).collect();
        for_each_row(batches, |row| {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = (*width).max(cell.as_deref().map_or(width_of(NULL), |text| width_of(&sanitize(text, style))));
            }
            Ok(())
        })?;
        let right_aligned = schema.fields().iter().map(|field| field.data_type().is_numeric()).collect();
        let is_text = |data_type: &DataType| data_type.is_string() || data_type.is_nested() || data_type.is_binary();
        let shrinks = schema.fields().iter().map(|field| is_text(field.data_type())).collect();
        Ok(Self { batches, frame, heads, right_aligned, shrinks, widths })
    }

    /// Makes the table fit into lines of `columns` characters. The widest text columns become narrower. If this isn't
    /// enough, the last columns are omitted. If not even the first column fits, nothing changes.
    pub(super) fn fit(&mut self, columns: usize) -> TableFit {
        let all = self.widths.len();
        let Some(room) = columns.checked_sub(self.frame.margin()) else { return TableFit::default() };
        let mut fitting = 0;
        let mut least = 0;
        for index in 0..all {
            least += self.min_width(index) + if index == 0 { 0 } else { BETWEEN };
            // If later columns are omitted, the line also contains a mark.
            let mark = if index + 1 == all { 0 } else { BETWEEN + 1 };
            if least + mark <= room {
                fitting = index + 1;
            }
        }
        if fitting == 0 {
            return TableFit::default();
        }
        self.widths.truncate(fitting);
        TableFit { is_cut: self.narrow_to(room - self.mark_width()), left_out: all - fitting }
    }

    /// Makes the widest text columns narrower until a line has at most `room` characters. Returns whether the line was
    /// too long.
    fn narrow_to(&mut self, room: usize) -> bool {
        let room = room.saturating_sub(BETWEEN * (self.widths.len() - 1));
        let over = self.widths.iter().sum::<usize>().saturating_sub(room);
        for _ in 0..over {
            let narrow = (0..self.widths.len()).filter(|index| self.widths[*index] > self.min_width(*index));
            let Some(widest) = narrow.max_by_key(|index| self.widths[*index]) else { break };
            self.widths[widest] -= 1;
        }
        over > 0
    }

    /// Returns the minimum width of a column.
    fn min_width(&self, index: usize) -> usize {
        let width = self.widths[index];
        if self.shrinks[index] { width.min(MIN_COLUMN_WIDTH.max(width_of(&self.heads[index]))) } else { width }
    }

    /// Returns the width of the mark for omitted columns and of the space before the mark. Returns 0 if all columns are
    /// shown.
    fn mark_width(&self) -> usize {
        if self.widths.len() < self.heads.len() { BETWEEN + 1 } else { 0 }
    }

    pub(super) fn write(&self, out: &mut dyn Write, style: &Style) -> Result<(), ArrowError> {
        let lines = if style.unicode { &UNICODE } else { &ASCII };
        let faint = |text: &str| style.paint(text, TextStyle::Faint);
        let upright = lines.upright;
        let between = faint(&format!(" {upright} "));
        let (left, right) = match self.frame {
            Frame::Open => (" ".to_owned(), String::new()),
            Frame::Closed => (faint(&format!("{upright} ")), faint(&format!(" {upright}"))),
        };
        let mark = (self.mark_width() > 0).then(|| faint(lines.left_out));
        let line = |cells: &mut dyn Iterator<Item = (Cow<'_, str>, TextStyle)>| {
            let padded = cells.zip(&self.widths).zip(&self.right_aligned).map(|(((text, ink), width), right)| {
                let text = fit(&text, *width, style);
                let padding = " ".repeat(width - width_of(&text));
                let text = style.paint(&text, ink);
                if *right { format!("{padding}{text}") } else { format!("{text}{padding}") }
            });
            let line = padded.chain(mark.clone()).collect::<Vec<_>>().join(&between) + &right;
            format!("{left}{}", line.trim_end())
        };
        let rule = |[left, crossing, right]: [&str; 3]| {
            let widths = self.widths.iter().copied().chain(mark.as_ref().map(|_| 1));
            let rules = widths.map(|width| lines.rule.repeat(width + 2)).collect::<Vec<_>>().join(crossing);
            faint(&match self.frame {
                Frame::Open => rules,
                Frame::Closed => format!("{left}{rules}{right}"),
            })
        };
        if self.frame == Frame::Closed {
            writeln!(out, "{}", rule(lines.top))?;
        }
        writeln!(out, "{}", line(&mut self.heads.iter().map(|head| (head.into(), TextStyle::Strong))))?;
        writeln!(out, "{}", rule(lines.middle))?;
        for_each_row(self.batches, |row| {
            let mut cells = row.iter().map(|cell| match cell {
                Some(text) => (sanitize(text, style), TextStyle::Plain),
                None => (NULL.into(), TextStyle::Faint),
            });
            Ok(writeln!(out, "{}", line(&mut cells))?)
        })?;
        if self.frame == Frame::Closed {
            writeln!(out, "{}", rule(lines.bottom))?;
        }
        Ok(())
    }
}

/// The characters of the lines of a table.
struct Lines {
    upright: &'static str,
    rule: &'static str,
    /// The characters of the line above the headings: at the left end, between two columns, and at the right end.
    top: [&'static str; 3],
    /// The characters of the line below the headings, at the same positions as in `top`.
    middle: [&'static str; 3],
    /// The characters of the line below the rows, at the same positions as in `top`.
    bottom: [&'static str; 3],
    /// The mark for omitted columns.
    left_out: &'static str,
}

const UNICODE: Lines = Lines {
    upright: "│",
    rule: "─",
    top: ["┌", "┬", "┐"],
    middle: ["├", "┼", "┤"],
    bottom: ["└", "┴", "┘"],
    left_out: "…",
};

const ASCII: Lines = Lines {
    upright: "|",
    rule: "-",
    top: ["+", "+", "+"],
    middle: ["+", "+", "+"],
    bottom: ["+", "+", "+"],
    left_out: "~",
};
