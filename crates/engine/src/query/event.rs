//! The parts of a query result in the order in which they arrive: columns, rows, end.

use arrow::array::RecordBatch;
use arrow::datatypes::SchemaRef;

use crate::CutBy;

/// A part of a query result: first the columns, then the rows, then the end.
#[derive(Debug)]
pub(crate) enum Event {
    Schema(SchemaRef),
    Rows(RecordBatch),
    /// The limit that cut off the rows, if one did.
    End(Option<CutBy>),
}
