//! Plans that are asked for one part of a range after the other.

use std::ops::Range;
use std::sync::Arc;

use datafusion::arrow::array::RecordBatch;
use datafusion::common::Result;
use datafusion::execution::{SessionState, TaskContext};
use datafusion::logical_expr::Expr;
use datafusion::physical_plan::execution_plan::reset_plan_states;
use datafusion::physical_plan::{ExecutionPlan, collect};
use tokio::sync::Mutex;

use super::node::{bind_range, instant_value};
use crate::Statement;
use crate::parameter::Kind;
use crate::prepared::Slots;
use crate::statement::{Bindings, bind, placeholder, plan_open};
use dayledger_source as source;

/// A plan that never runs itself: each part is answered by a copy of it that has not run yet, over rows that were read for
/// a long range.
#[derive(Debug)]
pub(super) struct PartPlan {
    /// It may be loaded for the widest range that is asked.
    pub(super) plan: Arc<dyn ExecutionPlan>,
    slots: Slots,
    /// One part is asked for at a time: the slots hold its range.
    turn: Mutex<()>,
}

impl PartPlan {
    /// A plan with those slots, which nothing else binds.
    pub(super) fn new(plan: Arc<dyn ExecutionPlan>, slots: Slots) -> Self {
        Self { plan, slots, turn: Mutex::default() }
    }

    /// The plan of a statement of the model, whose parameters are a role and, where it has any, the ends of a
    /// range.
    ///
    /// # Errors
    /// What keeps the project's own statement from being planned.
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
        let bound = bind(session.optimize(&open)?, &bindings)?;
        let plan = session.query_planner().create_physical_plan(&bound, session).await?;
        Ok(Self::new(plan, slots))
    }

    /// Lets the plan be loaded for a local range, in seconds, end exclusive.
    pub(super) fn bind(&self, range: &Range<i64>) {
        bind_range(&self.slots, range);
    }

    /// The rows of a local range that is part of what the plan was loaded for.
    pub(super) async fn rows(&self, range: &Range<i64>, context: &Arc<TaskContext>) -> Result<Vec<RecordBatch>> {
        self.rows_from(&self.plan, range, context).await
    }

    /// The rows of a local range that is part of what `read` was loaded for, a plan of the same scans.
    pub(super) async fn rows_from(
        &self,
        read: &Arc<dyn ExecutionPlan>,
        range: &Range<i64>,
        context: &Arc<TaskContext>,
    ) -> Result<Vec<RecordBatch>> {
        let _turn = self.turn.lock().await;
        self.bind(range);
        let plan = reset_plan_states(Arc::clone(&self.plan))?;
        source::share_rows(read, &plan);
        collect(plan, Arc::clone(context)).await
    }
}
