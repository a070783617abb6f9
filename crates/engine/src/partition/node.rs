//! The logical plan node of a table function call that can run part by part.

use std::cmp::Ordering;
use std::collections::HashSet;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Range;
use std::sync::Arc;

use datafusion::common::tree_node::Transformed;
use datafusion::common::{DFSchemaRef, Result, ScalarValue, internal_err};
use datafusion::logical_expr::{Expr, Extension, LogicalPlan, UserDefinedLogicalNodeCore};

use dayledger_udfs::breaks::Boundary;

use super::bounds::{Bound, TimeColumn};
use crate::model::PartitionPolicy;
use crate::planning::prepared::Slots;
use crate::planning::statement::{Bindings, bind, typed_placeholder};
use dayledger_source::INSTANT;

/// The placeholder for the local start of a part. It is in the body of the function.
const FROM: &str = "$from";
/// The placeholder for the local end of a part, exclusive.
const UNTIL: &str = "$until";

/// The arguments of a call, and the conditions that the statement puts on its rows.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Call {
    /// The name of the function.
    pub(super) function: &'static str,
    /// The local start of the range.
    pub(super) start: Expr,
    /// The local end of the range, exclusive.
    pub(super) end: Expr,
    /// The role whose rows the function returns, such as `applications`.
    pub(super) role: Expr,
    /// The times at which the range can be split.
    pub(super) at: Boundary,
    /// The lengths of gaps that the call passes, in minutes. Rows belong together if the gap between them is shorter
    /// than one of these lengths.
    pub(super) gaps: Vec<Expr>,
    /// The statement's conditions on the time of rows. The filters with these conditions also remain in the plan.
    pub(super) bounds: Vec<Bound>,
}

/// A call as a node of a logical plan. Its input is the plan of the function's file for the range from [`FROM`] to
/// [`UNTIL`].
#[derive(Debug, Clone)]
pub(crate) struct TimePartitions {
    pub(super) call: Call,
    pub(super) cuts: PartitionPolicy,
    body: LogicalPlan,
    /// The body with placeholders for the range, and the slots for these placeholders. `None` until the node is
    /// prepared for physical planning.
    pub(super) opened: Option<(Arc<LogicalPlan>, Arc<Slots>)>,
}

impl TimePartitions {
    /// Returns the call of a function as a plan. `body` is the plan of the function's file, before `bindings` replace
    /// its parameters. `start`, `end` and `gaps` are the names of parameters in `body`.
    ///
    /// # Errors
    /// Fails if a parameter doesn't have a value.
    pub(crate) fn plan(
        function: &'static str,
        cuts: PartitionPolicy,
        body: LogicalPlan,
        mut bindings: Bindings,
        [start, end]: [String; 2],
        (role, at): (Expr, Boundary),
        gaps: &[String],
    ) -> Result<LogicalPlan> {
        let gaps = gaps.iter().filter_map(|gap| bindings.get(gap).cloned()).collect();
        let (Some(from), Some(until)) = (
            bindings.insert(start, typed_placeholder(FROM, INSTANT)),
            bindings.insert(end, typed_placeholder(UNTIL, INSTANT)),
        ) else {
            return internal_err!("`{function}` has no range");
        };
        let call = Call { function, start: from, end: until, role, at, gaps, bounds: Vec::new() };
        let node = Self { call, cuts, body: bind(body, &bindings)?, opened: None };
        Ok(node.into_plan())
    }

    fn into_plan(self) -> LogicalPlan {
        LogicalPlan::Extension(Extension { node: Arc::new(self) })
    }

    /// Returns the call if the root of `plan` is a call. Otherwise, returns `None`.
    pub(super) fn from_plan(plan: &LogicalPlan) -> Option<&Self> {
        match plan {
            LogicalPlan::Extension(Extension { node }) => node.as_any().downcast_ref(),
            _ => None,
        }
    }

    /// Returns a plan of the same call with other conditions on the time of rows.
    pub(super) fn with_bounds(&self, bounds: Vec<Bound>) -> LogicalPlan {
        Self { call: Call { bounds, ..self.call.clone() }, ..self.clone() }.into_plan()
    }

    /// Returns a plan of the same call with slots for the range of a part.
    fn with_slots(&self) -> Result<LogicalPlan> {
        let slots = range_slots();
        let body = bind(self.body.clone(), &slots.bindings())?;
        Ok(Self { opened: Some((Arc::new(self.body.clone()), Arc::new(slots))), body, ..self.clone() }.into_plan())
    }
}

/// Returns slots for the start and end of the range in a body.
pub(super) fn range_slots() -> Slots {
    Slots::from_values([FROM, UNTIL].map(|name| (name.to_owned(), instant_value(0))))
}

