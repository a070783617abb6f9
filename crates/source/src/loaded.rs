//! The rows that were loaded for a scan. For a scan in parts, the rows of each part are selected from the loaded rows.

use std::sync::Arc;

use arrow::array::{AsArray, BooleanArray, RecordBatch, TimestampSecondArray};
use arrow::compute::{filter_record_batch, max, min};
use arrow::datatypes::{SchemaRef, TimestampSecondType};
use datafusion::common::{DataFusionError, Result, internal_datafusion_err};

use super::selection::Bounds;
use super::{Batches, CachedRows, ReadRows, ScanExtent, ScanRequest, Table};

/// The columns with the start and end of a row.
const PLACE: [&str; 2] = ["start_local", "end_local"];

/// The minimum and maximum time of each column in [`PLACE`]. `None` for a column without a readable time.
type ColumnBounds = [Option<(i64, i64)>; PLACE.len()];

/// The loaded rows of a scan.
#[derive(Debug)]
pub(super) enum LoadedRows {
    /// Exactly the requested rows.
    Whole(Batches),
    /// Activities in the source's own format. The rows of each part are selected from these activities.
    Cached(Arc<dyn CachedRows>),
    /// Record batches, each with its minimum and maximum times. The rows of each part are selected from these batches.
    InParts { scan: ScanRequest, batches: Batches, extents: Vec<ColumnBounds> },
}

/// Adds the time columns to a scan of activities. These columns are needed later to select the rows of each part.
pub(super) fn with_time_columns(mut scan: ScanRequest) -> ScanRequest {
    if scan.table == Table::Activities {
        let schema = scan.table.schema();
        for column in PLACE.iter().filter_map(|column| schema.index_of(column).ok()) {
            if !scan.selection.projection.contains(&column) {
                scan.selection.projection.push(column);
            }
        }
    }
    scan
}

impl LoadedRows {
    /// Creates the loaded rows of a scan.
    pub(super) fn new(scan: ScanRequest, extent: ScanExtent, rows: ReadRows) -> Self {
        let batches = match rows {
            ReadRows::Cached(rows) => return Self::Cached(rows),
            ReadRows::Batches(batches) if extent == ScanExtent::Whole => return Self::Whole(batches),
            ReadRows::Batches(batches) => batches,
        };
        let extents = batches.iter().map(|batch| {
            PLACE.map(|column| {
                let instants = instants(batch, column)?;
                min(instants).zip(max(instants))
            })
        });
        Self::InParts { extents: extents.collect(), scan, batches }
    }

    /// Returns the loaded rows that another, narrower scan selects. The narrower scan can have fewer columns and
    /// narrower bounds of local time.
    pub(super) fn rows(&self, wanted: impl FnOnce() -> Result<ScanRequest>) -> Result<Batches> {
        let (scan, batches, extents) = match self {
            Self::Whole(batches) => return Ok(Arc::clone(batches)),
            Self::Cached(rows) => {
                let batches = rows.batches(&wanted()?.selection);
                return batches.map(Arc::new).map_err(|error| DataFusionError::External(error.into()));
            }
            Self::InParts { scan, batches, extents } => (scan, batches, extents),
        };
        let wanted = wanted()?;
        if wanted == *scan {
            return Ok(Arc::clone(batches));
        }
        let schema = wanted.schema();
        let columns = wanted.selection.projection.iter().map(|column| {
            let place = scan.selection.projection.iter().position(|read| read == column);
            place.ok_or_else(|| internal_datafusion_err!("a scan wants a column that was not read"))
        });
        let columns = columns.collect::<Result<Vec<_>>>()?;
        let bounds = PLACE.map(|column| {
            let (wanted, read) = (wanted.selection.bounds(column), scan.selection.bounds(column));
            // If the part has the same bounds as the whole scan, the source has already applied these bounds.
            if wanted == read { Bounds::default() } else { wanted }
        });
        let batches = batches.iter().zip(extents).filter_map(|(batch, extents)| {
            let may_hold = bounds.iter().zip(extents).all(|(bounds, extent)| may_contain(*bounds, *extent));
            may_hold.then(|| select_rows(batch, bounds, &columns, &schema))
        });
        Ok(Arc::new(batches.collect::<Result<_>>()?))
    }

    /// Returns the local starts of some activities: one for every `every` activities. Activities with an unknown start
    /// are left out.
    pub(super) fn starts(&self, every: usize) -> Vec<i64> {
        match self {
            Self::Cached(rows) => rows.starts(every),
            Self::InParts { scan, batches, .. } if scan.table == Table::Activities => {
                let batches = batches.iter().filter_map(|batch| instants(batch, PLACE[0]));
                let rows = batches.flat_map(TimestampSecondArray::iter);
                rows.skip(every.saturating_sub(1)).step_by(every).flatten().collect()
            }
            Self::InParts { .. } | Self::Whole(_) => Vec::new(),
        }
    }
}

fn instants<'b>(batch: &'b RecordBatch, column: &str) -> Option<&'b TimestampSecondArray> {
    batch.column_by_name(column)?.as_primitive_opt::<TimestampSecondType>()
}

/// Whether any time in `extent` can be within `bounds`. If `extent` is `None`, no time is readable, and the result is
/// true only for unlimited bounds.
fn may_contain(bounds: Bounds, extent: Option<(i64, i64)>) -> bool {
    match extent {
        Some((least, greatest)) => {
            bounds.from.is_none_or(|from| from <= greatest) && bounds.to.is_none_or(|to| least < to)
        }
        None => bounds == Bounds::default(),
    }
}

/// Returns the given columns of the rows within the bounds.
fn select_rows(
    batch: &RecordBatch,
    bounds: [Bounds; PLACE.len()],
    columns: &[usize],
    schema: &SchemaRef,
) -> Result<RecordBatch> {
    let mut wanted: Option<Vec<bool>> = None;
    for (column, bounds) in PLACE.iter().zip(bounds) {
        if bounds == Bounds::default() {
            continue;
        }
        let instants = instants(batch, column);
        let instants = instants.ok_or_else(|| internal_datafusion_err!("a scan was read without `{column}`"))?;
        let wanted = wanted.get_or_insert_with(|| vec![true; batch.num_rows()]);
        for (wanted, instant) in wanted.iter_mut().zip(instants) {
            *wanted &= bounds.contain(instant);
        }
    }
    let projected = batch.project(columns)?;
    let projected = projected.with_schema(SchemaRef::clone(schema))?;
    match wanted {
        Some(wanted) => Ok(filter_record_batch(&projected, &BooleanArray::from(wanted))?),
        None => Ok(projected),
    }
}
