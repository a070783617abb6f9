//! What all tables have in common on the way from rows to Arrow.

use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, RecordBatch, RecordBatchOptions};
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef, TimeUnit};
use datafusion::arrow::error::ArrowError;
use rusqlite::types::Type;

/// Rows of one record batch.
pub(super) const BATCH_ROWS: usize = 8192;
/// Whole seconds on the clock of the column.
pub(super) const INSTANT: DataType = DataType::Timestamp(TimeUnit::Second, None);

pub(super) fn schema_of(fields: &[(&str, DataType, bool)]) -> SchemaRef {
    SchemaRef::new(Schema::new(
        fields
            .iter()
            .map(|(name, data_type, nullable)| Field::new(*name, data_type.clone(), *nullable))
            .collect::<Vec<_>>(),
    ))
}

/// A batch of `rows` rows, which it has also where a plan asks for no column at all.
pub(super) fn batch_of(schema: &SchemaRef, columns: Vec<ArrayRef>, rows: usize) -> rusqlite::Result<RecordBatch> {
    let options = RecordBatchOptions::new().with_row_count(Some(rows));
    RecordBatch::try_new_with_options(Arc::clone(schema), columns, &options).map_err(arrow_error)
}

/// Arrow refuses only batches that do not fit their schema, which no data can cause.
pub(super) fn arrow_error(error: ArrowError) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(0, Type::Null, Box::new(error))
}
