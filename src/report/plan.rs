//! How a statement is carried out, as `EXPLAIN` tells it.

use std::io::{self, Write};

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::Schema;

use super::style::Style;
use super::text::sanitize;
use super::text_style::TextStyle;
use crate::rows::{for_each_row, io_error};

/// The columns of an `EXPLAIN`.
const COLUMNS: [&str; 2] = ["plan_type", "plan"];

/// Whether rows of this schema are plans.
pub fn is_plan(schema: &Schema) -> bool {
    schema.fields().iter().map(|field| field.name().as_str()).eq(COLUMNS)
}

/// Writes plans as the trees that they are, each below its name; in a table their lines would run together.
///
/// # Errors
/// Those of `out`, and batches that are no plans.
pub fn write_plans(out: &mut dyn Write, batches: &[RecordBatch], style: &Style) -> io::Result<()> {
    let written = for_each_row(batches, |row| {
        let mut row = row.iter().map(|cell| cell.as_deref().unwrap_or_default());
        let (name, plan) = (row.next().unwrap_or_default(), row.next().unwrap_or_default());
        writeln!(out, "{}", style.paint(&sanitize(name, style).replace('_', " "), TextStyle::Strong))?;
        for line in plan.lines() {
            writeln!(out, "  {}", sanitize(line, style))?;
        }
        Ok(())
    });
    written.map_err(io_error)
}