/// Sets the range in the slots from [`range_slots`], in seconds of local time. The end is exclusive.
pub(super) fn bind_range(slots: &Slots, range: &Range<i64>) {
    slots.bind(&[instant_value(range.start), instant_value(range.end)]);
}

/// Returns a local time, in seconds, as a value for SQL.
pub(super) fn instant_value(seconds: i64) -> ScalarValue {
    ScalarValue::TimestampSecond(Some(seconds), None)
}

/// Replaces each call in `plan` by the body of the called function. The call is then split together with the function
/// whose file contains it, and not separately.
///
/// # Errors
/// Fails if the plan can't be rewritten. The plans of the project's own files can always be rewritten.
pub(crate) fn disable_partitioning(plan: LogicalPlan) -> Result<LogicalPlan> {
    replace_calls(plan, |node| {
        let (from, until) = ((FROM.to_owned(), node.call.start.clone()), (UNTIL.to_owned(), node.call.end.clone()));
        bind(node.body.clone(), &Bindings::from([from, until]))
    })
}

/// Returns `plan` with slots in its calls. Physical planning requires these slots.
pub(super) fn with_slots(plan: LogicalPlan) -> Result<LogicalPlan> {
    replace_calls(plan, TimePartitions::with_slots)
}

fn replace_calls(
    plan: LogicalPlan,
    replacement: impl Fn(&TimePartitions) -> Result<LogicalPlan>,
) -> Result<LogicalPlan> {
    let plan = plan.transform_up_with_subqueries(|plan| match TimePartitions::from_plan(&plan) {
        Some(node) => Ok(Transformed::yes(replacement(node)?)),
        None => Ok(Transformed::no(plan)),
    })?;
    Ok(plan.data)
}

impl PartialEq for TimePartitions {
    fn eq(&self, other: &Self) -> bool {
        // The other fields affect only how the rows are computed. They don't affect the rows themselves. Statements of
        // users with equal plans share a plan, so every field that affects the rows must be compared here.
        self.call == other.call && self.body == other.body
    }
}

impl Eq for TimePartitions {}

impl Hash for TimePartitions {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.call.hash(state);
        self.body.hash(state);
    }
}

impl PartialOrd for TimePartitions {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        (self == other).then_some(Ordering::Equal)
    }
}

impl fmt::Display for Call {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "function={}, range=[{}, {})", self.function, self.start, self.end)?;
        for bound in &self.bounds {
            write!(out, ", {bound}")?;
        }
        Ok(())
    }
}

impl UserDefinedLogicalNodeCore for TimePartitions {
    fn name(&self) -> &'static str {
        "TimePartitions"
    }

    fn inputs(&self) -> Vec<&LogicalPlan> {
        vec![&self.body]
    }

    fn schema(&self) -> &DFSchemaRef {
        self.body.schema()
    }

    fn expressions(&self) -> Vec<Expr> {
        let Call { start, end, role, gaps, bounds, .. } = &self.call;
        let range = [start, end, role].into_iter().cloned();
        range.chain(gaps.iter().cloned()).chain(bounds.iter().map(|bound| bound.value.clone())).collect()
    }

    /// Keeps filters on the time of rows directly above this node. There, the rule `PushBounds` finds them and reduces
    /// the range that the call reads.
    fn prevent_predicate_push_down_columns(&self) -> HashSet<String> {
        TimeColumn::ALL.map(|place| place.column().to_owned()).into()
    }

    fn fmt_for_explain(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "TimePartitions: {}", self.call)
    }

    fn with_exprs_and_inputs(&self, expressions: Vec<Expr>, mut inputs: Vec<LogicalPlan>) -> Result<Self> {
        let (Some(body), true) = (inputs.pop(), inputs.is_empty()) else {
            return internal_err!("a call has one input");
        };
        let mut expressions = expressions.into_iter();
        // The method `expressions` returns the expressions in the same order. The number of gaps and the number of
        // bounds never change.
        let (Some(start), Some(end), Some(role)) = (expressions.next(), expressions.next(), expressions.next()) else {
            return internal_err!("a call has a range of a role");
        };
        let gaps = expressions.by_ref().take(self.call.gaps.len()).collect();
        let bounds = self.call.bounds.iter().zip(expressions);
        let bounds = bounds.map(|(bound, value)| Bound { value, ..bound.clone() }).collect();
        let call = Call { start, end, role, gaps, bounds, ..self.call };
        Ok(Self { call, body, ..self.clone() })
    }

    fn necessary_children_exprs(&self, output_columns: &[usize]) -> Option<Vec<Vec<usize>>> {
        // This node returns the rows of the body unchanged, so it needs only the output columns. By default, DataFusion
        // would compute all columns of the body.
        Some(vec![output_columns.to_vec()])
    }
}
