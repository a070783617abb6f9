//! Statements of the model that tell where a range can be cut.

use std::ops::Range;
use std::sync::Arc;

use datafusion::arrow::array::RecordBatch;
use datafusion::common::Result;
use datafusion::execution::TaskContext;
use datafusion::physical_plan::execution_plan::reset_plan_states;
use datafusion::physical_plan::{ExecutionPlan, collect};

use super::node::{bind_range, instant};
use super::planned::Planned;
use crate::engine::Statement;
use crate::engine::parameter::Kind;
use crate::engine::prepared::Slots;
use crate::engine::statement::{Bindings, bind, placeholder, plan_open};
use crate::manictime;

/// A plan of such a statement for the role of a call, asked again and again.
#[derive(Debug)]
pub(super) struct OwnPlan {
    plan: Arc<dyn ExecutionPlan>,
    slots: Slots,
}

impl OwnPlan {
    /// The plan of a statement whose parameters are the role and, where it has any, the ends of a range.
    ///
    /// # Errors
    /// What keeps the project's own statement from being planned.
    pub(super) async fn of(call: &Planned, statement: &Statement) -> Result<Self> {
        let session = &call.session;
        let open = plan_open(session, statement.name, statement.parameters, statement.sql)?;
        let mut bindings = Bindings::new();
        let mut ends = Vec::new();
        for (index, parameter) in statement.parameters.iter().enumerate() {
            match parameter.kind {
                Kind::Instant => ends.push(placeholder(index)),
                _ => bindings.extend([(placeholder(index), call.call.role.clone())]),
            }
        }
        let slots = Slots::named(ends.into_iter().map(|end| (end, instant(0))));
        bindings.extend(slots.bindings());
        let bound = bind(session.optimize(&open)?, &bindings)?;
        let plan = session.query_planner().create_physical_plan(&bound, session).await?;
        Ok(Self { plan, slots })
    }

    /// The plan, whose scans have to be loaded for the widest range that is asked.
    pub(super) fn plan(&self) -> &Arc<dyn ExecutionPlan> {
        &self.plan
    }

    /// Lets the plan answer for a local range, in seconds, end exclusive.
    pub(super) fn bind(&self, range: &Range<i64>) {
        bind_range(&self.slots, range);
    }

    /// The rows for the range that is bound.
    pub(super) async fn rows(&self, context: &Arc<TaskContext>) -> Result<Vec<RecordBatch>> {
        let plan = reset_plan_states(Arc::clone(&self.plan))?;
        manictime::share(&self.plan, &plan);
        collect(plan, Arc::clone(context)).await
    }
}
