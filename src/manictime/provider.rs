//! The history's tables for DataFusion: what is pushed down, and the plan node that returns what was read.
//!
//! Planning touches no file. A [`ScanExec`] states what it needs; before a plan runs, [`load`] reads all its scans in
//! one transaction, so that a question is one consistent read however its plan is shaped.

use std::fmt;
use std::sync::{Arc, OnceLock};

use async_trait::async_trait;
use datafusion::arrow::datatypes::{DataType, SchemaRef};
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::tree_node::{TreeNode, TreeNodeRecursion};
use datafusion::common::{Result, ScalarValue, internal_datafusion_err, plan_err};
use datafusion::execution::TaskContext;
use datafusion::logical_expr::simplify::SimplifyContext;
use datafusion::logical_expr::{BinaryExpr, Expr, Operator, TableProviderFilterPushDown, TableType};
use datafusion::optimizer::simplify_expressions::ExprSimplifier;
use datafusion::physical_expr::{EquivalenceProperties, PhysicalExpr};
use datafusion::physical_plan::execution_plan::{Boundedness, EmissionType};
use datafusion::physical_plan::memory::MemoryStream;
use datafusion::physical_plan::{
    DisplayAs, DisplayFormatType, ExecutionPlan, Partitioning, PlanProperties, ReplaceChildrenOptions,
    SendableRecordBatchStream,
};

use super::scan::{Comparison, Predicate, Scan, Test};
use super::source::Batches;
use super::tables::{RawTable, Table};
use super::{Error, Reading, Shape, Source};

/// A table of the history behind a [`Source`].
#[derive(Debug)]
pub struct HistoryTable {
    source: Source,
    table: Table,
}

impl HistoryTable {
    /// The tables that every history has, by name: the ground of the model in `sql/`.
    pub fn model(source: &Source) -> Vec<(String, Arc<dyn TableProvider>)> {
        let tables = Table::MODEL.into_iter();
        tables.map(|(name, table)| (name.to_owned(), Self::provider(source, table))).collect()
    }

    /// The file's own tables, by lower-case name.
    pub fn raw(source: &Source, shape: &Shape) -> Vec<(String, Arc<dyn TableProvider>)> {
        let tables = shape.tables().iter();
        tables
            .map(|(name, columns)| {
                let table = RawTable::new(name, columns, source.privacy());
                (name.clone(), Self::provider(source, Table::Raw(table)))
            })
            .collect()
    }

    fn provider(source: &Source, table: Table) -> Arc<dyn TableProvider> {
        Arc::new(Self { source: source.clone(), table })
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
        Ok(filters
            .iter()
            .map(|filter| match predicate(filter, &self.table) {
                Some(_) => TableProviderFilterPushDown::Exact,
                None => TableProviderFilterPushDown::Unsupported,
            })
            .collect())
    }

    async fn scan(
        &self,
        _state: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let predicates = filters.iter().map(|filter| match predicate(filter, &self.table) {
            Some(Pushed::Bound(predicate)) => Ok(predicate),
            Some(Pushed::Unbound) => plan_err!("the statement has a parameter without a value: {filter}"),
            None => plan_err!("the filter cannot be pushed down: {filter}"),
        });
        // Scans that ask for the same rows are read once, so that they have to look the same.
        let mut predicates = predicates.collect::<Result<Vec<_>>>()?;
        predicates.sort_unstable();
        predicates.dedup();
        let scan = Scan {
            table: self.table.clone(),
            projection: projection.cloned().unwrap_or_else(|| (0..self.schema().fields().len()).collect()),
            predicates,
            limit,
        };
        Ok(Arc::new(ScanExec::new(self.source.clone(), scan)))
    }
}

/// A filter that the scan can fulfil.
enum Pushed {
    Bound(Predicate),
    /// It compares with a parameter that has no value yet: plans are optimised once and bound at the question.
    Unbound,
}

/// Returns what a filter asks of the scan, or `None` where DataFusion has to filter itself.
fn predicate(filter: &Expr, table: &Table) -> Option<Pushed> {
    match filter {
        Expr::BinaryExpr(BinaryExpr { left, op, right }) => match (left.as_ref(), right.as_ref()) {
            (Expr::Column(column), value) => comparison(table, &column.name, *op, value),
            (value, Expr::Column(column)) => comparison(table, &column.name, op.swap()?, value),
            _ => None,
        },
        Expr::InList(list) if !list.negated => {
            let Expr::Column(column) = list.expr.as_ref() else { return None };
            let data_type = pushable_type(table, &column.name)?;
            let values = list.list.iter().map(literal).collect::<Option<Vec<_>>>()?;
            let test = match data_type {
                DataType::Int64 => Test::Numbers(values.iter().map(|value| number(value)).collect::<Option<_>>()?),
                DataType::Utf8View => Test::Texts(values.iter().map(|value| text(value)).collect::<Option<_>>()?),
                _ => return None,
            };
            Some(Pushed::Bound(Predicate { column: column.name.clone(), test }))
        }
        _ => None,
    }
}

fn comparison(table: &Table, column: &str, operator: Operator, value: &Expr) -> Option<Pushed> {
    let data_type = pushable_type(table, column)?;
    let comparison = match operator {
        Operator::Lt => Comparison::Before,
        Operator::LtEq => Comparison::NotAfter,
        Operator::Eq => Comparison::Equal,
        Operator::GtEq => Comparison::NotBefore,
        Operator::Gt => Comparison::After,
        _ => return None,
    };
    if comparison != Comparison::Equal && !matches!(data_type, DataType::Timestamp(..)) {
        return None;
    }
    let value = match constant(value)? {
        Constant::Open => return Some(Pushed::Unbound),
        Constant::Known(value) => value,
    };
    let test = match data_type {
        DataType::Int64 => Test::Numbers(vec![number(&value)?]),
        DataType::Utf8View => Test::Texts(vec![text(&value)?]),
        _ => match value {
            ScalarValue::TimestampSecond(Some(seconds), None) => Test::Instant(comparison, seconds),
            _ => return None,
        },
    };
    Some(Pushed::Bound(Predicate { column: column.to_owned(), test }))
}

