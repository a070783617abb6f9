//! Rows of tables that are somewhere else than in the history's file: read while a statement runs, as far as it wants them.

use std::error::Error;
use std::future::Future;
use std::sync::Arc;

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::common::{DataFusionError, Result};
use datafusion::execution::SendableRecordBatchStream;
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use futures::stream::{self, BoxStream};
use futures::{StreamExt, TryStreamExt};

/// The rows of a table as they come, or why they cannot be read, in words for the person who asks.
pub type TableRows = BoxStream<'static, Result<RecordBatch, Box<dyn Error + Send + Sync>>>;

/// Rows that `read` reads at once, where it may block.
pub fn read_at_once<E>(read: impl FnOnce() -> Result<RecordBatch, E> + Send + 'static) -> TableRows
where
    E: Into<Box<dyn Error + Send + Sync>> + Send + 'static,
{
    let rows = async move {
        match tokio::task::spawn_blocking(read).await {
            Ok(read) => read.map_err(Into::into),
            Err(_) => Err("the rows could not be read".into()),
        }
    };
    stream::once(rows).boxed()
}

/// Rows that `read` has read when it is done.
pub fn read_whole(
    read: impl Future<Output = Result<RecordBatch, Box<dyn Error + Send + Sync>>> + Send + 'static,
) -> TableRows {
    stream::once(read).boxed()
}

/// The rows as DataFusion takes them.
pub(super) fn told(schema: &SchemaRef, rows: Result<TableRows>) -> SendableRecordBatchStream {
    let rows = match rows {
        Ok(rows) => rows.map_err(|error| DataFusionError::Execution(error.to_string())).boxed(),
        Err(error) => stream::once(async { Err(error) }).boxed(),
    };
    Box::pin(RecordBatchStreamAdapter::new(Arc::clone(schema), rows))
}
