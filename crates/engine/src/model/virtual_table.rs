//! Virtual tables: tables whose rows aren't in the history's database, such as notes and meetings. A statement reads
//! either the whole table, or only the rows of a time range or a key.
//!
//! A table that can be too large to be read as a whole needs a condition on its time or key. A statement without such a
//! condition fails. The error shows how to write the condition.

use std::error::Error;
use std::fmt;
use std::future::Future;
use std::ops::Range;
use std::sync::Arc;

use arrow::array::RecordBatch;
use arrow::datatypes::{DataType, SchemaRef, TimeUnit};
use async_trait::async_trait;
use chrono::NaiveDateTime;
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::{DataFusionError, Result, plan_datafusion_err, plan_err};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::logical_expr::{Expr, TableProviderFilterPushDown, TableType};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::streaming::{PartitionStream, StreamingTableExec};
use futures::stream::{self, BoxStream};
use futures::{StreamExt, TryStreamExt};

use crate::dates::instant::local_instant;
use dayledger_source::pushdown::{PushedFilter, Values, filter_support, push_filter, split_comparison};
use dayledger_source::selection::{Predicate, Test};

/// A stream of the rows of a table. If reading fails, the stream returns an error with a message for the user.
pub type TableRows = BoxStream<'static, Result<RecordBatch, Box<dyn Error + Send + Sync>>>;

