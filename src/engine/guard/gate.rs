//! Gates between the operators of a plan: there a statement can be stopped, batches are cut small where they are
//! multiplied, and the rows that joins make and compare are counted.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use datafusion::arrow::array::RecordBatch;
use datafusion::common::Result;
use datafusion::common::tree_node::{Transformed, TreeNode, TreeNodeRecursion};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::{PhysicalExpr, ScalarFunctionExpr};
use datafusion::physical_plan::coop::cooperative;
use datafusion::physical_plan::joins::{
    CrossJoinExec, HashJoinExec, NestedLoopJoinExec, PiecewiseMergeJoinExec, SortMergeJoinExec, SymmetricHashJoinExec,
};
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::unnest::UnnestExec;
use datafusion::physical_plan::{
    DisplayAs, DisplayFormatType, ExecutionPlan, PlanProperties, ReplaceChildrenOptions, replace_children_if_necessary,
};
use futures::{StreamExt, stream};

use super::bounded::Spent;
use super::{IN_FLIGHT_BYTES, Refusal, growth, measure};

/// Rows of a batch, as DataFusion has it, and where batches are multiplied.
const BATCH_ROWS: usize = 8192;
const SMALL_BATCH_ROWS: usize = 1024;
const LEAST_BATCH_ROWS: usize = 64;

/// Rows of a batch that nothing makes larger: a scan's pass whole. A sort counts for each part of a batch all that the
/// batch holds (measured: more than 256 MB for 24 MB of rows in parts of 8192).
const WHOLE_BATCH_ROWS: usize = 1 << 17;

/// How many rows the joins of a statement may make, each.
const MOST_JOINED: u64 = 50_000_000;

/// How many pairs of rows a join without an equality may compare.
const MOST_PAIRS: u64 = 200_000_000;

/// How many pairs are compared between two moments at which the statement can be stopped.
const PAIRS_AT_ONCE: u64 = 1_000_000;

/// How many rows the batches of a statement have.
#[derive(Debug, Clone, Copy)]
pub(in crate::engine) struct BatchRows {
    /// Where operators make them.
    pub(super) made: usize,
    /// Where they pass from one operator to the next.
    passed: usize,
}

impl BatchRows {
    /// Of `plan`, whose constants take `constants` bytes.
    pub(super) fn of(plan: &Arc<dyn ExecutionPlan>, constants: usize) -> Self {
        // What unnesting makes of a batch is measured before it is made. Looking cannot fail.
        let multiplies = plan.exists(|node| Ok(is_join(node))).unwrap_or(true);
        let rows = |most| (IN_FLIGHT_BYTES / 2 / constants.max(1)).clamp(LEAST_BATCH_ROWS, most);
        Self { made: rows(if multiplies { SMALL_BATCH_ROWS } else { BATCH_ROWS }), passed: rows(WHOLE_BATCH_ROWS) }
    }
}

/// `plan` with a gate below and above each of its operators.
pub(super) fn put_into(
    plan: Arc<dyn ExecutionPlan>,
    rows: BatchRows,
    spent: &Arc<Spent>,
) -> Result<Arc<dyn ExecutionPlan>> {
    let gate = |input: Arc<dyn ExecutionPlan>, task: Task| -> Arc<dyn ExecutionPlan> {
        Arc::new(GateExec { input, task, rows, spent: Arc::clone(spent) })
    };
    let gated = plan.transform_up(|node| {
        let tasks = tasks(&node);
        let children = node.children().into_iter().cloned().zip(tasks).map(|(child, task)| gate(child, task));
        let node = replace_children_if_necessary(Arc::clone(&node), children.collect())?;
        Ok(Transformed::yes(if is_join(&node) { gate(node, Task::Count(Arc::default())) } else { node }))
    })?;
    Ok(gate(gated.data, Task::Cut))
}

