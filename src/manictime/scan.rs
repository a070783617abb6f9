//! A scan of one table, as a plan requests it.

use datafusion::arrow::datatypes::SchemaRef;

use super::selection::Selection;
use super::tables::Table;

/// How the rows of a scan are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScanExtent {
    /// Once, as the scan asks for them when it is read.
    Whole,
    /// Again and again, each time within narrower bounds of local time.
    Parts,
}

/// One scan, as the plan states it and as its rows are found again.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Scan {
    pub(crate) table: Table,
    pub(crate) selection: Selection,
}

impl Scan {
    /// The schema of what this scan returns.
    pub(crate) fn schema(&self) -> SchemaRef {
        self.selection.schema(&self.table.schema())
    }

    /// Whether both scans ask for the same rows, whatever their columns.
    pub(crate) fn selects_same_rows_as(&self, other: &Self) -> bool {
        let (one, two) = (&self.selection, &other.selection);
        self.table == other.table && one.predicates == two.predicates && one.limit == two.limit
    }
}
