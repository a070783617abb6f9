//! Changes and checks a plan before DataFusion optimises it: timestamps, clocks, casts and time zones.

use datafusion::common::Result;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TreeNode};
use datafusion::logical_expr::expr_rewriter::NamePreserver;
use datafusion::logical_expr::{Expr, LogicalPlan};
use datafusion::optimizer::AnalyzerRule;

use super::{clock, exact_cast, minutes, outdated_zones};

/// The analyzer rule that applies these changes and checks, after DataFusion's own analysis.
#[derive(Debug)]
pub(crate) struct Analysis;

impl AnalyzerRule for Analysis {
    fn name(&self) -> &'static str {
        "dayledger"
    }

    fn analyze(&self, plan: LogicalPlan, _config: &ConfigOptions) -> Result<LogicalPlan> {
        let plan = minutes::add_seconds(plan)?;
        let plan = clock::fix_clock(plan)?;
        let plan = exact_cast::keep_casts(plan)?;
        outdated_zones::check(&plan)?;
        Ok(plan)
    }
}

/// Rewrites the expressions of a plan and its subqueries, from the leaves up. Columns keep their names.
pub(crate) fn rewrite_expressions(
    plan: LogicalPlan,
    rewrite: impl Fn(Expr) -> Transformed<Expr>,
) -> Result<LogicalPlan> {
    let rewritten = plan.transform_up_with_subqueries(|node| {
        let names = NamePreserver::new(&node);
        node.map_expressions(|whole| {
            let name = names.save(&whole);
            let rewritten = whole.transform_up(|part| Ok(rewrite(part)))?;
            Ok(rewritten.update_data(|whole| name.restore(whole)))
        })
    })?;
    Ok(rewritten.data)
}
