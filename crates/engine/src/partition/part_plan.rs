//! Plans that run once for each part of a range.

use std::ops::Range;
use std::sync::Arc;

use arrow::array::RecordBatch;
use datafusion::common::Result;
use datafusion::execution::{SessionState, TaskContext};
use datafusion::logical_expr::Expr;
use datafusion::physical_plan::execution_plan::reset_plan_states;
use datafusion::physical_plan::{ExecutionPlan, collect};
use tokio::sync::Mutex;

use super::node::{bind_range, instant_value};
use crate::Statement;
use crate::model::parameter::Kind;
use crate::planning::prepared::Slots;
use crate::planning::statement::{Bindings, bind, placeholder, plan_open};
use dayledger_source as source;

/// A plan for the parts of a call. The plan itself never runs. For each part, a new copy of the plan runs. It uses rows
/// that were loaded earlier for a longer range.
#[derive(Debug)]
pub(super) struct PartPlan {
    /// The plan. Its scans can be loaded for a range that contains all parts.
    pub(super) plan: Arc<dyn ExecutionPlan>,
    slots: Slots,
    /// A lock, so that only one part runs at a time: the slots contain the range of the running part.
    turn: Mutex<()>,
}

impl PartPlan {
    /// Creates a part plan from a plan that contains `slots`. No other code may set these slots.
    pub(super) fn new(plan: Arc<dyn ExecutionPlan>, slots: Slots) -> Self {
        Self { plan, slots, turn: Mutex::default() }
    }

    /// Plans a statement of the model. The statement's parameters are a role and optionally the start and end of a
    /// range.
    ///
    /// # Errors
    /// Fails if the project's own statement can't be planned.
    pub(super) async fn from_statement(statement: &Statement, role: &Expr, session: &SessionState) -> Result<Self> {
        let open = plan_open(session, statement.name, statement.parameters, statement.sql)?;
        let mut bindings = Bindings::new();
        let mut ends = Vec::new();
        for (index, parameter) in statement.parameters.iter().enumerate() {
            match parameter.kind {
                Kind::Instant => ends.push(placeholder(index)),
                _ => bindings.extend([(placeholder(index), role.clone())]),
            }
        }
        let slots = Slots::from_values(ends.into_iter().map(|end| (end, instant_value(0))));
        bindings.extend(slots.bindings());
        // The slots are inserted only after the optimiser has run. Otherwise, the optimiser would replace each slot by
        // its current value.
        let bound = bind(session.optimize(&open)?, &bindings)?;
        let plan = session.query_planner().create_physical_plan(&bound, session).await?;
        Ok(Self::new(plan, slots))
    }

    /// Sets the range for which the scans are loaded, in seconds of local time. The end is exclusive.
    pub(super) fn bind(&self, range: &Range<i64>) {
        bind_range(&self.slots, range);
    }

    /// Returns the rows of a local range, which must lie within the loaded range.
    pub(super) async fn rows(&self, range: &Range<i64>, context: &Arc<TaskContext>) -> Result<Vec<RecordBatch>> {
        self.rows_from(&self.plan, range, context).await
    }

    /// Runs this plan on the rows that `read` has loaded, and returns the rows of a local range. This range must lie
    /// within the range for which `read` was loaded. `read` must have the same scans as this plan.
    pub(super) async fn rows_from(
        &self,
        read: &Arc<dyn ExecutionPlan>,
        range: &Range<i64>,
        context: &Arc<TaskContext>,
    ) -> Result<Vec<RecordBatch>> {
        // The plan reads the slots while it runs, so the lock is held until its rows are collected.
        let _turn = self.turn.lock().await;
        self.bind(range);
        let plan = reset_plan_states(Arc::clone(&self.plan))?;
        source::share_rows(read, &plan);
        collect(plan, Arc::clone(context)).await
    }
}
