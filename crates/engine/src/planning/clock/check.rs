//! Reads the clock once for each statement.

use std::ops::ControlFlow;

use chrono::Local;
use datafusion::common::tree_node::{Transformed, TreeNode, TreeNodeRecursion};
use datafusion::common::{Result, plan_err};
use datafusion::logical_expr::{Expr, LogicalPlan};
use datafusion::sql::sqlparser::ast::{self, TableFactor, Visit, Visitor, visit_expressions};

use super::functions::{Reading, reading_of};
use super::trace;
use crate::planning::analysis::rewrite_expressions;

/// Rejects `now_utc()` in the arguments of a table function, because these arguments are local times. This function
/// checks the parsed statement and not the plan, because DataFusion evaluates the arguments before a plan exists.
pub(crate) fn check_arguments(statement: &ast::Statement) -> Result<()> {
    match statement.visit(&mut TableFunctionVisitor) {
        ControlFlow::Break(name) => plan_err!(
            "cannot combine `{name}` and `{}`: it takes local times, the function returns UTC; use `now()`",
            Reading::NowUtc.call()
        ),
        ControlFlow::Continue(()) => Ok(()),
    }
}

/// Finds a table function with an argument that calls `now_utc()`.
struct TableFunctionVisitor;

impl Visitor for TableFunctionVisitor {
    type Break = String;

    fn pre_visit_table_factor(&mut self, factor: &TableFactor) -> ControlFlow<String> {
        let (name, reads_utc) = match factor {
            TableFactor::Table { name, args: Some(arguments), .. } => (name, reads_utc(arguments)),
            TableFactor::Function { name, args, .. } => (name, reads_utc(args)),
            _ => return ControlFlow::Continue(()),
        };
        let name = name.to_string().to_lowercase();
        if reads_utc && !trace::is_series(&name) { ControlFlow::Break(name) } else { ControlFlow::Continue(()) }
    }
}

fn reads_utc(arguments: &impl Visit) -> bool {
    let is_utc = |call: &ast::Function| call.name.to_string().eq_ignore_ascii_case("now_utc");
    let visited = visit_expressions(arguments, |expression| match expression {
        ast::Expr::Function(call) if is_utc(call) => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    });
    visited.is_break()
}

/// Replaces each call of a clock function by its value. The whole statement then uses one current time, even if parts
/// of the plan run on other machines. Fails if a statement combines a local column with a UTC function, or a UTC column
/// with a local function such as `now()`.
pub(crate) fn fix_clock(plan: LogicalPlan) -> Result<LogicalPlan> {
    if !reads_clock(&plan)? {
        return Ok(plan);
    }
    trace::check(&plan)?;
    let now = Local::now();
    rewrite_expressions(plan, |part| match reading_of(&part) {
        Some(reading) => Ok(Transformed::yes(Expr::Literal(reading.at(now), None))),
        None => Ok(Transformed::no(part)),
    })
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
