//! The physical plan node of a table function call. For a short range, the node runs its input unchanged. For a long
//! range, it runs the call part by part.

use std::fmt;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use arrow::array::RecordBatch;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::common::{DataFusionError, Result, internal_datafusion_err, internal_err};
use datafusion::execution::{SendableRecordBatchStream, SessionState, TaskContext};
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::{
    DisplayAs, DisplayFormatType, Distribution, ExecutionPlan, InputDistributionRequirements, PlanProperties,
};
use futures::{StreamExt, TryStreamExt, stream};

use super::node::{TimePartitions, bind_range};
use super::parts::Parts;
use super::planned_call::PlannedCall;
use dayledger_source as source;

/// How a call runs. This is decided after the rows of the call are read.
#[derive(Debug, Clone, Default)]
pub(super) struct ExecutionMode {
    /// The parts of the range. `None` if the input runs for the whole range.
    pub(super) parts: Option<Arc<Parts>>,
    /// Whether the call runs only for the first days of its range. If these days contain too few rows, the call fails.
    pub(super) ends_early: bool,
}

/// A call of a table function. It returns the rows of its input for the range of the call. The rows of each part come
/// before the rows of the next part.
#[derive(Debug, Clone)]
pub(crate) struct TimePartitionsExec {
    pub(super) planned: Arc<PlannedCall>,
    pub(super) input: Arc<dyn ExecutionPlan>,
    /// The maximum number of rows that the statement needs. `None` if it needs all rows.
    fetch: Option<usize>,
    properties: Arc<PlanProperties>,
    /// How the call runs. `None` until the rows are read. All copies of this node share this value, because the planner
    /// copies nodes.
    mode: Arc<Mutex<Option<ExecutionMode>>>,
}

/// The error if the first days of a range contain fewer rows than requested. The call returns this error before it
/// returns any row.
#[derive(Debug, thiserror::Error)]
#[error("the first days do not hold as many rows as are wanted")]
struct Unfinished;

/// Whether an error means that the whole range has to be read.
pub(crate) fn is_unfinished(error: &DataFusionError) -> bool {
    matches!(error.find_root(), DataFusionError::External(inner) if inner.is::<Unfinished>())
}

impl TimePartitionsExec {
    pub(super) fn new(node: &TimePartitions, session: &SessionState, input: Arc<dyn ExecutionPlan>) -> Result<Self> {
        let planned = Arc::new(PlannedCall::from_node(node, session)?);
        let properties = source::one_partition(input.schema());
        Ok(Self { planned, properties, input, fetch: None, mode: Arc::default() })
    }

    pub(super) fn mode(&self) -> Option<ExecutionMode> {
        self.lock_mode().clone()
    }

    /// Sets the mode. `None` means that rows have to be read first.
    pub(super) fn set_mode(&self, mode: Option<ExecutionMode>) {
        *self.lock_mode() = mode;
    }

    fn lock_mode(&self) -> MutexGuard<'_, Option<ExecutionMode>> {
        self.mode.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the statement needs at most `rows` rows.
    pub(super) fn wants_at_most(&self, rows: usize) -> bool {
        self.fetch.is_some_and(|fetch| fetch <= rows)
    }

    /// Sets the range of the input, in seconds of local time. The end is exclusive.
    pub(super) fn bind(&self, range: &Range<i64>) {
        bind_range(&self.planned.slots, range);
    }
}

impl DisplayAs for TimePartitionsExec {
    fn fmt_as(&self, _format: DisplayFormatType, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "TimePartitionsExec: {}", self.planned.call)?;
        self.fetch.map_or(Ok(()), |fetch| write!(out, ", fetch={fetch}"))
    }
}

impl ExecutionPlan for TimePartitionsExec {
    fn name(&self) -> &'static str {
        "TimePartitionsExec"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
    }

    fn input_distribution_requirements(&self) -> InputDistributionRequirements {
        InputDistributionRequirements::new(vec![Distribution::SinglePartition])
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

    fn with_new_children(self: Arc<Self>, mut children: Vec<Arc<dyn ExecutionPlan>>) -> Result<Arc<dyn ExecutionPlan>> {
        let input = children.pop().ok_or_else(|| internal_datafusion_err!("a call has one input"))?;
        // If the properties are the same object, resetting a plan doesn't compute those of all nodes above again.
        let has_same_schema = input.schema() == self.schema();
        let properties =
            if has_same_schema { Arc::clone(&self.properties) } else { source::one_partition(input.schema()) };
        Ok(Arc::new(Self { input, properties, ..self.as_ref().clone() }))
    }

    fn with_fetch(&self, limit: Option<usize>) -> Option<Arc<dyn ExecutionPlan>> {
        Some(Arc::new(Self { fetch: limit, ..self.clone() }))
    }

    fn fetch(&self) -> Option<usize> {
        self.fetch
    }

    /// Returns the same call without the rows that were read.
    fn reset_state(self: Arc<Self>) -> Result<Arc<dyn ExecutionPlan>> {
        self.planned.forget_rows();
        Ok(Arc::new(Self { mode: Arc::default(), ..self.as_ref().clone() }))
    }

    fn execute(&self, partition: usize, context: Arc<TaskContext>) -> Result<SendableRecordBatchStream> {
        let Some(ExecutionMode { parts, ends_early }) = self.mode() else {
            return internal_err!("a call ran before its range was read");
        };
        let rows = match parts {
            None => self.input.execute(partition, context)?,
            Some(parts) => {
                let rows = parts.stream(&self.planned, &self.input, context);
                Box::pin(RecordBatchStreamAdapter::new(self.schema(), rows))
            }
        };
        let Some(wanted) = self.fetch else { return Ok(rows) };
        let enough = stream::unfold((rows, wanted), |(mut rows, left)| async move {
            // When this stream ends, it drops `rows`, which stops the parts that still run.
            let batch = if left > 0 { rows.next().await? } else { return None };
            let batch = batch.map(|batch| batch.slice(0, batch.num_rows().min(left)));
            let count = batch.as_ref().map_or(0, RecordBatch::num_rows);
            Some((batch, (rows, left - count)))
        });
        if !ends_early {
            return Ok(Box::pin(RecordBatchStreamAdapter::new(self.schema(), enough)));
        }
        // If the first days contain too few rows, the statement runs again. So no row is returned before all rows are
        // counted.
        let all = async move {
            let batches: Vec<_> = enough.try_collect().await?;
            let is_enough = batches.iter().map(RecordBatch::num_rows).sum::<usize>() >= wanted;
            if is_enough {
                Ok(stream::iter(batches).map(Ok))
            } else {
                Err(DataFusionError::External(Unfinished.into()))
            }
        };
        Ok(Box::pin(RecordBatchStreamAdapter::new(self.schema(), stream::once(all).try_flatten())))
    }
}
