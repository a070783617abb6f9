//! Returns the first rows of a result, and the number of all its rows.
//!
//! For a page of a long list, a request needs only the first rows and the total number of rows. If the sort knows how
//! many rows are needed, it keeps only these rows in memory. All other rows are counted and released.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use arrow::array::RecordBatch;
use datafusion::common::Result;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_plan::projection::ProjectionExec;
use datafusion::physical_plan::scalar_subquery::ScalarSubqueryExec;
use datafusion::physical_plan::sorts::sort::SortExec;
use datafusion::physical_plan::{ExecutionPlan, collect, replace_children_if_necessary};
use futures::{Stream, TryStreamExt};

use super::pass_through::{PassThroughExec, RowObserver};

/// Runs a plan. Returns its rows, and their total number. If the plan ends with a sort and `first_rows` is set, returns
/// only the first rows.
///
/// # Errors
/// Fails if the plan fails.
pub(crate) async fn collect_first(
    plan: Arc<dyn ExecutionPlan>,
    first_rows: Option<usize>,
    context: Arc<TaskContext>,
) -> Result<(Vec<RecordBatch>, usize)> {
    let counted = RowCounter::default();
    // DataFusion's sort panics if it has to keep zero rows. So for a request that needs only the total number, the sort
    // keeps one row.
    let limited = first_rows.map(|most| limit_sort(&plan, most.max(1), &counted)).transpose()?.flatten();
    let is_limited = limited.is_some();
    let rows = collect(limited.unwrap_or(plan), context).await?;
    let available =
        if is_limited { counted.0.load(Ordering::Relaxed) } else { rows.iter().map(RecordBatch::num_rows).sum() };
    Ok((rows, available))
}

/// Returns the plan with a sort that counts its input and keeps only `most` rows. Returns `None` if the plan doesn't
/// end with a sort.
fn limit_sort(
    plan: &Arc<dyn ExecutionPlan>,
    most: usize,
    counted: &RowCounter,
) -> Result<Option<Arc<dyn ExecutionPlan>>> {
    // If the statement itself has a limit, the sort's input has more rows than the result. Counting the input would
    // then return a wrong total.
    if let Some(sort) = plan.downcast_ref::<SortExec>().filter(|sort| sort.fetch().is_none()) {
        let input = PassThroughExec::wrap(Arc::clone(sort.input()), counted.clone());
        return Ok(Some(Arc::new(SortExec::new(sort.expr().clone(), input).with_fetch(Some(most)))));
    }
    let has_rows_of_input =
        plan.downcast_ref::<ProjectionExec>().is_some() || plan.downcast_ref::<ScalarSubqueryExec>().is_some();
    let mut children: Vec<_> = plan.children().into_iter().map(Arc::clone).collect();
    let Some(input) = children.first_mut().filter(|_| has_rows_of_input) else { return Ok(None) };
    let Some(cut) = limit_sort(input, most, counted)? else { return Ok(None) };
    *input = cut;
    Ok(Some(replace_children_if_necessary(Arc::clone(plan), children)?))
}

/// Counts the rows that pass through.
#[derive(Debug, Clone, Default)]
struct RowCounter(Arc<AtomicUsize>);

impl RowObserver for RowCounter {
    const NAME: &'static str = "CountingExec";

    fn observe(
        &self,
        rows: SendableRecordBatchStream,
        _context: &TaskContext,
    ) -> impl Stream<Item = Result<RecordBatch>> + Send + 'static {
        let counted = Arc::clone(&self.0);
        rows.inspect_ok(move |batch| {
            counted.fetch_add(batch.num_rows(), Ordering::Relaxed);
        })
    }
}
