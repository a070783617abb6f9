//! Prepares a plan for DataFusion's optimiser: completes times in texts, names scalar subqueries, replaces clock
//! functions by the current time, preserves casts, and rejects outdated time zones.

use std::cell::Cell;
use std::sync::Arc;

use arrow::datatypes::DataType;
use chrono::NaiveDateTime;
use datafusion::common::Result;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TreeNode};
use datafusion::logical_expr::expr::{Cast, TryCast};
use datafusion::logical_expr::expr_rewriter::NamePreserver;
use datafusion::logical_expr::{Expr, LogicalPlan, Subquery, SubqueryAlias, lit};
use datafusion::optimizer::AnalyzerRule;

use super::{clock, exact_cast, outdated_zones};
use crate::dates::instant::parse_instant;

/// The analyzer rule that prepares a plan. It runs after DataFusion's own analysis.
#[derive(Debug)]
pub(crate) struct Analysis;

impl AnalyzerRule for Analysis {
    fn name(&self) -> &'static str {
        "dayledger"
    }

    fn analyze(&self, plan: LogicalPlan, _config: &ConfigOptions) -> Result<LogicalPlan> {
        let plan = rewrite_expressions(plan, |part| Ok(complete_time(part)))?;
        let plan = name_scalar_subqueries(plan)?;
        let plan = clock::fix_clock(plan)?;
        let plan = exact_cast::keep_casts(plan)?;
        outdated_zones::check(&plan)?;
        Ok(plan)
    }
}

/// Rewrites the expressions of a plan and its subqueries, from the leaves up. Columns keep their names.
pub(crate) fn rewrite_expressions(
    plan: LogicalPlan,
    rewrite: impl Fn(Expr) -> Result<Transformed<Expr>>,
) -> Result<LogicalPlan> {
    let rewritten = plan.transform_up_with_subqueries(|node| {
        let names = NamePreserver::new(&node);
        node.map_expressions(|whole| {
            let name = names.save(&whole);
            let rewritten = whole.transform_up(&rewrite)?;
            Ok(rewritten.update_data(|whole| name.restore(whole)))
        })
    })?;
    Ok(rewritten.data)
}

/// Completes a text such as `2025-01-15T09:30` or `2025-01-15 9:30` that is cast to a timestamp. Tools and table
/// functions accept these texts, but Arrow needs two digits for each number, and seconds. In a comparison such as
/// `start_local >= '2025-01-15T09:30'`, DataFusion has already added the cast.
fn complete_time(mut part: Expr) -> Transformed<Expr> {
    if let Expr::Cast(Cast { expr, field }) | Expr::TryCast(TryCast { expr, field }) = &mut part
        && let DataType::Timestamp(..) = field.data_type()
        && let Some(instant) = time_in_text(expr)
    {
        **expr = lit(instant.format("%Y-%m-%dT%H:%M:%S").to_string());
        return Transformed::yes(part);
    }
    Transformed::no(part)
}

/// Gives each scalar subquery a name. DataFusion computes equal subqueries only once, but it compares their tables only
/// by name. Without the names, it would use the result of `generate_series(1, 5)` for `generate_series(1, 7)`, too.
fn name_scalar_subqueries(plan: LogicalPlan) -> Result<LogicalPlan> {
    let count = Cell::new(0);
    rewrite_expressions(plan, |part| match part {
        Expr::ScalarSubquery(query) if query.outer_ref_columns.is_empty() => {
            count.set(count.get() + 1);
            let named = SubqueryAlias::try_new(query.subquery, format!("subquery_{}", count.get()))?;
            let subquery = Arc::new(LogicalPlan::SubqueryAlias(named));
            Ok(Transformed::yes(Expr::ScalarSubquery(Subquery { subquery, ..query })))
        }
        part => Ok(Transformed::no(part)),
    })
}

/// Returns the local time if an expression is a text such as `2025-01-15` or `2025-01-15T09:30`. Returns `None` for
/// other expressions, and for times with a fraction of a second.
pub(super) fn time_in_text(part: &Expr) -> Option<NaiveDateTime> {
    let Expr::Literal(value, _) = part else { return None };
    let text = value.try_as_str()??;
    parse_instant(text).filter(|_| !text.contains('.'))
}
