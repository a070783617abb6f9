//! Tables that are read by a range of local time, from somewhere else than the history's file.
//!
//! Such a table can be too large to be read whole, so a question has to bound its clock on both sides; one that does not
//! is an error that says how to.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use async_trait::async_trait;
use chrono::{NaiveDateTime, TimeDelta};
use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::{DataFusionError, Result, ScalarValue, exec_datafusion_err, plan_datafusion_err, plan_err};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::logical_expr::simplify::SimplifyContext;
use datafusion::logical_expr::{BinaryExpr, Expr, Operator, TableProviderFilterPushDown, TableType};
use datafusion::optimizer::simplify_expressions::ExprSimplifier;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::streaming::{PartitionStream, StreamingTableExec};

use super::instant::local_instant;

/// A table whose rows have an instant of local time, and that is read by a range of it.
pub trait RangedTable: fmt::Debug + Send + Sync + 'static {
    /// Its name in SQL.
    fn name(&self) -> &'static str;

    /// The column of local instants (`Timestamp(Second)`).
    fn clock(&self) -> &'static str;

    /// Its columns.
    fn schema(&self) -> SchemaRef;

    /// Reads the rows of a local range, end exclusive. Blocks.
    ///
    /// # Errors
    /// Why they cannot be read, in words for the person who asks.
    fn read(&self, range: Range<NaiveDateTime>) -> Result<RecordBatch, Box<dyn std::error::Error + Send + Sync>>;
}

/// A [`RangedTable`] as DataFusion sees it.
#[derive(Debug)]
pub(super) struct RangedProvider(pub(super) Arc<dyn RangedTable>);

#[async_trait]
impl TableProvider for RangedProvider {
    fn schema(&self) -> SchemaRef {
        self.0.schema()
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    fn supports_filters_pushdown(&self, filters: &[&Expr]) -> Result<Vec<TableProviderFilterPushDown>> {
        let is_bound = |filter: &&Expr| bound(filter, self.0.clock()).is_some();
        Ok(filters
            .iter()
            .map(|filter| {
                // DataFusion filters again, so that the range may be wider than what was asked.
                if is_bound(filter) {
                    TableProviderFilterPushDown::Inexact
                } else {
                    TableProviderFilterPushDown::Unsupported
                }
            })
            .collect())
    }

    async fn scan(
        &self,
        _state: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        _limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let (name, clock) = (self.0.name(), self.0.clock());
        let bounds: Vec<_> = filters.iter().filter_map(|filter| bound(filter, clock)).collect();
        if !(bounds.iter().any(Bound::is_start) && bounds.iter().any(Bound::is_end)) {
            return plan_err!(
                "`{name}` is read by a range of time: add `WHERE {clock} >= '2025-01-15' AND {clock} < '2025-01-16'`"
            );
        }
        let part = Arc::new(Part { table: Arc::clone(&self.0), schema: self.0.schema(), bounds });
        // A limit would come before the filter that runs above.
        let scan = StreamingTableExec::try_new(self.0.schema(), vec![part], projection, [], false, None)?;
        Ok(Arc::new(scan))
    }
}

/// What a filter asks of the clock. The instant may be a parameter, whose value is known when the plan runs.
#[derive(Debug)]
struct Bound {
    operator: Operator,
    instant: Expr,
}

impl Bound {
    fn is_start(&self) -> bool {
        matches!(self.operator, Operator::GtEq | Operator::Gt | Operator::Eq)
    }

    fn is_end(&self) -> bool {
        matches!(self.operator, Operator::LtEq | Operator::Lt | Operator::Eq)
    }

    fn value(&self) -> Result<NaiveDateTime> {
        let value = ExprSimplifier::new(SimplifyContext::default()).simplify(self.instant.clone())?;
        let instant = match value {
            Expr::Literal(ScalarValue::TimestampSecond(Some(seconds), None), _) => local_instant(seconds),
            _ => None,
        };
        instant.ok_or_else(|| plan_datafusion_err!("`{}` is no instant", self.instant))
    }
}

/// The bound that a filter sets, if it compares the clock with one instant.
fn bound(filter: &Expr, clock: &str) -> Option<Bound> {
    let Expr::BinaryExpr(BinaryExpr { left, op, right }) = filter else { return None };
    let (operator, value) = match (left.as_ref(), right.as_ref()) {
        (Expr::Column(column), value) if column.name == clock => (*op, value),
        (value, Expr::Column(column)) if column.name == clock => (op.swap()?, value),
        _ => return None,
    };
    let compares = matches!(operator, Operator::GtEq | Operator::Gt | Operator::Lt | Operator::LtEq | Operator::Eq);
    let is_instant = match value {
        Expr::Literal(value, _) => matches!(value, ScalarValue::TimestampSecond(Some(_), None)),
        value => value.column_refs().is_empty() && !value.is_volatile(),
    };
    (compares && is_instant).then(|| Bound { operator, instant: value.clone() })
}

/// The range that the bounds together leave.
fn range(bounds: &[Bound]) -> Result<Range<NaiveDateTime>> {
    let (mut start, mut end) = (NaiveDateTime::MIN, NaiveDateTime::MAX);
    for bound in bounds {
        let instant = bound.value()?;
        let next = instant.checked_add_signed(TimeDelta::seconds(1)).unwrap_or(NaiveDateTime::MAX);
        if bound.is_start() {
            start = start.max(instant);
        }
        if bound.is_end() {
            end = end.min(if bound.operator == Operator::Lt { instant } else { next });
        }
    }
    Ok(start..end.max(start))
}

/// The rows of one range.
#[derive(Debug)]
struct Part {
    table: Arc<dyn RangedTable>,
    schema: SchemaRef,
    bounds: Vec<Bound>,
}

impl PartitionStream for Part {
    fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    fn execute(&self, _context: Arc<TaskContext>) -> SendableRecordBatchStream {
        let (table, range) = (Arc::clone(&self.table), range(&self.bounds));
        let rows = async move {
            let range = range?;
            let read = tokio::task::spawn_blocking(move || table.read(range)).await;
            read.map_err(|_| exec_datafusion_err!("the rows could not be read"))?
                .map_err(|error| DataFusionError::Execution(error.to_string()))
        };
        Box::pin(RecordBatchStreamAdapter::new(Arc::clone(&self.schema), futures::stream::once(rows)))
    }
}
