//! Windows tell the memory pool what they hold.
//!
//! `DataFusion`'s window operator keeps all of its input until it has answered, and a copy in one piece, and reserves
//! nothing. So what goes into it is counted on its way, and given back when the operator goes: a window over too many
//! rows ends with an error instead of with the machine's memory.

use std::fmt;
use std::sync::Arc;

use datafusion::common::Result;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TreeNode, TreeNodeRecursion};
use datafusion::execution::memory_pool::MemoryConsumer;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_optimizer::PhysicalOptimizerRule;
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::windows::WindowAggExec;
use datafusion::physical_plan::{
    DisplayAs, DisplayFormatType, ExecutionPlan, PlanProperties, ReplaceChildrenOptions, replace_children_if_necessary,
};
use futures::StreamExt;

use super::guard::bytes_of_rows;

/// How often a window holds its input.
const COPIES: usize = 2;

/// Puts a [`ReservingExec`] below each window.
#[derive(Debug)]
pub(super) struct ReserveForWindows;

impl PhysicalOptimizerRule for ReserveForWindows {
    fn optimize(&self, plan: Arc<dyn ExecutionPlan>, _config: &ConfigOptions) -> Result<Arc<dyn ExecutionPlan>> {
        let plan = plan.transform_up(|node| {
            let Some(window) = node.downcast_ref::<WindowAggExec>() else { return Ok(Transformed::no(node)) };
            if window.input().downcast_ref::<ReservingExec>().is_some() {
                return Ok(Transformed::no(node));
            }
            let input: Arc<dyn ExecutionPlan> = Arc::new(ReservingExec { input: Arc::clone(window.input()) });
            Ok(Transformed::yes(replace_children_if_necessary(node, vec![input])?))
        })?;
        Ok(plan.data)
    }

    fn name(&self) -> &'static str {
        "reserve_for_windows"
    }

    fn schema_check(&self) -> bool {
        true
    }
}

/// Reserves memory for the rows that pass, for as long as their stream is held.
#[derive(Debug)]
struct ReservingExec {
    input: Arc<dyn ExecutionPlan>,
}

impl ReservingExec {
    fn over(&self, mut children: Vec<Arc<dyn ExecutionPlan>>) -> Arc<dyn ExecutionPlan> {
        let input = children.pop().unwrap_or_else(|| Arc::clone(&self.input));
        Arc::new(Self { input })
    }
}

impl DisplayAs for ReservingExec {
    fn fmt_as(&self, _format: DisplayFormatType, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "ReservingExec")
    }
}

impl ExecutionPlan for ReservingExec {
    fn name(&self) -> &'static str {
        "ReservingExec"
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
        let held = MemoryConsumer::new("window").register(context.memory_pool());
        let batches = self.input.execute(partition, context)?.map(move |batch| {
            let batch = batch?;
            held.try_grow(bytes_of_rows(&batch).saturating_mul(COPIES))?;
            Ok(batch)
        });
        Ok(Box::pin(RecordBatchStreamAdapter::new(self.schema(), batches)))
    }
}
