//! Tables of a history for DataFusion, and the plan node that returns the loaded rows.
//!
//! Planning doesn't read files. A [`ScanExec`] describes the rows that it needs. Before a plan runs, [`load`] reads all
//! scans of the plan in one transaction, so that every request is one consistent read. Plans are reused with other
//! values, so the values in filters may be known only when `load` is called.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use arrow::datatypes::SchemaRef;
use async_trait::async_trait;
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::common::{Result, internal_datafusion_err, plan_err};
use datafusion::execution::TaskContext;
use datafusion::logical_expr::{Expr, TableProviderFilterPushDown, TableType};
use datafusion::physical_expr::{EquivalenceProperties, PhysicalExpr};
use datafusion::physical_plan::execution_plan::{Boundedness, EmissionType};
use datafusion::physical_plan::memory::MemoryStream;
use datafusion::physical_plan::{
    DisplayAs, DisplayFormatType, ExecutionPlan, Partitioning, PlanProperties, SendableRecordBatchStream,
};

use super::loaded::{LoadedRows, with_time_columns};
use super::pushdown::{PushedFilter, Values, filter_support};
use super::selection::{Selection, Test};
use super::{Contents, Error, ErrorKind, HistorySource, ReadHandle, ReadRows, ScanExtent, ScanRequest, Table};

/// A table of a [`HistorySource`].
#[derive(Debug)]
pub struct HistoryTable {
    source: Arc<dyn HistorySource>,
    table: Table,
}

impl HistoryTable {
    /// Returns the tables that every history has, by name. The views in `sql/` read them.
    pub fn model_tables(source: &Arc<dyn HistorySource>) -> Vec<(String, Arc<dyn TableProvider>)> {
        let tables = Table::MODEL.into_iter();
        tables.map(|(name, table)| (name.to_owned(), Self::provider(source, table))).collect()
    }

    /// Returns the source's own tables, by name. The meaning of their columns is unknown, so the
    /// result is empty if there are any privacy settings.
    pub fn own_tables(source: &Arc<dyn HistorySource>, contents: &Contents) -> Vec<(String, Arc<dyn TableProvider>)> {
        let tables = contents.own_tables.iter().filter(|_| source.privacy().is_empty());
        let own = |table| Self::provider(source, Table::Own(Arc::new(table)));
        tables.map(|table| (table.name.clone(), own(table.clone()))).collect()
    }

    fn provider(source: &Arc<dyn HistorySource>, table: Table) -> Arc<dyn TableProvider> {
        Arc::new(Self { source: Arc::clone(source), table })
    }
}

#[async_trait]
impl TableProvider for HistoryTable {
    fn schema(&self) -> SchemaRef {
        self.table.schema()
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    fn supports_filters_pushdown(&self, filters: &[&Expr]) -> Result<Vec<TableProviderFilterPushDown>> {
        let is_pushed = |filter: &Expr| self.table.push_filter(filter, Values::Planned).is_some();
        Ok(filter_support(filters, &TableProviderFilterPushDown::Exact, is_pushed))
    }

    async fn scan(
        &self,
        _state: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let (mut predicates, mut open) = (Vec::new(), Vec::new());
        for filter in filters {
            match self.table.push_filter(filter, Values::Planned) {
                Some(PushedFilter::Bound(predicate)) => predicates.push(predicate),
                Some(PushedFilter::Open(_)) => open.push(filter.clone()),
                None => return plan_err!("the filter cannot be pushed down: {filter}"),
            }
        }
        let projection = projection.cloned().unwrap_or_else(|| (0..self.schema().fields().len()).collect());
        let selection = Selection { projection, predicates, limit };
        let scan = ScanRequest { table: self.table.clone(), selection };
        Ok(Arc::new(ScanExec::new(Arc::clone(&self.source), scan, open)))
    }
}

/// A leaf of a plan: the rows of one table of the history.
#[derive(Debug, Clone)]
struct ScanExec {
    source: Arc<dyn HistorySource>,
    /// The scan. It contains only the predicates that are the same for all runs of the plan.
    scan: ScanRequest,
    /// Filters whose values aren't known yet. When the plan runs, they become predicates.
    open: Vec<Expr>,
    properties: Arc<PlanProperties>,
    /// The loaded rows. The planner copies nodes, so all copies of this node share these rows.
    place: RowsSlot,
}

/// Returns the properties of a plan node that returns rows with these columns in one partition.
pub fn one_partition(schema: SchemaRef) -> Arc<PlanProperties> {
    Arc::new(PlanProperties::new(
        EquivalenceProperties::new(schema),
        Partitioning::UnknownPartitioning(1),
        EmissionType::Incremental,
        Boundedness::Bounded,
    ))
}

/// The slot for the rows of a scan. It is empty until the rows are loaded.
type RowsSlot = Arc<Mutex<Option<Arc<LoadedRows>>>>;

/// Locks the rows of a scan.
fn lock(place: &RowsSlot) -> MutexGuard<'_, Option<Arc<LoadedRows>>> {
    place.lock().unwrap_or_else(PoisonError::into_inner)
}

