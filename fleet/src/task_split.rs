//! How the rows of many members are spread over workers: each task asks its share of them.

use std::sync::Arc;

use datafusion::common::Result;
use datafusion::physical_plan::ExecutionPlan;
use datafusion_distributed::{
    DesiredTaskCountEvent, DesiredTaskCountEventResponse, DistributedLeafExec, ScaleUpLeafNodeEvent,
    ScaleUpLeafNodeEventResponse,
};

use crate::rows::RowsExec;

/// Into how many tasks a node would be divided: one for each member, of which the engine makes no more than it has
/// workers. Any other node that reads something is not divided.
pub(crate) fn task_count(event: DesiredTaskCountEvent<'_>) -> Option<Result<DesiredTaskCountEventResponse>> {
    if let Some(rows) = event.plan.downcast_ref::<RowsExec>() {
        let members: usize = rows.partitions.iter().map(Vec::len).sum();
        return Some(Ok(DesiredTaskCountEventResponse::desired(members.max(1))));
    }
    event.plan.children().is_empty().then(|| Ok(DesiredTaskCountEventResponse::maximum(1)))
}

/// The node divided into so many tasks.
pub(crate) fn divide(event: ScaleUpLeafNodeEvent<'_>) -> Option<Result<ScaleUpLeafNodeEventResponse>> {
    let rows = event.plan.downcast_ref::<RowsExec>()?;
    let shares = rows.shares(event.task_count).into_iter().map(|share| Arc::new(share) as Arc<dyn ExecutionPlan>);
    let divided = DistributedLeafExec::try_new(Arc::clone(event.plan), shares);
    Some(divided.map(|divided| ScaleUpLeafNodeEventResponse::new(Arc::new(divided))))
}
