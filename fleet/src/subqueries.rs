//! Subqueries that stand for one value, where workers carry statements out.

use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{TreeNode, TreeNodeRecursion};
use datafusion::common::{Result, plan_err};
use datafusion::logical_expr::{Expr, LogicalPlan};
use datafusion::optimizer::AnalyzerRule;

/// Refuses a subquery for one value whose form lets it have more rows. In one process that is an error where it has, but the
/// distributed planner makes a join of it, which would tell every row as often.
#[derive(Debug)]
pub(crate) struct OneValue;

impl AnalyzerRule for OneValue {
    fn analyze(&self, plan: LogicalPlan, _config: &ConfigOptions) -> Result<LogicalPlan> {
        plan.apply_with_subqueries(|part| part.apply_expressions(|expression| expression.apply(checked)))?;
        Ok(plan)
    }

    fn name(&self) -> &'static str {
        "one_value"
    }
}

fn checked(expression: &Expr) -> Result<TreeNodeRecursion> {
    // One that depends on the row that it is for is held to it by DataFusion.
    if let Expr::ScalarSubquery(asked) = expression
        && asked.outer_ref_columns.is_empty()
        && asked.subquery.max_rows().is_none_or(|rows| rows > 1)
    {
        return plan_err!(
            "a subquery that stands for one value can have more rows: take `max(...)` of it, or add `LIMIT 1`"
        );
    }
    Ok(TreeNodeRecursion::Continue)
}
