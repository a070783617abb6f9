//! Rows as record batches.

use arrow::array::RecordBatch;
use arrow::datatypes::SchemaRef;

use crate::CutBy;

/// The rows of a statement, and its columns.
#[derive(Debug, Clone)]
pub struct Table {
    /// The columns, even if there are no rows.
    pub schema: SchemaRef,
    /// The rows.
    pub batches: Vec<RecordBatch>,
    /// The limit that cut off the rows, or `None` if there are all rows.
    pub truncated: Option<CutBy>,
}
