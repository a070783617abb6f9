//! The rule that reads the clock for a statement.

use chrono::Local;
use datafusion::common::Result;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TreeNode, TreeNodeRecursion};
use datafusion::logical_expr::expr_rewriter::NamePreserver;
use datafusion::logical_expr::{Expr, LogicalPlan};
use datafusion::optimizer::AnalyzerRule;

use super::functions::reading_of;
use super::trace;

/// Replaces each clock function by what it returns, so that a statement has one time, that of the machine that plans it,
/// wherever its parts run. Refuses a column of one clock that meets a function of the other.
#[derive(Debug)]
pub(in crate::engine) struct FixClock;

impl AnalyzerRule for FixClock {
    fn name(&self) -> &'static str {
        "fix_clock"
    }

    fn analyze(&self, plan: LogicalPlan, _config: &ConfigOptions) -> Result<LogicalPlan> {
        if !reads_clock(&plan)? {
            return Ok(plan);
        }
        trace::check(&plan)?;
        let now = Local::now();
        let fixed = |part: Expr| match reading_of(&part) {
            Some(reading) => Transformed::yes(Expr::Literal(reading.at(now), None)),
            None => Transformed::no(part),
        };
        let plan = plan.transform_up_with_subqueries(|node| {
            let names = NamePreserver::new(&node);
            node.map_expressions(|whole| {
                let name = names.save(&whole);
                Ok(whole.transform_up(|part| Ok(fixed(part)))?.update_data(|whole| name.restore(whole)))
            })
        });
        Ok(plan?.data)
    }
}

fn reads_clock(plan: &LogicalPlan) -> Result<bool> {
    let mut reads = false;
    plan.apply_with_subqueries(|node| {
        node.apply_expressions(|expression| {
            reads = reads || expression.exists(|part| Ok(reading_of(part).is_some()))?;
            Ok(if reads { TreeNodeRecursion::Stop } else { TreeNodeRecursion::Continue })
        })
    })?;
    Ok(reads)
}
