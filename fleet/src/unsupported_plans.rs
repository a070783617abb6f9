//! What workers would answer otherwise than one process does.

use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{TreeNode, TreeNodeRecursion};
use datafusion::common::{Result, plan_err};
use datafusion::logical_expr::expr::NullTreatment;
use datafusion::logical_expr::{Expr, LogicalPlan};
use datafusion::optimizer::AnalyzerRule;

/// Refuses what is lost of a plan on its way to workers, where the answer would be another one and no error:
///
/// - a subquery for one value whose form lets it have more rows. In one process that is an error where it has, but the
///   distributed planner makes a join of it, which would tell every row as often. Within an aggregate it makes nothing of it;
/// - `FILTER` and `IGNORE NULLS` of a window, for which a plan as bytes has no place.
#[derive(Debug)]
pub(crate) struct UnsupportedPlans;

impl AnalyzerRule for UnsupportedPlans {
    fn analyze(&self, plan: LogicalPlan, _config: &ConfigOptions) -> Result<LogicalPlan> {
        plan.apply_with_subqueries(|part| {
            let is_aggregate = matches!(part, LogicalPlan::Aggregate(_));
            part.apply_expressions(|expression| expression.apply(|part| check(part, is_aggregate)))
        })?;
        Ok(plan)
    }

    fn name(&self) -> &'static str {
        "refusals"
    }
}

fn check(expression: &Expr, is_in_aggregate: bool) -> Result<TreeNodeRecursion> {
    match expression {
        // One that depends on the row that it is for is held to one row by DataFusion.
        Expr::ScalarSubquery(asked) if !asked.outer_ref_columns.is_empty() => Ok(TreeNodeRecursion::Continue),
        Expr::ScalarSubquery(_) if is_in_aggregate => {
            plan_err!("workers do not support a subquery in an aggregate: move it to `WITH`, and `CROSS JOIN` it")
        }
        Expr::ScalarSubquery(asked) if asked.subquery.max_rows().is_none_or(|rows| rows > 1) => {
            plan_err!("a subquery used as one value can return more than one row: use `max(...)`, or add `LIMIT 1`")
        }
        Expr::WindowFunction(window) if window.params.filter.is_some() => {
            plan_err!("workers do not support `FILTER` in a window: use `CASE WHEN ... THEN ... END` in the function")
        }
        Expr::WindowFunction(window) if window.params.null_treatment == Some(NullTreatment::IgnoreNulls) => {
            plan_err!("workers do not support `IGNORE NULLS` in a window: exclude rows without a value first")
        }
        _ => Ok(TreeNodeRecursion::Continue),
    }
}
