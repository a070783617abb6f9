//! The parts of a query result in the order in which they arrive: columns, rows, end.

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::SchemaRef;

use super::CutBy;

/// What comes of an answer, in this order: its columns, its rows, its end.
#[derive(Debug)]
pub(super) enum Event {
    Schema(SchemaRef),
    Rows(RecordBatch),
    /// With what ended the rows before their end.
    End(Option<CutBy>),
}
