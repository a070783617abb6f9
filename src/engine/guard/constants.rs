//! What the constants of an optimised plan take: each of them is repeated for every row of a batch where it meets a
//! column.

use datafusion::common::Result;
use datafusion::common::tree_node::{TreeNode, TreeNodeRecursion};
use datafusion::logical_expr::{Expr, LogicalPlan};

use super::{Refusal, measure};

/// The most that the constants of a plan may take together.
pub(super) const MOST_BYTES: usize = 256 << 10;

/// What the constants of `plan` take.
///
/// # Errors
/// [`Refusal::Constants`] beyond [`MOST_BYTES`].
pub(super) fn bytes_in(plan: &LogicalPlan) -> Result<usize> {
    let mut bytes = 0_usize;
    plan.apply_with_subqueries(|node| {
        node.apply_expressions(|expression| {
            expression.apply(|part| {
                if let Expr::Literal(value, _) = part {
                    bytes = bytes.saturating_add(measure::bytes_of_value(value));
                }
                Ok(TreeNodeRecursion::Continue)
            })
        })
    })?;
    if bytes > MOST_BYTES { Err(Refusal::Constants.into()) } else { Ok(bytes) }
}
