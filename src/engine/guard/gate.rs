//! Gates around the joins of a plan, where the rows that they make and the pairs that they compare are counted.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use datafusion::arrow::array::RecordBatch;
use datafusion::common::Result;
use datafusion::common::tree_node::{Transformed, TreeNode, TreeNodeRecursion};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_plan::joins::{
    CrossJoinExec, HashJoinExec, NestedLoopJoinExec, PiecewiseMergeJoinExec, SortMergeJoinExec, SymmetricHashJoinExec,
};
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::{
    DisplayAs, DisplayFormatType, ExecutionPlan, PlanProperties, ReplaceChildrenOptions, replace_children_if_necessary,
};
use futures::{StreamExt, stream};

use super::refusal::Refusal;

/// How many rows the joins of a statement may make, each.
const MOST_JOINED: u64 = 50_000_000;

/// How many pairs of rows a join without an equality may compare.
const MOST_PAIRS: u64 = 200_000_000;

/// How many pairs are compared at once, so that who wants few rows of a product has them without the rest.
const PAIRS_AT_ONCE: u64 = 1_000_000;

/// `plan` with gates around its joins.
pub(super) fn put_into(plan: Arc<dyn ExecutionPlan>) -> Result<Arc<dyn ExecutionPlan>> {
    let gate =
        |input: Arc<dyn ExecutionPlan>, task: Task| -> Arc<dyn ExecutionPlan> { Arc::new(GateExec { input, task }) };
    let gated = plan.transform_up(|node| {
        if compares_pairs(&node) {
            let pairs = Arc::<Pairs>::default();
            let tasks = [Task::Build(Arc::clone(&pairs)), Task::Probe(pairs)];
            let sides = node.children().into_iter().cloned().zip(tasks).map(|(side, task)| gate(side, task));
            let node = replace_children_if_necessary(Arc::clone(&node), sides.collect())?;
            return Ok(Transformed::yes(gate(node, Task::Count(Arc::default()))));
        }
        Ok(if is_join(&node) {
            Transformed::yes(gate(node, Task::Count(Arc::default())))
        } else {
            Transformed::no(node)
        })
    })?;
    Ok(gated.data)
}

fn is_join(node: &Arc<dyn ExecutionPlan>) -> bool {
    node.downcast_ref::<HashJoinExec>().is_some()
        || node.downcast_ref::<SortMergeJoinExec>().is_some()
        || node.downcast_ref::<SymmetricHashJoinExec>().is_some()
}

/// Whether the operator looks at each row of one side for each of the other.
fn compares_pairs(node: &Arc<dyn ExecutionPlan>) -> bool {
    node.downcast_ref::<NestedLoopJoinExec>().is_some()
        || node.downcast_ref::<CrossJoinExec>().is_some()
        || node.downcast_ref::<PiecewiseMergeJoinExec>().is_some()
}

/// The rows of one side of a join, and the pairs compared so far.
#[derive(Debug, Default)]
struct Pairs {
    built: AtomicU64,
    compared: AtomicU64,
}

/// What a gate does beside letting rows pass.
#[derive(Debug, Clone)]
enum Task {
    /// Counts what a join makes.
    Count(Arc<AtomicU64>),
    /// The side of a join that is kept.
    Build(Arc<Pairs>),
    /// The side that is compared with it.
    Probe(Arc<Pairs>),
}

impl Task {
    /// `batch` in parts that may pass.
    fn parts(&self, batch: &RecordBatch) -> Result<Vec<RecordBatch>, Refusal> {
        let found = u64::try_from(batch.num_rows()).unwrap_or(u64::MAX);
        match self {
            Self::Count(made) => {
                if made.fetch_add(found, Ordering::Relaxed).saturating_add(found) > MOST_JOINED {
                    return Err(Refusal::Joined);
                }
                Ok(vec![batch.clone()])
            }
            Self::Build(pairs) => {
                pairs.built.fetch_add(found, Ordering::Relaxed);
                Ok(vec![batch.clone()])
            }
            Self::Probe(pairs) => {
                let built = pairs.built.load(Ordering::Relaxed).max(1);
                let more = found.saturating_mul(built);
                if pairs.compared.fetch_add(more, Ordering::Relaxed).saturating_add(more) > MOST_PAIRS {
                    return Err(Refusal::Joined);
                }
                let at_once = usize::try_from(PAIRS_AT_ONCE / built).unwrap_or(usize::MAX).max(1);
                Ok(cut(batch, at_once))
            }
        }
    }
}

fn cut(batch: &RecordBatch, rows: usize) -> Vec<RecordBatch> {
    let starts = (0..batch.num_rows()).step_by(rows);
    starts.map(|start| batch.slice(start, rows.min(batch.num_rows() - start))).collect()
}

/// Lets the rows of its input pass.
#[derive(Debug)]
struct GateExec {
    input: Arc<dyn ExecutionPlan>,
    task: Task,
}

impl GateExec {
    fn over(&self, mut children: Vec<Arc<dyn ExecutionPlan>>) -> Arc<dyn ExecutionPlan> {
        let input = children.pop().unwrap_or_else(|| Arc::clone(&self.input));
        Arc::new(Self { input, task: self.task.clone() })
    }
}

impl DisplayAs for GateExec {
    fn fmt_as(&self, _format: DisplayFormatType, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "GateExec")
    }
}

impl ExecutionPlan for GateExec {
    fn name(&self) -> &'static str {
        "GateExec"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        self.input.properties()
    }

    fn maintains_input_order(&self) -> Vec<bool> {
        vec![true]
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        vec![&self.input]
    }

    fn apply_expressions(
        &self,
        _visit: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        Ok(TreeNodeRecursion::Continue)
    }

    fn replace_children(
        self: Arc<Self>,
        children: Vec<Arc<dyn ExecutionPlan>>,
        _options: ReplaceChildrenOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        Ok(self.over(children))
    }

    fn with_new_children(self: Arc<Self>, children: Vec<Arc<dyn ExecutionPlan>>) -> Result<Arc<dyn ExecutionPlan>> {
        Ok(self.over(children))
    }

    fn execute(&self, partition: usize, context: Arc<TaskContext>) -> Result<SendableRecordBatchStream> {
        if let Task::Build(pairs) = &self.task {
            // A recursive query runs its part again and again.
            pairs.built.store(0, Ordering::Relaxed);
        }
        let task = self.task.clone();
        let batches = self.input.execute(partition, context)?.flat_map(move |batch| {
            let parts: Vec<_> = match batch.and_then(|batch| Ok(task.parts(&batch)?)) {
                Ok(parts) => parts.into_iter().map(Ok).collect(),
                Err(error) => vec![Err(error)],
            };
            stream::iter(parts)
        });
        Ok(Box::pin(RecordBatchStreamAdapter::new(self.schema(), batches)))
    }
}
