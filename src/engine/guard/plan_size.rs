//! How large a plan is when everything that is named twice is written out twice, as the optimizer does.
//!
//! A chain of a few dozen subqueries, each of which uses the one before twice, doubles with each of them; planning it
//! would neither end nor could it be stopped. A plan shares its parts, so that it is measured in time linear in what
//! was written.

use std::collections::HashMap;
use std::sync::Arc;

use datafusion::common::tree_node::{TreeNode, TreeNodeRecursion};
use datafusion::common::{DFSchema, Result};
use datafusion::logical_expr::{Expr, LogicalPlan};

use super::Refusal;

/// The most operators; a narrative has some 80.
const MOST_NODES: u64 = 2_000;

/// The most parts of one expression with the expressions of its columns put in.
const MOST_PARTS: u64 = 50_000;

/// Refuses a plan that is too large to be optimised.
///
/// # Errors
/// [`Refusal::Plan`].
pub(super) fn check(plan: &LogicalPlan) -> Result<()> {
    let measured = Measuring::default().measure(plan)?;
    if measured.nodes > MOST_NODES { Err(Refusal::Plan.into()) } else { Ok(()) }
}

/// What a plan comes to.
#[derive(Debug, Clone)]
struct Measured {
    nodes: u64,
    /// The parts of each column's expression.
    columns: Arc<[u64]>,
}

/// What was measured, by where the part of the plan lies in memory.
#[derive(Default)]
struct Measuring(HashMap<*const LogicalPlan, Measured>);

impl Measuring {
    fn measure(&mut self, plan: &LogicalPlan) -> Result<Measured> {
        let place = std::ptr::from_ref(plan);
        if let Some(known) = self.0.get(&place) {
            return Ok(known.clone());
        }
        let mut nodes = 1_u64;
        let mut inputs = Vec::new();
        for input in plan.inputs() {
            let measured = self.measure(input)?;
            nodes = nodes.saturating_add(measured.nodes);
            inputs.push(measured.columns);
        }
        // What is visited is a copy of the subquery's head; its inputs are shared.
        plan.apply_subqueries(|subquery| {
            for input in subquery.inputs() {
                nodes = nodes.saturating_add(self.measure(input)?.nodes);
            }
            Ok(TreeNodeRecursion::Jump)
        })?;
        let columns = columns(plan, &inputs)?;
        if nodes > MOST_NODES || columns.iter().any(|parts| *parts > MOST_PARTS) {
            return Err(Refusal::Plan.into());
        }
        let measured = Measured { nodes, columns };
        self.0.insert(place, measured.clone());
        Ok(measured)
    }
}

fn columns(plan: &LogicalPlan, inputs: &[Arc<[u64]>]) -> Result<Arc<[u64]>> {
    let width = plan.schema().fields().len();
    Ok(match (plan, inputs) {
        (LogicalPlan::Projection(projection), [input]) => {
            let schema = projection.input.schema();
            projection.expr.iter().map(|expression| parts(expression, schema, input)).collect::<Result<_>>()?
        }
        (LogicalPlan::Union(_), [first, rest @ ..]) => {
            let widest = |at: usize| rest.iter().filter_map(|input| input.get(at)).fold(first[at], |a, b| a.max(*b));
            (0..first.len()).map(widest).collect()
        }
        (LogicalPlan::Join(_), [left, right]) if left.len() + right.len() == width => {
            left.iter().chain(right.iter()).copied().collect()
        }
        // Rows are passed on as they are.
        (_, [input]) if input.len() == width => Arc::clone(input),
        _ => vec![1; width].into(),
    })
}

fn parts(expression: &Expr, schema: &DFSchema, columns: &[u64]) -> Result<u64> {
    let mut parts = 0_u64;
    expression.apply(|part| {
        let inside = match part {
            Expr::Column(column) => schema.maybe_index_of_column(column).and_then(|at| columns.get(at)).copied(),
            _ => None,
        };
        parts = parts.saturating_add(inside.unwrap_or(1));
        Ok(TreeNodeRecursion::Continue)
    })?;
    Ok(parts)
}
