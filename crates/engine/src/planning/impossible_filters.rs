//! Skips scans whose filter can't match any row.
//!
//! A condition on the kind of a row reaches the branches of a union only after nothing above needs the other kinds, for
//! example a window function with an unused column. By then, DataFusion has already folded its constants, and would
//! scan a branch only to drop every row.

use std::sync::Arc;

use datafusion::common::tree_node::{Transformed, TreeNode};
use datafusion::common::{Result, ScalarValue};
use datafusion::logical_expr::utils::split_conjunction;
use datafusion::logical_expr::{EmptyRelation, Expr, LogicalPlan};
use datafusion::optimizer::propagate_empty_relation::PropagateEmptyRelation;
use datafusion::optimizer::{ApplyOrder, OptimizerConfig, OptimizerRule};

use dayledger_source::pushdown::{evaluate, is_open};

/// Returns the rules that remove impossible filters. They run after all others.
pub(crate) fn rules() -> [Arc<dyn OptimizerRule + Send + Sync>; 2] {
    [Arc::new(DropImpossible), Arc::new(PropagateEmptyRelation::new())]
}

/// Replaces a filter by no rows if it compares constants and is false.
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
