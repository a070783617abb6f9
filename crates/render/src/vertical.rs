//! Writes rows value by value, for rows that are wider than the screen.

use std::io::Write;

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::arrow::error::ArrowError;

use super::style::Style;
use super::text::{NULL, pad, sanitize, width_of};
use super::text_style::TextStyle;
use dayledger_rows::for_each_row;

/// The length of the line above a row.
const RULE: usize = 24;

/// Writes the number of each row, and a line for each of its columns.
pub(super) fn write_vertical(
    out: &mut dyn Write,
    batches: &[RecordBatch],
    schema: &SchemaRef,
    style: &Style,
) -> Result<(), ArrowError> {
    let heads: Vec<_> = schema.fields().iter().map(|field| sanitize(field.name(), style)).collect();
    let widest = heads.iter().map(|head| width_of(head)).max().unwrap_or(0);
    let (rule, upright) = if style.unicode { ("─", "│") } else { ("-", "|") };
    let mut number = 0;
    for_each_row(batches, |row| {
        number += 1;
        let title = format!("{rule} row {number} ");
        let rest = rule.repeat(RULE.saturating_sub(width_of(&title)));
        writeln!(out, "{}", style.paint(&(title + &rest), TextStyle::Faint))?;
        for (head, cell) in heads.iter().zip(row) {
            let (value, text_style) = match cell {
                Some(text) => (sanitize(text, style), TextStyle::Plain),
                None => (NULL.into(), TextStyle::Faint),
            };
            let head = style.paint(&format!("{} {upright}", pad(head, widest)), TextStyle::Faint);
            writeln!(out, " {head} {}", style.paint(&value, text_style))?;
        }
        Ok(())
    })
}
