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
use datafusion::common::{DataFusionError, Result, ScalarValue, exec_datafusion_err, plan_err};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::logical_expr::{BinaryExpr, Expr, Operator, TableProviderFilterPushDown, TableType};
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
        let is_bound = |filter: &&Expr| comparison(filter, self.0.clock()).is_some();
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
        let Some(range) = range(filters, clock) else {
            return plan_err!(
                "`{name}` is read by a range of time: add `WHERE {clock} >= '2025-01-15' AND {clock} < '2025-01-16'`"
            );
        };
        let part = Arc::new(Part { table: Arc::clone(&self.0), schema: self.0.schema(), range });
        // A limit would come before the filter that runs above.
        let scan = StreamingTableExec::try_new(self.0.schema(), vec![part], projection, [], false, None)?;
        Ok(Arc::new(scan))
    }
}

/// The range that the filters together ask for; `None` where a side is open.
fn range(filters: &[Expr], clock: &str) -> Option<Range<NaiveDateTime>> {
    let second = TimeDelta::seconds(1);
    let (mut start, mut end) = (None, None);
    let mut from = |instant: NaiveDateTime| start = start.max(Some(instant));
    let mut until = |instant: NaiveDateTime| end = Some(end.map_or(instant, |end: NaiveDateTime| end.min(instant)));
    for (operator, instant) in filters.iter().filter_map(|filter| comparison(filter, clock)) {
        let instant = instant?;
        match operator {
            Operator::GtEq | Operator::Gt => from(instant),
            Operator::Lt => until(instant),
            Operator::LtEq => until(instant.checked_add_signed(second)?),
            _ => {
                from(instant);
                until(instant.checked_add_signed(second)?);
            }
        }
    }
    let (start, end) = (start?, end?);
    Some(start..end.max(start))
}

/// The bound that a filter sets, if it compares the clock with one instant; the instant is absent while it depends on a
/// parameter without a value.
fn comparison(filter: &Expr, clock: &str) -> Option<(Operator, Option<NaiveDateTime>)> {
    let Expr::BinaryExpr(BinaryExpr { left, op, right }) = filter else { return None };
    let (operator, value) = match (left.as_ref(), right.as_ref()) {
        (Expr::Column(column), value) if column.name == clock => (*op, value),
        (value, Expr::Column(column)) if column.name == clock => (op.swap()?, value),
        _ => return None,
    };
    if !matches!(operator, Operator::GtEq | Operator::Gt | Operator::Lt | Operator::LtEq | Operator::Eq) {
        return None;
    }
    match value {
        Expr::Literal(ScalarValue::TimestampSecond(Some(seconds), None), _) => {
            Some((operator, Some(local_instant(*seconds)?)))
        }
        Expr::Placeholder(_) => Some((operator, None)),
        _ => None,
    }
}

/// The rows of one range.
#[derive(Debug)]
struct Part {
    table: Arc<dyn RangedTable>,
    schema: SchemaRef,
    range: Range<NaiveDateTime>,
}

impl PartitionStream for Part {
    fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    fn execute(&self, _context: Arc<TaskContext>) -> SendableRecordBatchStream {
        let (table, range) = (Arc::clone(&self.table), self.range.clone());
        let rows = async move {
            let read = tokio::task::spawn_blocking(move || table.read(range)).await;
            read.map_err(|_| exec_datafusion_err!("the rows could not be read"))?
                .map_err(|error| DataFusionError::Execution(error.to_string()))
        };
        Box::pin(RecordBatchStreamAdapter::new(Arc::clone(&self.schema), futures::stream::once(rows)))
    }
}