impl ScanExec {
    fn new(source: Arc<dyn HistorySource>, scan: ScanRequest, open: Vec<Expr>) -> Self {
        let properties = one_partition(scan.schema());
        Self { source, scan, open, properties, place: RowsSlot::default() }
    }

    fn loaded_rows(&self) -> Option<Arc<LoadedRows>> {
        lock(&self.place).clone()
    }

    /// Returns the scan with the values of the current run.
    fn bind_scan(&self) -> Result<ScanRequest> {
        let mut scan = self.scan.clone();
        for filter in &self.open {
            match scan.table.push_filter(filter, Values::Running) {
                Some(PushedFilter::Bound(predicate)) => scan.selection.predicates.push(predicate),
                _ => return plan_err!("the statement has a parameter without a value: {filter}"),
            }
        }
        // Scans with equal predicates are read only once, so the predicates are sorted for the comparison.
        scan.selection.predicates.sort_unstable();
        scan.selection.predicates.dedup();
        Ok(scan)
    }
}

/// A scan whose rows aren't loaded yet. Its filters contain the values of the current run.
#[derive(Debug)]
pub struct UnreadScan {
    source: Arc<dyn HistorySource>,
    scan: ScanRequest,
    extent: ScanExtent,
    place: RowsSlot,
}

impl UnreadScan {
    /// Returns the source's own plan for this scan, one step per line. Blocks while it accesses the files.
    ///
    /// # Errors
    /// Fails if the files can't be read.
    pub fn source_plan(&self) -> Result<Vec<String>, Error> {
        self.source.explain(&self.scan)
    }
}

/// Returns the scan of a plan's node. Returns `None` if the node isn't a scan, or if its rows are already loaded.
///
/// # Errors
/// Fails if the value of a filter is missing.
pub fn unread_scan(node: &Arc<dyn ExecutionPlan>, extent: ScanExtent) -> Result<Option<UnreadScan>> {
    let Some(scan) = node.downcast_ref::<ScanExec>().filter(|scan| scan.loaded_rows().is_none()) else {
        return Ok(None);
    };
    let (source, place) = (Arc::clone(&scan.source), Arc::clone(&scan.place));
    let scan = match extent {
        ScanExtent::Whole => scan.bind_scan()?,
        ScanExtent::Parts => with_time_columns(scan.bind_scan()?),
    };
    Ok(Some(UnreadScan { source, scan, extent, place }))
}

/// Reads all `scans` in one transaction, which ends before this function returns. The plans that contain these scans
/// can then run. Blocks until the rows are read or `reading` is stopped.
///
/// # Errors
/// Fails if the files can't be read, or if the source returned other results than requested. In this case, no scan is
/// loaded, and the plans must not run.
pub fn load(source: &dyn HistorySource, scans: &[UnreadScan], reading: &ReadHandle) -> Result<(), Error> {
    if scans.is_empty() {
        return Ok(());
    }
    let read = source.read(&scans.iter().map(|unread| (&unread.scan, unread.extent)).collect::<Vec<_>>(), reading)?;
    check_results(scans, &read)?;
    for (unread, rows) in scans.iter().zip(read) {
        // A plan can contain a node twice. The node's scan is then in `scans` twice, and gets the same rows both times.
        *lock(&unread.place) = Some(Arc::new(LoadedRows::new(unread.scan.clone(), unread.extent, rows)));
    }
    Ok(())
}

/// Fails unless the source returned one result for each scan, with exactly the columns of the scan.
fn check_results(scans: &[UnreadScan], results: &[ReadRows]) -> Result<(), Error> {
    let has_columns = |unread: &UnreadScan, rows: &ReadRows| match rows {
        ReadRows::Batches(batches) => {
            let schema = unread.scan.schema();
            batches.iter().all(|batch| *batch.schema_ref() == schema)
        }
        ReadRows::Cached(_) => true,
    };
    let fault = if scans.len() == results.len() {
        let wrong = scans.iter().zip(results).find(|pair| !has_columns(pair.0, pair.1));
        wrong.map(|(unread, _)| format!("other columns of `{}` than requested", unread.scan.table.name()))
    } else {
        Some(format!("{} results for {} scans", results.len(), scans.len()))
    };
    fault.map_or(Ok(()), |fault| {
        Err(Error {
            kind: ErrorKind::Failed,
            message: format!("cannot read the history: the source returned {fault}"),
            hint: "report this error with the command that you ran".to_owned(),
        })
    })
}

