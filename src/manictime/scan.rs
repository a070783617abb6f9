//! What a scan asks of the file, and what carries it out.

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::SchemaRef;

use super::selection::Selection;
use super::snapshot::Snapshot;
use super::tables::{Table, TimelineMemory};

/// How the rows of a scan are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
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
    pub(crate) fn asks_for_rows_of(&self, other: &Self) -> bool {
        self.table == other.table && self.selection.asks_for_rows_of(&other.selection)
    }

    /// Reads the rows at the snapshot's commit, in batches, with the help of what is remembered of timelines.
    pub(crate) fn read(
        &self,
        snapshot: &Snapshot<'_>,
        memory: &dyn TimelineMemory,
    ) -> rusqlite::Result<Vec<RecordBatch>> {
        self.table.read(&self.selection, snapshot, memory)
    }

    /// What `SQLite` would do: a line per step of each statement.
    pub(crate) fn explain(&self, snapshot: &Snapshot<'_>) -> rusqlite::Result<Vec<String>> {
        self.table.explain(&self.selection, snapshot)
    }
}
