//! How large a plan is when everything that is named twice is written out twice, as the optimizer does.

use datafusion::common::Result;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::logical_expr::LogicalPlan;

use super::refusal::Refusal;

/// The most operators; a narrative has some 80.
const MOST_NODES: usize = 2_000;

/// Refuses a plan that is too large to be optimised.
///
/// # Errors
/// [`Refusal::Plan`].
pub(super) fn check(plan: &LogicalPlan) -> Result<()> {
    let mut nodes = 0;
    plan.apply_with_subqueries(|_| {
        nodes += 1;
        if nodes > MOST_NODES { Err(Refusal::Plan.into()) } else { Ok(TreeNodeRecursion::Continue) }
    })?;
    Ok(())
}
