//! Reserves memory for window functions.
//!
//! DataFusion's window operator keeps its whole input and a copy of this input until it has finished. It doesn't
//! reserve memory for these rows. This module measures the input, reserves memory for it, and releases this memory when
//! the operator ends. A window over too many rows then fails before it uses up the machine's memory.

use std::sync::Arc;

use arrow::array::RecordBatch;
use datafusion::common::Result;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TreeNode};
use datafusion::execution::memory_pool::MemoryConsumer;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_optimizer::PhysicalOptimizerRule;
use datafusion::physical_plan::windows::WindowAggExec;
use datafusion::physical_plan::{ExecutionPlan, replace_children_if_necessary};
use futures::{Stream, StreamExt};

use super::pass_through::{PassThroughExec, RowObserver};
use crate::query::guard::bytes_of_rows;

/// The number of copies of its input that a window operator keeps.
const COPIES: usize = 2;

/// Adds a node below each window operator. The node reserves memory for the operator's input.
#[derive(Debug)]
pub(crate) struct ReserveForWindows;

impl PhysicalOptimizerRule for ReserveForWindows {
    fn optimize(&self, plan: Arc<dyn ExecutionPlan>, _config: &ConfigOptions) -> Result<Arc<dyn ExecutionPlan>> {
        let plan = plan.transform_up(|node| {
            let Some(window) = node.downcast_ref::<WindowAggExec>() else { return Ok(Transformed::no(node)) };
            if ReservationNode::matches(window.input().as_ref()) {
                return Ok(Transformed::no(node));
            }
            let input = ReservationNode::wrap(Arc::clone(window.input()));
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

/// Functions that recognise and create the node that reserves memory for a window operator. Code that sends plans to
/// other machines needs these functions.
#[derive(Debug, Clone, Copy)]
pub struct ReservationNode;

impl ReservationNode {
    /// Whether `node` reserves memory for a window operator.
    pub fn matches(node: &dyn ExecutionPlan) -> bool {
        node.downcast_ref::<PassThroughExec<ReserveMemory>>().is_some()
    }

    /// Returns a node above `input` that reserves memory for a window operator.
    pub fn wrap(input: Arc<dyn ExecutionPlan>) -> Arc<dyn ExecutionPlan> {
        PassThroughExec::wrap(input, ReserveMemory)
    }
}

/// Reserves memory for the rows that pass through a node, until their stream is dropped.
#[derive(Debug, Clone)]
struct ReserveMemory;

impl RowObserver for ReserveMemory {
    const NAME: &'static str = "ReservingExec";

    fn observe(
        &self,
        rows: SendableRecordBatchStream,
        context: &TaskContext,
    ) -> impl Stream<Item = Result<RecordBatch>> + Send + 'static {
        let held = MemoryConsumer::new("window").register(context.memory_pool());
        rows.map(move |batch| {
            let batch = batch?;
            held.try_grow(bytes_of_rows(&batch).saturating_mul(COPIES))?;
            Ok(batch)
        })
    }
}
