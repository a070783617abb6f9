//! Tables that are read whole, from somewhere else than the history's file.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::Result;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::logical_expr::{Expr, TableType};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::streaming::{PartitionStream, StreamingTableExec};

use super::table_rows::{TableRows, told};

/// A table of which all rows are read, each time that a statement with it runs.
pub trait WholeTable: fmt::Debug + Send + Sync + 'static {
    /// Its name in SQL.
    fn name(&self) -> &'static str;

    /// Its columns.
    fn schema(&self) -> SchemaRef;

    /// All its rows, read while the statement runs.
    fn rows(self: Arc<Self>) -> TableRows;
}

/// A [`WholeTable`] as DataFusion sees it.
#[derive(Debug)]
pub(super) struct WholeProvider(pub(super) Arc<dyn WholeTable>);

#[async_trait]
impl TableProvider for WholeProvider {
    fn schema(&self) -> SchemaRef {
        self.0.schema()
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    async fn scan(
        &self,
        _state: &dyn Session,
        projection: Option<&Vec<usize>>,
        _filters: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let all = Arc::new(All { table: Arc::clone(&self.0), schema: self.0.schema() });
        Ok(Arc::new(StreamingTableExec::try_new(self.0.schema(), vec![all], projection, [], false, limit)?))
    }
}

/// All rows.
#[derive(Debug)]
struct All {
    table: Arc<dyn WholeTable>,
    schema: SchemaRef,
}

impl PartitionStream for All {
    fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    fn execute(&self, _context: Arc<TaskContext>) -> SendableRecordBatchStream {
        told(&self.schema, Ok(Arc::clone(&self.table).rows()))
    }
}