/// What a column is compared with, the same for every row.
enum Constant {
    Known(ScalarValue),
    /// It depends on a parameter that has no value yet.
    Open,
}

fn constant(value: &Expr) -> Option<Constant> {
    if let Some(value) = literal(value) {
        return Some(Constant::Known(value.clone()));
    }
    if !value.column_refs().is_empty() || value.is_volatile() {
        return None;
    }
    if value.exists(|part| Ok(matches!(part, Expr::Placeholder(_)))).ok()? {
        return Some(Constant::Open);
    }
    // A bound parameter with a margin: the plan was optimised before its value was known.
    let simplified = ExprSimplifier::new(SimplifyContext::default()).simplify(value.clone()).ok()?;
    literal(&simplified).cloned().map(Constant::Known)
}

fn pushable_type(table: &Table, column: &str) -> Option<DataType> {
    let schema = table.schema();
    table
        .pushes_down(column)
        .then(|| schema.field_with_name(column).ok().map(|field| field.data_type().clone()))
        .flatten()
}

fn literal(value: &Expr) -> Option<&ScalarValue> {
    match value {
        Expr::Literal(value, _) if !value.is_null() => Some(value),
        _ => None,
    }
}

fn number(value: &ScalarValue) -> Option<i64> {
    match value {
        ScalarValue::Int64(number) => *number,
        _ => None,
    }
}

fn text(value: &ScalarValue) -> Option<String> {
    value.try_as_str().flatten().map(str::to_owned)
}

/// A leaf of a plan: rows of one table of the history.
#[derive(Debug, Clone)]
pub struct ScanExec {
    source: Source,
    scan: Scan,
    properties: Arc<PlanProperties>,
    /// What [`load`] read; shared by every copy of this node that the planner makes.
    loaded: Arc<OnceLock<Batches>>,
}

impl ScanExec {
    fn new(source: Source, scan: Scan) -> Self {
        let properties = Arc::new(PlanProperties::new(
            EquivalenceProperties::new(scan.schema()),
            Partitioning::UnknownPartitioning(1),
            EmissionType::Incremental,
            Boundedness::Bounded,
        ));
        Self { source, scan, properties, loaded: Arc::default() }
    }

    /// How `SQLite` carries this scan out: the lines of its query plan. Blocks on the file.
    ///
    /// # Errors
    /// Everything that keeps the file from being read.
    pub fn sqlite_plan(&self) -> Result<Vec<String>, Error> {
        self.source.explain(&self.scan)
    }
}

/// The scans of a plan, in its order.
pub fn scans(plan: &Arc<dyn ExecutionPlan>) -> Vec<ScanExec> {
    let mut scans = Vec::new();
    // The visitor cannot fail.
    let _ = plan.apply(|node| {
        if let Some(scan) = node.downcast_ref::<ScanExec>() {
            scans.push(scan.clone());
        }
        Ok(TreeNodeRecursion::Continue)
    });
    scans
}

/// Reads every scan of `plans` in one transaction, which is over when this returns. Blocks on the file, until `reading`
/// is stopped.
///
/// # Errors
/// Everything that keeps the file from being read; then no plan may run.
pub fn load(source: &Source, plans: &[Arc<dyn ExecutionPlan>], reading: &Reading) -> Result<(), Error> {
    let scans: Vec<ScanExec> = plans.iter().flat_map(scans).filter(|scan| scan.loaded.get().is_none()).collect();
    if scans.is_empty() {
        return Ok(());
    }
    let read = source.read(&scans.iter().map(|scan| &scan.scan).collect::<Vec<_>>(), reading)?;
    for (scan, batches) in scans.iter().zip(read) {
        // Only a plan that is loaded twice at once gets here second; both hold the same rows.
        let _ = scan.loaded.set(batches);
    }
    Ok(())
}

impl DisplayAs for ScanExec {
    fn fmt_as(&self, _format: DisplayFormatType, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns: Vec<_> = self.scan.schema().fields().iter().map(|field| field.name().clone()).collect();
        write!(out, "ScanExec: {}", self.scan.table.describe(&self.scan))?;
        for predicate in &self.scan.predicates {
            match &predicate.test {
                Test::Instant(..) => {}
                Test::Numbers(numbers) => write!(out, ", {} in {numbers:?}", predicate.column)?,
                Test::Texts(texts) => write!(out, ", {} in {texts:?}", predicate.column)?,
            }
        }
        if let Some(limit) = self.scan.limit {
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

    fn replace_children(
        self: Arc<Self>,
        _children: Vec<Arc<dyn ExecutionPlan>>,
        _options: ReplaceChildrenOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        Ok(self)
    }

    fn with_new_children(self: Arc<Self>, _children: Vec<Arc<dyn ExecutionPlan>>) -> Result<Arc<dyn ExecutionPlan>> {
        Ok(self)
    }

    fn execute(&self, _partition: usize, _context: Arc<TaskContext>) -> Result<SendableRecordBatchStream> {
        let batches = self.loaded.get().ok_or_else(|| internal_datafusion_err!("a scan ran before it was loaded"))?;
        Ok(Box::pin(MemoryStream::try_new(batches.as_ref().clone(), self.scan.schema(), None)?))
    }
}