/// What the gates below an operator do.
fn tasks(node: &Arc<dyn ExecutionPlan>) -> Vec<Task> {
    if compares_pairs(node) || filters_matches(node) {
        let most = if filters_matches(node) { u64::MAX } else { MOST_PAIRS };
        let pairs = Arc::new(Pairs { built: AtomicU64::new(0), compared: AtomicU64::new(0), most });
        return vec![Task::Build(Arc::clone(&pairs)), Task::Probe(pairs)];
    }
    if let Some(unnest) = node.downcast_ref::<UnnestExec>() {
        let lists = unnest.list_column_indices().iter().map(|list| (list.index_in_input_schema, list.depth));
        return vec![Task::Unnest(lists.collect())];
    }
    let task = match node {
        node if is_join(node) => Task::Match,
        node if grows(node) => Task::Cut,
        _ => Task::Pass,
    };
    vec![task; node.children().len()]
}

/// Whether the operator has a function that can make more than it is given.
fn grows(node: &Arc<dyn ExecutionPlan>) -> bool {
    let mut grows = false;
    let can_grow = |expression: &Arc<dyn PhysicalExpr>| {
        let function = expression.downcast_ref::<ScalarFunctionExpr>();
        Ok(function.is_some_and(|function| growth::can_grow(function.fun().name())))
    };
    let looked = node.apply_expressions(&mut |root| {
        grows |= root.exists(can_grow)?;
        Ok(TreeNodeRecursion::Continue)
    });
    // Looking cannot fail.
    grows || looked.is_err()
}

fn is_join(node: &Arc<dyn ExecutionPlan>) -> bool {
    compares_pairs(node)
        || node.downcast_ref::<HashJoinExec>().is_some()
        || node.downcast_ref::<SortMergeJoinExec>().is_some()
        || node.downcast_ref::<SymmetricHashJoinExec>().is_some()
}

/// Whether the operator looks at each row of one side for each of the other.
fn compares_pairs(node: &Arc<dyn ExecutionPlan>) -> bool {
    node.downcast_ref::<NestedLoopJoinExec>().is_some()
        || node.downcast_ref::<CrossJoinExec>().is_some()
        || node.downcast_ref::<PiecewiseMergeJoinExec>().is_some()
}

/// Whether the operator has a condition beside an equality: where the equality holds for many rows, it looks at each of
/// them before anything can stop it.
fn filters_matches(node: &Arc<dyn ExecutionPlan>) -> bool {
    node.downcast_ref::<HashJoinExec>().is_some_and(|join| join.filter().is_some())
}

/// The rows of one side of a join, and the pairs compared so far.
#[derive(Debug)]
struct Pairs {
    built: AtomicU64,
    compared: AtomicU64,
    /// How many may be.
    most: u64,
}

/// What a gate does beside letting rows pass.
#[derive(Debug, Clone)]
enum Task {
    Pass,
    /// Keeps batches small for functions that make more of them, and for who reads no further.
    Cut,
    /// Counts what a join makes.
    Count(Arc<AtomicU64>),
    /// Looks after the width of rows that a join repeats.
    Match,
    /// The side of a join that is kept.
    Build(Arc<Pairs>),
    /// The side that is compared with it.
    Probe(Arc<Pairs>),
    /// Looks after what unnesting these lists, each with its depth, makes of a batch.
    Unnest(Vec<(usize, usize)>),
}

