//! Converts values of rows to text.

use std::io;
use std::sync::Arc;

use arrow::array::{Array, ArrayRef, RecordBatch, StringArray};
use arrow::datatypes::{DataType, Field, FieldRef, Schema};
use arrow::error::ArrowError;
use arrow::json;
use arrow::util::display::{ArrayFormatter, FormatOptions};

/// Converts an Arrow error to an I/O error. Keeps the kind of the I/O error that Arrow wrapped.
pub fn io_error(error: ArrowError) -> io::Error {
    match error {
        ArrowError::IoError(_, error) => error,
        other => io::Error::other(other),
    }
}

/// Converts nested columns to JSON text. Arrow's CSV writer rejects nested columns, and JSON can be
/// parsed again.
pub(super) fn flatten(batch: &RecordBatch) -> Result<RecordBatch, ArrowError> {
    if !batch.schema_ref().fields().iter().any(|field| field.data_type().is_nested()) {
        return Ok(batch.clone());
    }
    map_columns(batch, |field, column| {
        if !field.data_type().is_nested() {
            return Ok((Arc::clone(field), Arc::clone(column)));
        }
        Ok((Arc::new(Field::new(field.name(), DataType::Utf8, true)), json_text(field, column)?))
    })
}

/// Replaces each column by the result of `change`.
pub(super) fn map_columns(
    batch: &RecordBatch,
    change: impl Fn(&FieldRef, &ArrayRef) -> Result<(FieldRef, ArrayRef), ArrowError>,
) -> Result<RecordBatch, ArrowError> {
    let columns = batch.schema_ref().fields().iter().zip(batch.columns());
    let columns = columns.map(|(field, column)| change(field, column)).collect::<Result<Vec<_>, _>>()?;
    let (fields, columns): (Vec<_>, Vec<_>) = columns.into_iter().unzip();
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

/// Calls `each` with the values of every row as text; null is `None`. Converts one row at a time,
/// because the texts of a compact column, such as a dictionary of long names, can need a lot of
/// memory together.
///
/// # Errors
/// Types that Arrow can't convert, and the errors of `each`.
pub fn for_each_row(
    batches: &[RecordBatch],
    mut each: impl FnMut(&[Option<String>]) -> Result<(), ArrowError>,
) -> Result<(), ArrowError> {
    let options = FormatOptions::new().with_display_error(true);
    for batch in batches {
        let batch = flatten(batch)?;
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
