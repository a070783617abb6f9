//! Tables that are read by a range of local time, from somewhere else than the history's file.
//!
//! Such a table can be too large to be read whole, so a question has to bound its clock on both sides; one that does not
//! is an error that says how to.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use async_trait::async_trait;
use chrono::NaiveDateTime;
use datafusion::arrow::datatypes::{DataType, SchemaRef, TimeUnit};
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::{Result, plan_datafusion_err, plan_err};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::logical_expr::{Expr, TableProviderFilterPushDown, TableType};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::streaming::{PartitionStream, StreamingTableExec};

use super::instant::local_instant;
use super::table_rows::{TableRows, told};
use crate::manictime::pushdown::{Pushed, Values, compared, pushed, supported};
use crate::manictime::selection::{Comparison, Predicate, Test};

/// A table whose rows have an instant of local time, and that is read by a range of it.
pub trait RangedTable: fmt::Debug + Send + Sync + 'static {
    /// Its name in SQL.
    fn name(&self) -> &'static str;

    /// The column of local instants (`Timestamp(Second)`).
    fn clock(&self) -> &'static str;

    /// Its columns.
    fn schema(&self) -> SchemaRef;

    /// The rows of a local range, end exclusive, read while the statement runs.
    fn rows(self: Arc<Self>, range: Range<NaiveDateTime>) -> TableRows;
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
        // DataFusion filters again, so that the range may be wider than what was asked.
        let is_bound = |filter: &Expr| bound(filter, self.0.clock()).is_some();
        Ok(supported(filters, &TableProviderFilterPushDown::Inexact, is_bound))
    }

    async fn scan(
        &self,
        _state: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        _limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let (name, clock) = (self.0.name(), self.0.clock());
        // Which ends a comparison bounds does not depend on what it compares with.
        let bounding = filters.iter().filter_map(|filter| Some((filter.clone(), bound(filter, clock)?.bounds(0))));
        let (filters, bounds): (Vec<_>, Vec<_>) = bounding.unzip();
        if !(bounds.iter().any(|(from, _)| from.is_some()) && bounds.iter().any(|(_, to)| to.is_some())) {
            return plan_err!(
                "`{name}` is read by a range of time: add `WHERE {clock} >= '2025-01-15' AND {clock} < '2025-01-16'`"
            );
        }
        let part = Arc::new(Part { table: Arc::clone(&self.0), schema: self.0.schema(), filters });
        // A limit would come before the filter that runs above.
        let scan = StreamingTableExec::try_new(self.0.schema(), vec![part], projection, [], false, None)?;
        Ok(Arc::new(scan))
    }
}

/// How a filter compares the clock with one instant, if it does. The instant may be a parameter, whose value is known
/// when the plan runs.
fn bound(filter: &Expr, clock: &str) -> Option<Comparison> {
    match on_clock(filter, clock, Values::Planned)? {
        Pushed::Bound(Predicate { test: Test::Instant(comparison, _), .. }) | Pushed::Open(comparison) => {
            Some(comparison)
        }
        Pushed::Bound(_) => None,
    }
}

fn on_clock(filter: &Expr, clock: &str, known: Values) -> Option<Pushed> {
    pushed(filter, |column| (column == clock).then_some(DataType::Timestamp(TimeUnit::Second, None)), known)
}

/// The range that the filters together leave.
fn range(filters: &[Expr], clock: &str) -> Result<Range<NaiveDateTime>> {
    let (mut start, mut end) = (NaiveDateTime::MIN, NaiveDateTime::MAX);
    for filter in filters {
        let bounds = match on_clock(filter, clock, Values::Running) {
            Some(Pushed::Bound(Predicate { test: Test::Instant(comparison, than), .. })) => {
                local_instant(than).map(|_| comparison.bounds(than))
            }
            _ => None,
        };
        let value = compared(filter).map_or(filter, |(_, _, value)| value);
        let (from, to) = bounds.ok_or_else(|| plan_datafusion_err!("`{value}` is no instant"))?;
        start = start.max(from.and_then(local_instant).unwrap_or(start));
        end = end.min(to.and_then(local_instant).unwrap_or(end));
    }
    Ok(start..end.max(start))
}

/// The rows of one range.
#[derive(Debug)]
struct Part {
    table: Arc<dyn RangedTable>,
    schema: SchemaRef,
    /// Of the clock alone.
    filters: Vec<Expr>,
}

impl PartitionStream for Part {
    fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    fn execute(&self, _context: Arc<TaskContext>) -> SendableRecordBatchStream {
        let (table, range) = (Arc::clone(&self.table), range(&self.filters, self.table.clock()));
        told(&self.schema, range.map(|range| table.rows(range)))
    }
}
