//! The parts of a query result in the order in which they arrive: columns, rows, end.

use arrow::array::RecordBatch;
use arrow::datatypes::SchemaRef;

use super::CutBy;

/// A part of a query result: first the columns, then the rows, then the end.
#[derive(Debug)]
pub(super) enum Event {
    Schema(SchemaRef),
    Rows(RecordBatch),
    /// The limit that cut off the rows, if one did.
    End(Option<CutBy>),
}
