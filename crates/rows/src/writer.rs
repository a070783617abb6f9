//! Writes rows batch by batch.

use std::io::{self, Write};

use arrow::array::RecordBatch;
use arrow::datatypes::SchemaRef;
use arrow::error::ArrowError;
use arrow::json::WriterBuilder;
use arrow::json::writer::{JsonArray, JsonFormat, LineDelimited, Writer};

use super::csv::Csv;
use super::values::io_error;

/// The output format of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowFormat {
    /// CSV with a header, quoted as in RFC 4180. Lists and structs are JSON. Null is an empty cell.
    Csv(Csv),
    /// One JSON array with an object for each row. An object contains its nulls.
    Json,
    /// JSON Lines: each line contains the object of one row. An object contains its nulls.
    JsonLines,
}

/// Writes each batch of rows as soon as it arrives.
pub struct RowWriter(Encoder);

enum Encoder {
    Csv(SchemaRef, Csv),
    Json(Writer<Vec<u8>, JsonArray>),
    JsonLines(Writer<Vec<u8>, LineDelimited>),
}

impl RowWriter {
    /// Creates a writer for rows with the columns of `schema`.
    pub fn new(format: RowFormat, schema: &SchemaRef) -> Self {
        let json = || WriterBuilder::new().with_explicit_nulls(true);
        Self(match format {
            RowFormat::Csv(csv) => Encoder::Csv(SchemaRef::clone(schema), csv),
            RowFormat::Json => Encoder::Json(json().build(Vec::new())),
            RowFormat::JsonLines => Encoder::JsonLines(json().build(Vec::new())),
        })
    }

    /// Writes the rows of `batches` as a complete output, with its beginning and end.
    ///
    /// # Errors
    /// Fails with the errors of `out` and keeps their kind. Also fails for types that Arrow can't write.
    pub fn write_all(mut self, out: &mut dyn Write, batches: &[RecordBatch]) -> io::Result<()> {
        self.begin(out)?;
        batches.iter().try_for_each(|batch| self.write(out, batch))?;
        self.end(out)
    }

    /// Writes the beginning of the output, such as the header of CSV.
    ///
    /// # Errors
    /// Fails with the errors of `out`.
    pub fn begin(&mut self, out: &mut dyn Write) -> io::Result<()> {
        match &self.0 {
            // Arrow writes the header with the first batch. The header is written here, because there may be no batch.
            Encoder::Csv(schema, csv) => csv.write_header(out, schema),
            Encoder::Json(_) | Encoder::JsonLines(_) => Ok(()),
        }
    }

    /// Writes the rows of `batch`.
    ///
    /// # Errors
    /// Fails with the errors of `out` and keeps their kind. Also fails for types that Arrow can't write.
    pub fn write(&mut self, out: &mut dyn Write, batch: &RecordBatch) -> io::Result<()> {
        match &mut self.0 {
            Encoder::Csv(_, csv) => csv.write_rows(out, batch, false),
            Encoder::Json(writer) => write_json(out, writer, |writer| writer.write(batch)),
            Encoder::JsonLines(writer) => write_json(out, writer, |writer| writer.write(batch)),
        }
    }

    /// Writes the end of the output, such as the closing bracket of JSON.
    ///
    /// # Errors
    /// Fails with the errors of `out`.
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

/// `writer` writes into memory. This function calls `write` to add JSON to that memory, and then moves the JSON to
/// `out`.
fn write_json<F: JsonFormat>(
    out: &mut dyn Write,
    writer: &mut Writer<Vec<u8>, F>,
    write: impl FnOnce(&mut Writer<Vec<u8>, F>) -> Result<(), ArrowError>,
) -> io::Result<()> {
    write(writer).map_err(io_error)?;
    out.write_all(&std::mem::take(writer.get_mut()))
}
