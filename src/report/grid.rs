//! Rows as a table of aligned columns with lines between them.

use std::borrow::Cow;
use std::io::Write;

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::{DataType, SchemaRef};
use datafusion::arrow::error::ArrowError;

use super::ink::Ink;
use super::style::Style;
use super::text::{NULL, fit, neutral, width_of};
use crate::rows::each_row;

/// What a column keeps of its texts at least.
const LEAST: usize = 12;
/// What is between two columns.
const BETWEEN: usize = 3;

/// A table whose values are written as text that is safe to print.
pub(super) struct Table<'b> {
    batches: &'b [RecordBatch],
    heads: Vec<String>,
    /// Whether a column's values lean to the right.
    right: Vec<bool>,
    /// Whether a column's values still say something when they are cut.
    shrinks: Vec<bool>,
    widths: Vec<usize>,
}

impl<'b> Table<'b> {
    pub(super) fn of(batches: &'b [RecordBatch], schema: &SchemaRef, style: &Style) -> Result<Self, ArrowError> {
        let heads: Vec<_> = schema.fields().iter().map(|field| neutral(field.name(), style).into_owned()).collect();
        let mut widths: Vec<usize> = heads.iter().map(|head| width_of(head)).collect();
        each_row(batches, |row| {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = (*width).max(cell.as_deref().map_or(width_of(NULL), |text| width_of(&neutral(text, style))));
            }
            Ok(())
        })?;
        let right = schema.fields().iter().map(|field| field.data_type().is_numeric()).collect();
        let is_text = |data_type: &DataType| data_type.is_string() || data_type.is_nested() || data_type.is_binary();
        let shrinks = schema.fields().iter().map(|field| is_text(field.data_type())).collect();
        Ok(Self { batches, heads, right, shrinks, widths })
    }

    /// Narrows the widest columns of texts until a line has at most `columns` columns; leaves all as they are where that
    /// does not help. Returns whether a column got narrower.
    pub(super) fn fit(&mut self, columns: usize) -> bool {
        // A space before the first column, and the line below the heads goes one beyond the last.
        let room = columns.saturating_sub(2 + BETWEEN * self.widths.len().saturating_sub(1));
        let mut widths = self.widths.clone();
        let mut over = widths.iter().sum::<usize>().saturating_sub(room);
        if over == 0 {
            return false;
        }
        while over > 0 {
            let least = |index: usize| LEAST.max(width_of(&self.heads[index]));
            let narrow = (0..widths.len()).filter(|index| self.shrinks[*index] && widths[*index] > least(*index));
            let Some(widest) = narrow.max_by_key(|index| widths[*index]) else { return false };
            widths[widest] -= 1;
            over -= 1;
        }
        self.widths = widths;
        true
    }

    pub(super) fn write(&self, out: &mut dyn Write, style: &Style) -> Result<(), ArrowError> {
        let (upright, rule, crossing) = if style.unicode { (" │ ", "─", "─┼─") } else { (" | ", "-", "-+-") };
        let upright = style.paint(upright, Ink::Faint);
        let line = |cells: &mut dyn Iterator<Item = (Cow<'_, str>, Ink)>| {
            let padded = cells.zip(&self.widths).zip(&self.right).map(|(((text, ink), width), right)| {
                let text = fit(&text, *width, style);
                let padding = " ".repeat(width - width_of(&text));
                let text = style.paint(&text, ink);
                if *right { format!("{padding}{text}") } else { format!("{text}{padding}") }
            });
            let line = padded.collect::<Vec<_>>().join(&upright);
            format!(" {}", line.trim_end())
        };
        writeln!(out, "{}", line(&mut self.heads.iter().map(|head| (head.into(), Ink::Strong))))?;
        let rules: Vec<_> = self.widths.iter().map(|width| rule.repeat(*width)).collect();
        writeln!(out, "{}", style.paint(&format!("{rule}{}{rule}", rules.join(crossing)), Ink::Faint))?;
        each_row(self.batches, |row| {
            let mut cells = row.iter().map(|cell| match cell {
                Some(text) => (neutral(text, style), Ink::Plain),
                None => (NULL.into(), Ink::Faint),
            });
            Ok(writeln!(out, "{}", line(&mut cells))?)
        })
    }
}