/// Returns the rows of the batch that `read` returns. `read` may block.
pub fn rows_from_blocking<E>(read: impl FnOnce() -> Result<RecordBatch, E> + Send + 'static) -> TableRows
where
    E: Into<Box<dyn Error + Send + Sync>> + Send + 'static,
{
    rows_from_future(async move {
        match tokio::task::spawn_blocking(read).await {
            Ok(read) => read.map_err(Into::into),
            Err(_) => Err("the rows could not be read".into()),
        }
    })
}

/// Returns the rows of the batch that `read` returns.
pub fn rows_from_future(
    read: impl Future<Output = Result<RecordBatch, Box<dyn Error + Send + Sync>>> + Send + 'static,
) -> TableRows {
    stream::once(read).boxed()
}

/// A table whose rows are read while a statement runs.
#[derive(Clone)]
pub struct VirtualTable {
    /// The name in SQL.
    pub(crate) name: &'static str,
    schema: SchemaRef,
    read: ReadMode,
}

/// How rows are selected, with the function that reads these rows. In `ByRange` and `ByKey`, the text is the name of
/// the column that contains the time or key.
#[derive(Clone)]
enum ReadMode {
    Whole(Arc<dyn Fn() -> TableRows + Send + Sync>),
    ByRange(&'static str, Arc<dyn Fn(Range<NaiveDateTime>) -> TableRows + Send + Sync>),
    ByKey(&'static str, Arc<dyn Fn(String) -> TableRows + Send + Sync>),
}

impl VirtualTable {
    /// Creates a table that every statement reads as a whole.
    pub fn whole(name: &'static str, schema: SchemaRef, read: impl Fn() -> TableRows + Send + Sync + 'static) -> Self {
        Self { name, schema, read: ReadMode::Whole(Arc::new(read)) }
    }

    /// Creates a table that is read by a range of the local times (`Timestamp(Second)`) in the column `clock`. The end
    /// of a range is exclusive.
    pub fn with_range(
        name: &'static str,
        clock: &'static str,
        schema: SchemaRef,
        read: impl Fn(Range<NaiveDateTime>) -> TableRows + Send + Sync + 'static,
    ) -> Self {
        Self { name, schema, read: ReadMode::ByRange(clock, Arc::new(read)) }
    }

    /// Creates a table that is read by one value of the text column `key`.
    pub fn with_key(
        name: &'static str,
        key: &'static str,
        schema: SchemaRef,
        read: impl Fn(String) -> TableRows + Send + Sync + 'static,
    ) -> Self {
        Self { name, schema, read: ReadMode::ByKey(key, Arc::new(read)) }
    }

    /// Returns `filter` as a condition on the time or key. Returns `None` if `filter` isn't such a condition.
    fn condition(&self, filter: &Expr, known: Values) -> Option<PushedFilter> {
        let (wanted, data_type) = match &self.read {
            ReadMode::Whole(_) => return None,
            ReadMode::ByRange(clock, _) => (clock, DataType::Timestamp(TimeUnit::Second, None)),
            ReadMode::ByKey(key, _) => (key, DataType::Utf8View),
        };
        push_filter(filter, |column| (column == *wanted).then(|| data_type.clone()), known)
    }

    /// Fails if `filters` don't limit the rows enough: a range needs a start and an end, and a key needs a value. Each
    /// filter must be a condition on the time or key.
    fn check(&self, filters: &[Expr]) -> Result<()> {
        let name = self.name;
        match &self.read {
            ReadMode::ByRange(clock, _) => {
                // Only the direction of a comparison matters here: it limits either the start or the end. So the value
                // 0 stands for the compared value.
                let bounds = filters.iter().filter_map(|filter| match self.condition(filter, Values::Planned)? {
                    PushedFilter::Bound(Predicate { test: Test::Instant(comparison, _), .. })
                    | PushedFilter::Open(comparison) => Some(comparison.bounds(0)),
                    PushedFilter::Bound(_) => None,
                });
                let (from, to): (Vec<_>, Vec<_>) = bounds.unzip();
                if !from.iter().any(Option::is_some) || !to.iter().any(Option::is_some) {
                    return plan_err!(
                        "`{name}` needs a time range: add `WHERE {clock} >= '2025-01-15' AND {clock} < '2025-01-16'`"
                    );
                }
            }
            ReadMode::ByKey(key, _) if filters.is_empty() => {
                return plan_err!("`{name}` needs a `{key}`: add `WHERE {key} = '...'`");
            }
            ReadMode::Whole(_) | ReadMode::ByKey(..) => {}
        }
        Ok(())
    }

    /// Returns the rows that `filters` select. The values of the filters must be known.
    fn rows(&self, filters: &[Expr]) -> Result<TableRows> {
        match &self.read {
            ReadMode::Whole(read) => Ok(read()),
            ReadMode::ByRange(_, read) => Ok(read(self.range(filters)?)),
            ReadMode::ByKey(key, read) => {
                // Only the first filter selects a key. If there are more conditions on the key, DataFusion's filter
                // above the scan applies them.
                match filters.first().and_then(|filter| self.condition(filter, Values::Running)) {
                    Some(PushedFilter::Bound(Predicate { test: Test::Texts(keys), .. })) if keys.len() == 1 => {
                        Ok(read(keys.concat()))
                    }
                    _ => plan_err!("`{}` needs exactly one `{key}`", self.name),
                }
            }
        }
    }

    /// Returns the range of times that meet all filters.
    fn range(&self, filters: &[Expr]) -> Result<Range<NaiveDateTime>> {
        let (mut start, mut end) = (NaiveDateTime::MIN, NaiveDateTime::MAX);
        for filter in filters {
            let bounds = match self.condition(filter, Values::Running) {
                Some(PushedFilter::Bound(Predicate { test: Test::Instant(comparison, than), .. })) => {
                    local_instant(than).map(|_| comparison.bounds(than))
                }
                _ => None,
            };
            let value = split_comparison(filter).map_or(filter, |(_, _, value)| value);
            let (from, to) = bounds.ok_or_else(|| plan_datafusion_err!("`{value}` is not a valid time"))?;
            start = start.max(from.and_then(local_instant).unwrap_or(start));
            end = end.min(to.and_then(local_instant).unwrap_or(end));
        }
        // Conditions that contradict each other leave an empty range.
        Ok(start..end.max(start))
    }
}

impl fmt::Debug for VirtualTable {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("VirtualTable").field("name", &self.name).finish_non_exhaustive()
    }
}

#[async_trait]
impl TableProvider for VirtualTable {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    fn supports_filters_pushdown(&self, filters: &[&Expr]) -> Result<Vec<TableProviderFilterPushDown>> {
        // With `Inexact`, DataFusion applies the filters again. This is needed, because a scan may return rows that
        // don't match the filters.
        let is_condition = |filter: &Expr| self.condition(filter, Values::Planned).is_some();
        Ok(filter_support(filters, &TableProviderFilterPushDown::Inexact, is_condition))
    }

    async fn scan(
        &self,
        _state: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let is_condition = |filter: &&Expr| self.condition(filter, Values::Planned).is_some();
        let filters: Vec<_> = filters.iter().filter(is_condition).cloned().collect();
        self.check(&filters)?;
        // If there are filters, the limit must apply only after DataFusion's own filter, which is above this scan.
        let limit = limit.filter(|_| filters.is_empty());
        let scan = Arc::new(VirtualScan { table: self.clone(), filters });
        Ok(Arc::new(StreamingTableExec::try_new(self.schema(), vec![scan], projection, [], false, limit)?))
    }
}

/// A scan of a table, with the filters that select the rows to read.
#[derive(Debug)]
struct VirtualScan {
    table: VirtualTable,
    filters: Vec<Expr>,
}

impl PartitionStream for VirtualScan {
    fn schema(&self) -> &SchemaRef {
        &self.table.schema
    }

    fn execute(&self, _context: Arc<TaskContext>) -> SendableRecordBatchStream {
        let rows = match self.table.rows(&self.filters) {
            Ok(rows) => rows.map_err(|error| DataFusionError::Execution(error.to_string())).boxed(),
            Err(error) => stream::once(async { Err(error) }).boxed(),
        };
        Box::pin(RecordBatchStreamAdapter::new(Arc::clone(&self.table.schema), rows))
    }
}
