//! Tables that are read by a key, from somewhere else than the history's file: what belongs to one thing of many, which would
//! be much to find out of all.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use datafusion::arrow::datatypes::{DataType, SchemaRef};
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::{Result, plan_err};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::logical_expr::{Expr, TableProviderFilterPushDown, TableType};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::streaming::{PartitionStream, StreamingTableExec};

use super::table_rows::{TableRows, told};
use crate::manictime::pushdown::{Pushed, Values, pushed, supported};
use crate::manictime::selection::{Comparison, Predicate, Test};

/// A table of which the rows of one key are read.
pub trait KeyedTable: fmt::Debug + Send + Sync + 'static {
    /// Its name in SQL.
    fn name(&self) -> &'static str;

    /// The column of the key, a text.
    fn key(&self) -> &'static str;

    /// Its columns.
    fn schema(&self) -> SchemaRef;

    /// The rows of a key, read while the statement runs.
    fn rows(self: Arc<Self>, key: String) -> TableRows;
}

/// A [`KeyedTable`] as DataFusion sees it.
#[derive(Debug)]
pub(super) struct KeyedProvider(pub(super) Arc<dyn KeyedTable>);

#[async_trait]
impl TableProvider for KeyedProvider {
    fn schema(&self) -> SchemaRef {
        self.0.schema()
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    fn supports_filters_pushdown(&self, filters: &[&Expr]) -> Result<Vec<TableProviderFilterPushDown>> {
        // DataFusion filters again, for what a key finds may have another form of it.
        let names_key = |filter: &Expr| on_key(filter, self.0.key(), Values::Planned).is_some();
        Ok(supported(filters, &TableProviderFilterPushDown::Inexact, names_key))
    }

    async fn scan(
        &self,
        _state: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        _limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let (name, key) = (self.0.name(), self.0.key());
        let Some(filter) = filters.iter().find(|filter| on_key(filter, key, Values::Planned).is_some()) else {
            return plan_err!("`{name}` is read by its `{key}`: add `WHERE {key} = '...'`");
        };
        let rows = Arc::new(OfKey { table: Arc::clone(&self.0), schema: self.0.schema(), filter: filter.clone() });
        // A limit would come before the filter that runs above.
        Ok(Arc::new(StreamingTableExec::try_new(self.0.schema(), vec![rows], projection, [], false, None)?))
    }
}

/// The condition on the key that a filter is, if it is one.
fn on_key(filter: &Expr, key: &str, known: Values) -> Option<Pushed> {
    let pushed = pushed(filter, |column| (column == key).then_some(DataType::Utf8View), known)?;
    match &pushed {
        Pushed::Bound(Predicate { test: Test::Texts(_), .. }) | Pushed::Open(Comparison::Equal) => Some(pushed),
        _ => None,
    }
}

/// The rows of a key that is known when the statement runs.
#[derive(Debug)]
struct OfKey {
    table: Arc<dyn KeyedTable>,
    schema: SchemaRef,
    filter: Expr,
}

impl OfKey {
    fn rows(&self) -> Result<TableRows> {
        let (name, key) = (self.table.name(), self.table.key());
        match on_key(&self.filter, key, Values::Running) {
            Some(Pushed::Bound(Predicate { test: Test::Texts(keys), .. })) if keys.len() == 1 => {
                Ok(Arc::clone(&self.table).rows(keys.concat()))
            }
            _ => plan_err!("`{name}` is read by one `{key}`"),
        }
    }
}

impl PartitionStream for OfKey {
    fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    fn execute(&self, _context: Arc<TaskContext>) -> SendableRecordBatchStream {
        told(&self.schema, self.rows())
    }
}
