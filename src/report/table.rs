//! Rows of a query in the formats that people and other programs read.

use std::io::{self, Write};
use std::path::Path;

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::arrow::error::ArrowError;

use super::grid::{Fitted, Frame, Table};
use super::ink::Ink;
use super::style::Style;
use super::text::neutral;
use super::vertical::write_vertical;
use crate::rows::{RowFormat, RowWriter, each_row, io_error};

/// How rows are written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// Aligned columns for a person, whole values, and the number of rows.
    #[default]
    Table,
    /// As the table, with a frame around it.
    Box,
    /// Comma-separated values with a header, quoted as in RFC 4180; lists and structs as JSON, null as nothing.
    Csv,
    /// The same with a tab between two values.
    Tsv,
    /// One JSON array of objects; null is written.
    Json,
    /// One JSON object a line; null is written.
    Ndjson,
    /// A Markdown table.
    Markdown,
    /// A line for each value, below the number of its row: for rows that are wider than the screen.
    Vertical,
}

impl Format {
    /// Returns what writes rows with these columns as they come; `None` for a format that lays out all rows together.
    pub fn row_writer(self, schema: &SchemaRef) -> Option<RowWriter> {
        let format = match self {
            Self::Csv => RowFormat::Csv,
            Self::Tsv => RowFormat::Tsv,
            Self::Json => RowFormat::Json,
            Self::Ndjson => RowFormat::Ndjson,
            Self::Table | Self::Box | Self::Markdown | Self::Vertical => return None,
        };
        Some(RowWriter::of(format, schema))
    }

    /// Returns the format that the name of a file says by its end; `None` for one that says nothing.
    pub fn of_file(path: &Path) -> Option<Self> {
        let end = path.extension()?.to_str()?.to_ascii_lowercase();
        Some(match end.as_str() {
            "csv" => Self::Csv,
            "tsv" | "tab" => Self::Tsv,
            "json" => Self::Json,
            "ndjson" | "jsonl" => Self::Ndjson,
            "md" | "markdown" => Self::Markdown,
            _ => return None,
        })
    }

    /// The frame of a table, for a format that is one.
    fn frame(self) -> Option<Frame> {
        match self {
            Self::Table => Some(Frame::Open),
            Self::Box => Some(Frame::Closed),
            _ => None,
        }
    }
}

/// Writes rows that are all in memory.
///
/// `schema` is what the batches share; with it a header can be written for no rows. Timestamps without a time zone are
/// ISO 8601 without offset, those with one carry it. Lists and structs are JSON in every format. Table, Markdown
/// and the vertical format neutralise control characters; CSV and JSON hold the values as they are. Only the tables and
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
    if let Some(rows) = format.row_writer(schema) {
        return rows.write_all(out, batches);
    }
    let written = match format.frame() {
        Some(frame) => write_table(out, batches, schema, frame, style),
        None if format == Format::Vertical => write_vertical(out, batches, schema, style),
        None => write_markdown(out, batches, schema),
    };
    written.map_err(io_error)
}

/// Writes rows for a screen of `columns` columns. Of a table, without the number of its rows, the widest texts are cut and
/// the last columns left out where a line would not fit; other formats are written whole.
///
/// # Errors
/// Those of [`write_batches`].
pub fn write_fitted(
    out: &mut dyn Write,
    batches: &[RecordBatch],
    schema: &SchemaRef,
    (format, columns): (Format, usize),
    style: &Style,
) -> io::Result<Fitted> {
    let Some(frame) = format.frame() else {
        return write_batches(out, batches, schema, format, style).map(|()| Fitted::default());
    };
    let mut table = Table::of(batches, schema, frame, style).map_err(io_error)?;
    let fitted = table.fit(columns);
    table.write(out, style).map_err(io_error)?;
    Ok(fitted)
}

fn write_table(
    out: &mut dyn Write,
    batches: &[RecordBatch],
    schema: &SchemaRef,
    frame: Frame,
    style: &Style,
) -> Result<(), ArrowError> {
    let table = Table::of(batches, schema, frame, style)?;
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
