//! Rows as record batches.

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::SchemaRef;

use super::CutBy;

/// The rows of a statement and what their columns are.
#[derive(Debug, Clone)]
pub struct Table {
    /// Columns, also when there are no rows.
    pub schema: SchemaRef,
    /// The rows.
    pub batches: Vec<RecordBatch>,
    /// What ended the rows before their end; `None` where all are there.
    pub truncated: Option<CutBy>,
}
