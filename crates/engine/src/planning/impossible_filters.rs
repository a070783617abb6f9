//! Skips scans whose filter can't match any row.
//!
//! A view can be a union with a branch for each kind of row. DataFusion can move a condition on the kind into the
//! branches late, for example only after it has removed a window function above the union. At that point, DataFusion
//! has already folded constants. So it doesn't notice that the condition is false for every row of a branch, and
//! without this module, it would scan this branch.

use std::sync::Arc;

use datafusion::common::tree_node::{Transformed, TreeNode};
use datafusion::common::{Result, ScalarValue};
use datafusion::logical_expr::utils::split_conjunction;
use datafusion::logical_expr::{EmptyRelation, Expr, LogicalPlan};
use datafusion::optimizer::propagate_empty_relation::PropagateEmptyRelation;
use datafusion::optimizer::{ApplyOrder, OptimizerConfig, OptimizerRule};

use dayledger_source::pushdown::{evaluate, is_open};

/// Returns the rules that remove impossible filters. They run after all other rules.
pub(crate) fn rules() -> [Arc<dyn OptimizerRule + Send + Sync>; 2] {
    [Arc::new(DropImpossible), Arc::new(PropagateEmptyRelation::new())]
}

/// Replaces a filter by an empty relation if one of its conditions contains only constants and is false.
#[derive(Debug)]
struct DropImpossible;

impl OptimizerRule for DropImpossible {
    fn name(&self) -> &'static str {
        "drop_impossible"
    }

    fn apply_order(&self) -> Option<ApplyOrder> {
        Some(ApplyOrder::TopDown)
    }

    fn rewrite(&self, plan: LogicalPlan, _config: &dyn OptimizerConfig) -> Result<Transformed<LogicalPlan>> {
        let LogicalPlan::Filter(filter) = &plan else { return Ok(Transformed::no(plan)) };
        if !split_conjunction(&filter.predicate).into_iter().any(is_impossible) {
            return Ok(Transformed::no(plan));
        }
        let schema = Arc::clone(filter.input.schema());
        Ok(Transformed::yes(LogicalPlan::EmptyRelation(EmptyRelation { produce_one_row: false, schema })))
    }
}

/// Whether a condition is false for every row of every request.
fn is_impossible(condition: &Expr) -> bool {
    let has_open_part = condition.exists(|part| Ok(matches!(part, Expr::Column(_)) || is_open(part)));
    matches!(has_open_part, Ok(false)) && evaluate(condition) == Some(ScalarValue::Boolean(Some(false)))
}
