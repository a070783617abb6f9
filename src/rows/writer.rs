//! The writer of rows, batch by batch.

use std::io::{self, Write};

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::arrow::error::ArrowError;
use datafusion::arrow::json::WriterBuilder;
use datafusion::arrow::json::writer::{JsonArray, JsonFormat, LineDelimited, Writer};

use super::csv::Csv;
use super::values::io_error;

/// How rows are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowFormat {
    /// Values with a separator and a header, quoted as in RFC 4180; lists and structs as JSON, null as nothing.
    Csv(Csv),
    /// One JSON array of objects; null is written.
    Json,
    /// JSON Lines: one object per line; null is written.
    JsonLines,
}

/// Writes rows batch by batch, each as soon as it is given.
pub struct RowWriter(Encoder);

enum Encoder {
    Csv(SchemaRef, Csv),
    Json(Writer<Vec<u8>, JsonArray>),
    JsonLines(Writer<Vec<u8>, LineDelimited>),
}

impl RowWriter {
    /// A writer of rows with these columns.
    pub fn new(format: RowFormat, schema: &SchemaRef) -> Self {
        let json = || WriterBuilder::new().with_explicit_nulls(true);
        Self(match format {
            RowFormat::Csv(csv) => Encoder::Csv(SchemaRef::clone(schema), csv),
            RowFormat::Json => Encoder::Json(json().build(Vec::new())),
            RowFormat::JsonLines => Encoder::JsonLines(json().build(Vec::new())),
        })
    }

    /// Writes rows that are all in memory, with what stands before and behind them.
    ///
    /// # Errors
    /// What `out` returns, with its kind kept; a type that Arrow cannot write.
    pub fn write_all(mut self, out: &mut dyn Write, batches: &[RecordBatch]) -> io::Result<()> {
        self.begin(out)?;
        batches.iter().try_for_each(|batch| self.write(out, batch))?;
        self.end(out)
    }

    /// Writes what stands before the rows.
    ///
    /// # Errors
    /// What `out` returns.
    pub fn begin(&mut self, out: &mut dyn Write) -> io::Result<()> {
        match &self.0 {
            // Arrow writes the header with the first batch, which there may not be.
            Encoder::Csv(schema, csv) => csv.write_header(out, schema),
            Encoder::Json(_) | Encoder::JsonLines(_) => Ok(()),
        }
    }

    /// Writes the rows of `batch`.
    ///
    /// # Errors
    /// What `out` returns, with its kind kept; a type that Arrow cannot write.
    pub fn write(&mut self, out: &mut dyn Write, batch: &RecordBatch) -> io::Result<()> {
        match &mut self.0 {
            Encoder::Csv(_, csv) => csv.write(out, batch),
            Encoder::Json(writer) => write_json(out, writer, |writer| writer.write(batch)),
            Encoder::JsonLines(writer) => write_json(out, writer, |writer| writer.write(batch)),
        }
    }

    /// Writes what stands behind the rows.
    ///
    /// # Errors
    /// What `out` returns.
    pub fn end(self, out: &mut dyn Write) -> io::Result<()> {
        match self.0 {
            Encoder::Csv(..) => Ok(()),
            Encoder::Json(mut writer) => {
                write_json(out, &mut writer, Writer::finish)?;
                writeln!(out)
            }
            Encoder::JsonLines(mut writer) => write_json(out, &mut writer, Writer::finish),
        }
    }
}

/// Lets `write` write, and passes on what it wrote.
fn write_json<F: JsonFormat>(
    out: &mut dyn Write,
    writer: &mut Writer<Vec<u8>, F>,
    write: impl FnOnce(&mut Writer<Vec<u8>, F>) -> Result<(), ArrowError>,
) -> io::Result<()> {
    write(writer).map_err(io_error)?;
    out.write_all(&std::mem::take(writer.get_mut()))
}
