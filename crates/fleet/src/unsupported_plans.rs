//! Detection of plans that would give other results on workers than in one process.

use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{TreeNode, TreeNodeRecursion};
use datafusion::common::{Result, plan_err};
use datafusion::logical_expr::expr::NullTreatment;
use datafusion::logical_expr::{Expr, LogicalPlan};
use datafusion::optimizer::AnalyzerRule;

/// Rejects plans whose encoding for workers loses information, which would change the result without an error:
///
/// - a scalar subquery that may return more than one row. One process reports an error if it does, but the distributed
///   planner makes it a join, which would repeat rows. In an aggregate it is dropped;
/// - `FILTER` and `IGNORE NULLS` of a window function, which an encoded plan can't represent.
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
        // DataFusion ensures that a correlated subquery returns one row.
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