impl Task {
    /// `batch` in parts that may pass.
    fn parts(&self, batch: &RecordBatch, rows: BatchRows) -> Result<Vec<RecordBatch>, Refusal> {
        let found = u64::try_from(batch.num_rows()).unwrap_or(u64::MAX);
        let BatchRows { made: rows, passed } = rows;
        match self {
            Self::Pass => Ok(cut(batch, passed)),
            Self::Cut => Ok(cut(batch, rows)),
            Self::Count(made) => {
                if made.fetch_add(found, Ordering::Relaxed).saturating_add(found) > MOST_JOINED {
                    return Err(Refusal::Joined);
                }
                Ok(cut(batch, rows))
            }
            Self::Match => matched(batch, rows),
            Self::Build(pairs) => {
                pairs.built.fetch_add(found, Ordering::Relaxed);
                matched(batch, rows)
            }
            Self::Probe(pairs) => {
                let built = pairs.built.load(Ordering::Relaxed).max(1);
                let more = found.saturating_mul(built);
                if pairs.compared.fetch_add(more, Ordering::Relaxed).saturating_add(more) > pairs.most {
                    return Err(Refusal::Joined);
                }
                let at_once = usize::try_from(PAIRS_AT_ONCE / built).unwrap_or(rows).clamp(1, rows);
                matched(batch, at_once)
            }
            Self::Unnest(lists) => {
                let mut parts = Vec::new();
                for part in cut(batch, rows) {
                    halve(part, lists, &mut parts)?;
                }
                Ok(parts)
            }
        }
    }
}

fn matched(batch: &RecordBatch, rows: usize) -> Result<Vec<RecordBatch>, Refusal> {
    if measure::widest_row(batch).saturating_mul(SMALL_BATCH_ROWS) > 4 * IN_FLIGHT_BYTES {
        return Err(Refusal::Rows);
    }
    Ok(cut(batch, rows))
}

fn cut(batch: &RecordBatch, rows: usize) -> Vec<RecordBatch> {
    let starts = (0..batch.num_rows()).step_by(rows);
    starts.map(|start| batch.slice(start, rows.min(batch.num_rows() - start))).collect()
}

/// Cuts a batch until unnesting a part makes no more than is allowed.
fn halve(batch: RecordBatch, lists: &[(usize, usize)], parts: &mut Vec<RecordBatch>) -> Result<(), Refusal> {
    let made = measure::unnested_rows(&batch, lists).saturating_mul(measure::bytes_of_rows_beside(&batch, lists));
    let rows = batch.num_rows();
    if made <= IN_FLIGHT_BYTES {
        parts.push(batch);
        return Ok(());
    }
    if rows == 1 {
        return Err(Refusal::Rows);
    }
    halve(batch.slice(0, rows / 2), lists, parts)?;
    halve(batch.slice(rows / 2, rows - rows / 2), lists, parts)
}

/// Lets the rows of its input pass.
#[derive(Debug)]
struct GateExec {
    input: Arc<dyn ExecutionPlan>,
    task: Task,
    rows: BatchRows,
    spent: Arc<Spent>,
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
        mut children: Vec<Arc<dyn ExecutionPlan>>,
        _options: ReplaceChildrenOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let input = children.pop().unwrap_or_else(|| Arc::clone(&self.input));
        Ok(Arc::new(Self { input, task: self.task.clone(), rows: self.rows, spent: Arc::clone(&self.spent) }))
    }

    fn with_new_children(self: Arc<Self>, mut children: Vec<Arc<dyn ExecutionPlan>>) -> Result<Arc<dyn ExecutionPlan>> {
        let input = children.pop().unwrap_or_else(|| Arc::clone(&self.input));
        Ok(Arc::new(Self { input, task: self.task.clone(), rows: self.rows, spent: Arc::clone(&self.spent) }))
    }

    fn execute(&self, partition: usize, context: Arc<TaskContext>) -> Result<SendableRecordBatchStream> {
        if let Task::Build(pairs) = &self.task {
            // A recursive query runs its part again and again.
            pairs.built.store(0, Ordering::Relaxed);
        }
        let (task, rows, spent) = (self.task.clone(), self.rows, Arc::clone(&self.spent));
        let batches = self.input.execute(partition, context)?.flat_map(move |batch| {
            spent.forget();
            let parts = batch.and_then(|batch| Ok(task.parts(&batch, rows)?));
            let parts = match parts {
                Ok(parts) => parts.into_iter().map(Ok).collect(),
                Err(error) => vec![Err(error)],
            };
            stream::iter(parts)
        });
        let adapter = RecordBatchStreamAdapter::new(self.schema(), batches);
        Ok(Box::pin(cooperative(adapter)))
    }
}
