//! Shows the plan of a statement, as returned by `EXPLAIN`.

use std::io::{self, Write};

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::Schema;

use super::style::Style;
use super::text::sanitize;
use super::text_style::TextStyle;
use dayledger_rows::{for_each_row, io_error};

/// The columns of `EXPLAIN`.
const COLUMNS: [&str; 2] = ["plan_type", "plan"];

/// Whether rows of this schema are plans.
pub fn is_plan(schema: &Schema) -> bool {
    schema.fields().iter().map(|field| field.name().as_str()).eq(COLUMNS)
}

/// Writes each plan as a tree below its name. In a table, the lines of the tree would run together.
///
/// # Errors
/// Fails if `out` fails, or if the batches don't contain plans.
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
