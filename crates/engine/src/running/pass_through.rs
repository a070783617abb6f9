//! Plan nodes that observe the rows of their input and forward them unchanged.

use std::fmt;
use std::sync::Arc;

use arrow::array::RecordBatch;
use datafusion::common::Result;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::{DisplayAs, DisplayFormatType, ExecutionPlan, PlanProperties};
use futures::Stream;

/// Observes the rows that pass through a node.
pub(crate) trait RowObserver: fmt::Debug + Clone + Send + Sync + 'static {
    /// The name of the node in a plan.
    const NAME: &'static str;

    /// Observes `rows`, and returns them unchanged in the same order.
    fn observe(
        &self,
        rows: SendableRecordBatchStream,
        context: &TaskContext,
    ) -> impl Stream<Item = Result<RecordBatch>> + Send + 'static;
}

/// A plan node that forwards the rows of its input, while `watch` observes them.
#[derive(Debug)]
pub(crate) struct PassThroughExec<W> {
    input: Arc<dyn ExecutionPlan>,
    watch: W,
}

impl<W: RowObserver> PassThroughExec<W> {
    pub(crate) fn wrap(input: Arc<dyn ExecutionPlan>, watch: W) -> Arc<dyn ExecutionPlan> {
        Arc::new(Self { input, watch })
    }
}

impl<W: RowObserver> DisplayAs for PassThroughExec<W> {
    fn fmt_as(&self, _format: DisplayFormatType, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", W::NAME)
    }
}

impl<W: RowObserver> ExecutionPlan for PassThroughExec<W> {
    fn name(&self) -> &'static str {
        W::NAME
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

    fn with_new_children(self: Arc<Self>, mut children: Vec<Arc<dyn ExecutionPlan>>) -> Result<Arc<dyn ExecutionPlan>> {
        let input = children.pop().unwrap_or_else(|| Arc::clone(&self.input));
        Ok(Self::wrap(input, self.watch.clone()))
    }

    fn execute(&self, partition: usize, context: Arc<TaskContext>) -> Result<SendableRecordBatchStream> {
        let rows = self.input.execute(partition, Arc::clone(&context))?;
        Ok(Box::pin(RecordBatchStreamAdapter::new(self.schema(), self.watch.observe(rows, &context))))
    }
}
