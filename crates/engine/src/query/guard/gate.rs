//! Counts the rows that joins produce, and the pairs of rows that they compare. For this, nodes are added around each
//! join of a plan.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use arrow::array::RecordBatch;
use datafusion::common::Result;
use datafusion::common::tree_node::{Transformed, TreeNode};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_plan::joins::{
    CrossJoinExec, HashJoinExec, NestedLoopJoinExec, PiecewiseMergeJoinExec, SortMergeJoinExec, SymmetricHashJoinExec,
};
use datafusion::physical_plan::{ExecutionPlan, replace_children_if_necessary};
use futures::{Stream, StreamExt, stream};

use super::Refusal;
use crate::running::pass_through::{PassThroughExec, RowObserver};

/// The maximum number of rows that each join of a statement may produce.
const MAX_JOINED_ROWS: u64 = 50_000_000;

/// The maximum number of pairs of rows that a join without an equality may compare.
const MAX_JOIN_PAIRS: u64 = 200_000_000;

/// The number of pairs of rows that a join compares per batch. Small batches help statements with a small `LIMIT`: the
/// first batches contain enough rows, and the join doesn't compare the remaining pairs.
const PAIRS_PER_BATCH: u64 = 1_000_000;

/// Returns `plan` with counters around its joins.
pub(crate) fn add_gates(plan: Arc<dyn ExecutionPlan>) -> Result<Arc<dyn ExecutionPlan>> {
    let gated = plan.transform_up(|node| {
        let join = if compares_pairs(&node) {
            let pairs = Arc::<JoinPairs>::default();
            let tasks = [Task::Build(Arc::clone(&pairs)), Task::Probe(pairs)];
            let sides =
                node.children().into_iter().cloned().zip(tasks).map(|(side, task)| PassThroughExec::wrap(side, task));
            replace_children_if_necessary(Arc::clone(&node), sides.collect())?
        } else if is_join(&node) {
            node
        } else {
            return Ok(Transformed::no(node));
        };
        Ok(Transformed::yes(PassThroughExec::wrap(join, Task::Count(Arc::default()))))
    })?;
    Ok(gated.data)
}

fn is_join(node: &Arc<dyn ExecutionPlan>) -> bool {
    node.downcast_ref::<HashJoinExec>().is_some()
        || node.downcast_ref::<SortMergeJoinExec>().is_some()
        || node.downcast_ref::<SymmetricHashJoinExec>().is_some()
}

/// Whether the operator compares each row of one side with each row of the other side.
fn compares_pairs(node: &Arc<dyn ExecutionPlan>) -> bool {
    node.downcast_ref::<NestedLoopJoinExec>().is_some()
        || node.downcast_ref::<CrossJoinExec>().is_some()
        || node.downcast_ref::<PiecewiseMergeJoinExec>().is_some()
}

/// The number of rows on one side of a join, and the number of pairs of rows that were compared so far.
#[derive(Debug, Default)]
struct JoinPairs {
    built: AtomicU64,
    compared: AtomicU64,
}

/// The rows that a node counts.
#[derive(Debug, Clone)]
enum Task {
    /// The rows that a join produces.
    Count(Arc<AtomicU64>),
    /// The rows on the side of a join that is kept in memory.
    Build(Arc<JoinPairs>),
    /// The rows on the other side. The join compares them with the rows in memory.
    Probe(Arc<JoinPairs>),
}

impl Task {
    /// Counts the rows of a batch. Fails if a limit is exceeded. A batch of the task `Probe` is split into parts, so
    /// that comparing each part takes little work.
    fn split_batch(&self, batch: &RecordBatch) -> Result<Vec<RecordBatch>, Refusal> {
        let found = u64::try_from(batch.num_rows()).unwrap_or(u64::MAX);
        match self {
            Self::Count(made) => {
                if made.fetch_add(found, Ordering::Relaxed).saturating_add(found) > MAX_JOINED_ROWS {
                    return Err(Refusal::Joined);
                }
                Ok(vec![batch.clone()])
            }
            Self::Build(pairs) => {
                pairs.built.fetch_add(found, Ordering::Relaxed);
                Ok(vec![batch.clone()])
            }
            Self::Probe(pairs) => {
                // An empty side counts as one row. The rows of the other side are still read, and the division below
                // must not be by zero.
                let built = pairs.built.load(Ordering::Relaxed).max(1);
                let more = found.saturating_mul(built);
                if pairs.compared.fetch_add(more, Ordering::Relaxed).saturating_add(more) > MAX_JOIN_PAIRS {
                    return Err(Refusal::Joined);
                }
                let at_once = usize::try_from(PAIRS_PER_BATCH / built).unwrap_or(usize::MAX).max(1);
                Ok(split_rows(batch, at_once))
            }
        }
    }
}

fn split_rows(batch: &RecordBatch, rows: usize) -> Vec<RecordBatch> {
    let starts = (0..batch.num_rows()).step_by(rows);
    starts.map(|start| batch.slice(start, rows.min(batch.num_rows() - start))).collect()
}

impl RowObserver for Task {
    const NAME: &'static str = "GateExec";

    fn observe(
        &self,
        rows: SendableRecordBatchStream,
        _context: &TaskContext,
    ) -> impl Stream<Item = Result<RecordBatch>> + Send + 'static {
        if let Self::Build(pairs) = self {
            // A recursive query runs this node several times, so counting starts again.
            pairs.built.store(0, Ordering::Relaxed);
        }
        let task = self.clone();
        rows.flat_map(move |batch| {
            let parts: Vec<_> = match batch.and_then(|batch| Ok(task.split_batch(&batch)?)) {
                Ok(parts) => parts.into_iter().map(Ok).collect(),
                Err(error) => vec![Err(error)],
            };
            stream::iter(parts)
        })
    }
}
