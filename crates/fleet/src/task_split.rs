//! Splits the rows of many members into tasks for workers.

use std::sync::Arc;

use datafusion::common::Result;
use datafusion::physical_plan::ExecutionPlan;
use datafusion_distributed::{
    DesiredTaskCountEvent, DesiredTaskCountEventResponse, DistributedLeafExec, ScaleUpLeafNodeEvent,
    ScaleUpLeafNodeEventResponse,
};

use crate::rows::RowsExec;

/// Returns the number of tasks for a node: one for each member. The engine limits it to the number of workers. Other
/// nodes that read data aren't split.
pub(crate) fn task_count(event: DesiredTaskCountEvent<'_>) -> Option<Result<DesiredTaskCountEventResponse>> {
    if let Some(rows) = event.plan.downcast_ref::<RowsExec>() {
        let members: usize = rows.partitions.iter().map(Vec::len).sum();
        return Some(Ok(DesiredTaskCountEventResponse::desired(members.max(1))));
    }
    event.plan.children().is_empty().then(|| Ok(DesiredTaskCountEventResponse::maximum(1)))
}

/// Splits the node into tasks.
pub(crate) fn divide(event: ScaleUpLeafNodeEvent<'_>) -> Option<Result<ScaleUpLeafNodeEventResponse>> {
    let rows = event.plan.downcast_ref::<RowsExec>()?;
    let shares = rows.shares(event.task_count).into_iter().map(|share| Arc::new(share) as Arc<dyn ExecutionPlan>);
    let divided = DistributedLeafExec::try_new(Arc::clone(event.plan), shares);
    Some(divided.map(|divided| ScaleUpLeafNodeEventResponse::new(Arc::new(divided))))
}
