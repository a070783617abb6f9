//! Rows of a query in the formats that people and other programs read.

use std::io::{self, Write};
use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, RecordBatch, StringArray};
use datafusion::arrow::datatypes::{DataType, Field, FieldRef, Schema, SchemaRef};
use datafusion::arrow::error::ArrowError;
use datafusion::arrow::json;
use datafusion::arrow::util::display::{ArrayFormatter, FormatOptions};

use super::grid::Table;
use super::ink::Ink;
use super::row_writer::RowWriter;
use super::style::Style;
use super::text::neutral;
use super::vertical::write_vertical;

/// How rows are written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// Aligned columns for a person, whole values, and the number of rows.
    #[default]
    Table,
    /// Comma-separated values with a header, quoted as in RFC 4180; lists and structs as JSON, null as nothing.
    Csv,
    /// One JSON array of objects; null is written.
    Json,
    /// One JSON object a line; null is written.
    Ndjson,
    /// A Markdown table.
    Markdown,
    /// A line for each value, below the number of its row: for rows that are wider than the screen.
    Vertical,
}

/// What the value of a table's cell is written as where there is none.
pub(super) const NULL: &str = "NULL";

/// Writes rows that are all in memory.
///
/// `schema` is what the batches share; with it a header can be written for no rows. Timestamps without a time zone are
/// ISO 8601 without offset, those with one carry it. Lists and structs are JSON in every format. Table, Markdown
/// and the vertical format neutralise control characters; CSV and JSON hold the values as they are. Only the table and
/// the vertical format use colours, and they are as wide as their values.
///
/// # Errors
/// What `out` returns, with its kind kept; a type that Arrow cannot write; batches that are not of `schema`.
pub fn write_batches(
    out: &mut dyn Write,
    batches: &[RecordBatch],
    schema: &SchemaRef,
    format: Format,
    style: &Style,
) -> io::Result<()> {
    if let Some(mut rows) = RowWriter::of(format, schema) {
        rows.begin(out)?;
        batches.iter().try_for_each(|batch| rows.write(out, batch))?;
        return rows.end(out);
    }
    let written = match format {
        Format::Vertical => write_vertical(out, batches, schema, style),
        Format::Markdown => write_markdown(out, batches, schema),
        _ => write_table(out, batches, schema, style),
    };
    written.map_err(io_error)
}

/// Writes a table without the number of its rows whose lines have at most `columns` columns: the widest texts are cut.
///
/// Where even that is too wide, nothing is cut. Returns whether something was.
///
/// # Errors
/// Those of [`write_batches`].
pub fn write_fitted_table(
    out: &mut dyn Write,
    batches: &[RecordBatch],
    schema: &SchemaRef,
    style: &Style,
    columns: usize,
) -> io::Result<bool> {
    let mut table = Table::of(batches, schema, style).map_err(io_error)?;
    let cut = table.fit(columns);
    table.write(out, style).map_err(io_error)?;
    Ok(cut)
}

pub(super) fn io_error(error: ArrowError) -> io::Error {
    match error {
        ArrowError::IoError(_, error) => error,
        other => io::Error::other(other),
    }
}

/// The batch with every nested column as JSON text: Arrow's CSV writer refuses them, and JSON can be read back.
pub(super) fn flat(batch: &RecordBatch) -> Result<RecordBatch, ArrowError> {
    let schema = batch.schema();
    if !schema.fields().iter().any(|field| field.data_type().is_nested()) {
        return Ok(batch.clone());
    }
    let mut fields: Vec<FieldRef> = Vec::with_capacity(schema.fields().len());
    let mut columns: Vec<ArrayRef> = Vec::with_capacity(schema.fields().len());
    for (field, column) in schema.fields().iter().zip(batch.columns()) {
        if field.data_type().is_nested() {
            fields.push(Arc::new(Field::new(field.name(), DataType::Utf8, true)));
            columns.push(json_text(field, column)?);
        } else {
            fields.push(Arc::clone(field));
            columns.push(Arc::clone(column));
        }
    }
    RecordBatch::try_new(Arc::new(Schema::new(fields)), columns)
}

fn json_text(field: &FieldRef, column: &ArrayRef) -> Result<ArrayRef, ArrowError> {
    let options = json::writer::EncoderOptions::default().with_explicit_nulls(true);
    let mut encoder = json::writer::make_encoder(field, column, &options)?;
    let texts = (0..column.len()).map(|row| {
        if encoder.is_null(row) {
            return None;
        }
        let mut text = Vec::new();
        encoder.encode(row, &mut text);
        Some(String::from_utf8_lossy(&text).into_owned())
    });
    let texts: StringArray = texts.collect();
    Ok(Arc::new(texts))
}

/// Calls `each` with every row's values as text; `None` for null. One row at a time: a short column of long names takes
/// little memory, and all its texts together take very much.
pub(super) fn each_row(
    batches: &[RecordBatch],
    mut each: impl FnMut(&[Option<String>]) -> Result<(), ArrowError>,
) -> Result<(), ArrowError> {
    let options = FormatOptions::new().with_display_error(true);
    for batch in batches {
        let batch = flat(batch)?;
        let formatters = batch.columns().iter().map(|column| ArrayFormatter::try_new(column, &options));
        let formatters = formatters.collect::<Result<Vec<_>, _>>()?;
        for row in 0..batch.num_rows() {
            let cells = batch.columns().iter().zip(&formatters).map(|(column, formatter)| {
                if column.is_null(row) { Ok(None) } else { formatter.value(row).try_to_string().map(Some) }
            });
            each(&cells.collect::<Result<Vec<_>, _>>()?)?;
        }
    }
    Ok(())
}

fn write_table(
    out: &mut dyn Write,
    batches: &[RecordBatch],
    schema: &SchemaRef,
    style: &Style,
) -> Result<(), ArrowError> {
    let table = Table::of(batches, schema, style)?;
    table.write(out, style)?;
    let count: usize = batches.iter().map(RecordBatch::num_rows).sum();
    let count = format!("({count} {})", if count == 1 { "row" } else { "rows" });
    writeln!(out, "{}", style.paint(&count, Ink::Faint))?;
    Ok(())
}

fn write_markdown(out: &mut dyn Write, batches: &[RecordBatch], schema: &SchemaRef) -> Result<(), ArrowError> {
    let heads: Vec<_> = schema.fields().iter().map(|field| markdown(field.name())).collect();
    writeln!(out, "| {} |", heads.join(" | "))?;
    let rules = schema.fields().iter().map(|field| if field.data_type().is_numeric() { "---:" } else { "---" });
    writeln!(out, "| {} |", rules.collect::<Vec<_>>().join(" | "))?;
    each_row(batches, |row| {
        let cells: Vec<_> = row.iter().map(|cell| markdown(cell.as_deref().unwrap_or_default())).collect();
        Ok(writeln!(out, "| {} |", cells.join(" | "))?)
    })
}

/// Escapes what would end a cell or start a tag; other control characters become their pictures.
fn markdown(text: &str) -> String {
    let style = Style { color: super::ColorDepth::None, width: usize::MAX, unicode: true };
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let lines = text
        .split('\n')
        .map(|line| neutral(line, &style).replace('\\', "\\\\").replace('|', "\\|").replace('<', "&lt;"));
    lines.collect::<Vec<_>>().join("<br>")
}