/// Drops the loaded rows of all scans in `plan`.
pub fn forget(plan: &Arc<dyn ExecutionPlan>) {
    for scan in scans_of(plan) {
        *lock(&scan.place) = None;
    }
}

/// Whether two plans have the same scans.
pub fn has_same_scans(one: &Arc<dyn ExecutionPlan>, other: &Arc<dyn ExecutionPlan>) -> bool {
    let (one, other) = (scans_of(one), scans_of(other));
    let are_same =
        |(one, other): (&&ScanExec, &&ScanExec)| one.scan == other.scan && one.open.len() == other.open.len();
    one.len() == other.len() && one.iter().zip(&other).all(are_same)
}

/// Shares the loaded rows of one plan with another plan that has the same scans.
pub fn share_rows(from: &Arc<dyn ExecutionPlan>, to: &Arc<dyn ExecutionPlan>) {
    for (from, to) in scans_of(from).into_iter().zip(scans_of(to)) {
        *lock(&to.place) = from.loaded_rows();
    }
}

/// Returns the local starts of some activities, in order: one for every `every` activities. Only activities that were
/// loaded for `ScanExtent::Parts` count.
pub fn activity_starts(plan: &Arc<dyn ExecutionPlan>, every: usize) -> Vec<i64> {
    let loaded = scans_of(plan).into_iter().filter_map(ScanExec::loaded_rows);
    let mut starts: Vec<_> = loaded.flat_map(|loaded| loaded.starts(every)).collect();
    starts.sort_unstable();
    starts
}

/// Whether a plan has a scan that isn't inside a node for which `is_apart` returns true.
pub fn has_scans_outside(plan: &Arc<dyn ExecutionPlan>, is_apart: fn(&Arc<dyn ExecutionPlan>) -> bool) -> bool {
    if is_apart(plan) {
        return false;
    }
    let is_scan = plan.downcast_ref::<ScanExec>().is_some();
    is_scan || plan.children().into_iter().any(|child| has_scans_outside(child, is_apart))
}

/// Returns the scans of a plan, in the order of its nodes.
fn scans_of(plan: &Arc<dyn ExecutionPlan>) -> Vec<&ScanExec> {
    let inputs = plan.children().into_iter().flat_map(scans_of);
    plan.downcast_ref::<ScanExec>().into_iter().chain(inputs).collect()
}

impl DisplayAs for ScanExec {
    fn fmt_as(&self, _format: DisplayFormatType, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns: Vec<_> = self.scan.schema().fields().iter().map(|field| field.name().clone()).collect();
        write!(out, "ScanExec: {}", self.source.describe(&self.scan))?;
        for predicate in &self.scan.selection.predicates {
            match &predicate.test {
                Test::Instant(..) => {}
                Test::Numbers(numbers) => write!(out, ", {} in {numbers:?}", predicate.column)?,
                Test::Texts(texts) => write!(out, ", {} in {texts:?}", predicate.column)?,
            }
        }
        for filter in &self.open {
            write!(out, ", {filter}")?;
        }
        if let Some(limit) = self.scan.selection.limit {
            write!(out, ", limit={limit}")?;
        }
        write!(out, ", columns=[{}]", columns.join(", "))
    }
}

impl ExecutionPlan for ScanExec {
    fn name(&self) -> &'static str {
        "ScanExec"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        Vec::new()
    }

    fn apply_expressions(
        &self,
        _visit: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        Ok(TreeNodeRecursion::Continue)
    }

    fn with_new_children(self: Arc<Self>, _children: Vec<Arc<dyn ExecutionPlan>>) -> Result<Arc<dyn ExecutionPlan>> {
        Ok(self)
    }

    /// Returns a copy of the scan without loaded rows.
    fn reset_state(self: Arc<Self>) -> Result<Arc<dyn ExecutionPlan>> {
        Ok(Arc::new(Self { place: RowsSlot::default(), ..self.as_ref().clone() }))
    }

    fn execute(&self, _partition: usize, _context: Arc<TaskContext>) -> Result<SendableRecordBatchStream> {
        let loaded = self.loaded_rows().ok_or_else(|| internal_datafusion_err!("a scan ran before it was loaded"))?;
        let batches = loaded.rows(|| self.bind_scan())?;
        Ok(Box::pin(MemoryStream::try_new(batches.as_ref().clone(), self.scan.schema(), None)?))
    }
}

#[cfg(test)]
mod tests;
