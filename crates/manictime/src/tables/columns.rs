//! Helpers for building Arrow arrays and batches, used by all tables.

use std::sync::Arc;

use arrow::array::{ArrayRef, Int64Array, RecordBatch, RecordBatchOptions, StringViewBuilder, TimestampSecondArray};
use arrow::datatypes::SchemaRef;
use arrow::error::ArrowError;
use rusqlite::types::Type;

use dayledger_source::ScanRequest;

/// Returns a batch with the columns that a scan requests. `columns` contains all columns of the table.
pub(super) fn batch_of_columns(scan: &ScanRequest, columns: &[ArrayRef]) -> rusqlite::Result<RecordBatch> {
    let projected = scan.selection.projection.iter().map(|index| Arc::clone(&columns[*index])).collect();
    batch_of(&scan.schema(), projected, columns.first().map_or(0, |values| values.len()))
}

/// Builds a text column. It stores each distinct text only once, because many rows have the same name.
pub(super) fn texts<T: AsRef<str>>(texts: impl Iterator<Item = Option<T>>) -> ArrayRef {
    let mut builder = StringViewBuilder::with_capacity(texts.size_hint().0).with_deduplicate_strings();
    texts.for_each(|text| builder.append_option(text));
    Arc::new(builder.finish())
}

pub(super) fn numbers(numbers: impl Iterator<Item = Option<i64>>) -> ArrayRef {
    Arc::new(numbers.collect::<Int64Array>())
}

pub(super) fn instants(instants: impl Iterator<Item = Option<i64>>) -> ArrayRef {
    Arc::new(TimestampSecondArray::from(instants.collect::<Vec<_>>()))
}

/// Builds a batch. `rows` is the number of rows. It is passed separately, because `columns` is empty if the plan
/// doesn't request a column.
pub(super) fn batch_of(schema: &SchemaRef, columns: Vec<ArrayRef>, rows: usize) -> rusqlite::Result<RecordBatch> {
    let options = RecordBatchOptions::new().with_row_count(Some(rows));
    RecordBatch::try_new_with_options(Arc::clone(schema), columns, &options).map_err(arrow_error)
}

/// Converts an Arrow error to an error of `SQLite`. Arrow fails only if a batch doesn't match its schema. Data in the
/// file can't cause this.
pub(super) fn arrow_error(error: ArrowError) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(0, Type::Null, Box::new(error))
}
