//! Scans: the requests of a plan to a source, their results, and the handle of a running read.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use arrow::array::RecordBatch;
use arrow::datatypes::SchemaRef;

use super::selection::Selection;
use super::{Error, Table};

/// How the rows of a scan are requested.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScanExtent {
    /// All rows of the scan are requested once.
    Whole,
    /// Several parts of the scan are requested. Each part has narrower bounds of local time than the whole scan.
    Parts,
}

/// A scan of one table.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ScanRequest {
    /// The table.
    pub table: Table,
    /// The selected rows and columns.
    pub selection: Selection,
}

impl ScanRequest {
    /// Returns the schema of the scan's rows.
    pub fn schema(&self) -> SchemaRef {
        self.selection.schema(&self.table.schema())
    }

    /// Whether both scans select the same rows. Ignores the columns.
    pub fn selects_same_rows_as(&self, other: &Self) -> bool {
        let (one, two) = (&self.selection, &other.selection);
        self.table == other.table && one.predicates == two.predicates && one.limit == two.limit
    }
}

/// Rows that were read, shared by all requests with the same scan.
pub type Batches = Arc<Vec<RecordBatch>>;

/// The result of a scan.
#[derive(Debug, Clone)]
pub enum ReadRows {
    /// The rows of the scan.
    Batches(Batches),
    /// All rows of a scan with [`ScanExtent::Parts`], and possibly more rows, in the source's own format.
    Cached(Arc<dyn CachedRows>),
}

/// Activities in the source's own format. The rows of each part are selected from these activities. The files aren't
/// read again.
pub trait CachedRows: fmt::Debug + Send + Sync {
    /// Returns the rows of `selection`, which must be within the scan.
    ///
    /// # Errors
    /// Fails if a column wasn't read.
    fn batches(&self, selection: &Selection) -> Result<Vec<RecordBatch>, Error>;

    /// Returns the local starts of some activities, in seconds since 1970: one for every `every` activities. Activities
    /// with an unknown start are left out.
    fn starts(&self, every: usize) -> Vec<i64>;
}

/// The handle of a read of the history. The code that reads and the code that observes the read share this handle.
/// Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct ReadHandle(Arc<State>);

#[derive(Debug, Default)]
struct State {
    rows: Arc<AtomicU64>,
    stopped: AtomicBool,
}

impl ReadHandle {
    /// Creates a handle with the row counter `rows`.
    pub fn with_counter(rows: Arc<AtomicU64>) -> Self {
        Self(Arc::new(State { rows, stopped: AtomicBool::new(false) }))
    }

    /// Stops the read, which then fails soon. A call also has this effect before the read begins, or between two of its
    /// statements.
    pub fn stop(&self) {
        self.0.stopped.store(true, Ordering::Relaxed);
    }

    /// Whether the read must stop.
    pub fn is_stopped(&self) -> bool {
        self.0.stopped.load(Ordering::Relaxed)
    }

    /// Counts a row.
    pub fn count_row(&self) {
        self.0.rows.fetch_add(1, Ordering::Relaxed);
    }
}
