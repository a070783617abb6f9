//! Converts values of rows to text.

use std::io;
use std::sync::Arc;

use arrow::array::{Array, ArrayRef, RecordBatch, StringArray};
use arrow::datatypes::{DataType, Field, FieldRef, Schema};
use arrow::error::ArrowError;
use arrow::json;
use arrow::util::display::{ArrayFormatter, FormatOptions};

/// Converts an Arrow error to an I/O error. If Arrow wrapped an I/O error, returns that I/O error unchanged.
pub fn io_error(error: ArrowError) -> io::Error {
    match error {
        ArrowError::IoError(_, error) => error,
        other => io::Error::other(other),
    }
}

/// Converts nested columns, such as lists, to JSON text, because Arrow's CSV writer rejects nested
/// columns. Programs can parse the JSON.
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

/// Replaces each column and its field by the result of `change`. A field is the name and the type of a column.
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

/// Calls `each` with the values of every row as text. Null is `None`. To save memory, the function converts one row at
/// a time. For example, a dictionary column stores a long name only once, but its text would contain the name in every
/// row.
///
/// # Errors
/// Fails for types that Arrow can't convert to text, and with the errors of `each`.
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
