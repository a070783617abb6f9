//! Prepares a plan for DataFusion's optimiser: adds missing seconds to times, replaces clock functions by the current
//! time, preserves casts, and rejects outdated time zones.

use arrow::datatypes::DataType;
use datafusion::common::Result;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TreeNode};
use datafusion::logical_expr::expr::{Cast, TryCast};
use datafusion::logical_expr::expr_rewriter::NamePreserver;
use datafusion::logical_expr::{Expr, LogicalPlan, lit};
use datafusion::optimizer::AnalyzerRule;

use super::{clock, exact_cast, outdated_zones};
use crate::dates::instant::parse_instant;

/// The length of a time without seconds, such as `2025-01-15T09:30`.
const TO_THE_MINUTE: usize = 16;

/// The analyzer rule that prepares a plan. It runs after DataFusion's own analysis.
#[derive(Debug)]
pub(crate) struct Analysis;

impl AnalyzerRule for Analysis {
    fn name(&self) -> &'static str {
        "dayledger"
    }

    fn analyze(&self, plan: LogicalPlan, _config: &ConfigOptions) -> Result<LogicalPlan> {
        let plan = rewrite_expressions(plan, with_seconds)?;
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

/// Adds seconds to a text such as `2025-01-15T09:30` that is cast to a timestamp. Tools and table functions accept
/// times without seconds, but Arrow needs the seconds. In a comparison such as `start_local >= '2025-01-15T09:30'`,
/// DataFusion has already added the cast.
fn with_seconds(mut part: Expr) -> Transformed<Expr> {
    if let Expr::Cast(Cast { expr, field }) | Expr::TryCast(TryCast { expr, field }) = &mut part
        && let DataType::Timestamp(..) = field.data_type()
        && let Some(text) = minute_text(expr)
    {
        **expr = lit(format!("{text}:00"));
        return Transformed::yes(part);
    }
    Transformed::no(part)
}

/// Returns the text of an expression if it is a time without seconds.
fn minute_text(part: &Expr) -> Option<&str> {
    let Expr::Literal(value, _) = part else { return None };
    value.try_as_str()?.filter(|text| text.len() == TO_THE_MINUTE && parse_instant(text).is_some())
}
