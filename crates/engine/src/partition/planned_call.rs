//! The plans of a call.

use std::sync::Arc;

use datafusion::common::{Result, internal_datafusion_err, internal_err};
use datafusion::execution::SessionState;
use datafusion::logical_expr::LogicalPlan;
use datafusion::physical_plan::ExecutionPlan;
use tokio::sync::OnceCell;

use super::node::{Call, TimePartitions, range_slots};
use super::part_plan::PartPlan;
use crate::model::PartitionPolicy;
use crate::planning::prepared::Slots;
use crate::planning::statement::{Statement, bind};
use crate::running::runtime::cores;
use dayledger_source as source;

/// The maximum number of parts that are computed simultaneously.
const MAX_PARALLEL_PARTS: usize = 8;

/// Returns the number of parts that are computed simultaneously.
pub(super) fn parallelism() -> usize {
    cores().min(MAX_PARALLEL_PARTS)
}

/// The data for planning a call, and the plans of its parts. The plans of the parts are created when they are first
/// needed. They stay in memory with the call, so that requests with other ranges can reuse them.
#[derive(Debug)]
pub(super) struct PlannedCall {
    pub(super) call: Call,
    pub(super) cuts: PartitionPolicy,
    /// The slots for the range of the input.
    pub(super) slots: Arc<Slots>,
    /// The plan of the function's file with an open range.
    body: Arc<LogicalPlan>,
    pub(super) session: SessionState,
    /// The plan that finds breaks.
    occupied: OnceCell<Arc<PartPlan>>,
    /// The plan that finds the first row of the role.
    beginning: OnceCell<Arc<PartPlan>>,
    /// The plans of parts. Each plan has its own slots, which are separate from the slots of the input. A new request
    /// can set the slots of the input while a part of the previous request is still running.
    parts: Vec<OnceCell<Arc<PartPlan>>>,
}

impl PlannedCall {
    /// Returns the planning data of a call. The plans of its parts are created later.
    ///
    /// # Errors
    /// Fails if the node doesn't have slots for its range.
    pub(super) fn from_node(node: &TimePartitions, session: &SessionState) -> Result<Self> {
        let Some((body, slots)) = node.opened.clone() else {
            return internal_err!("a call has no range to be bound");
        };
        Ok(Self {
            call: node.call.clone(),
            cuts: node.cuts,
            slots,
            body,
            session: session.clone(),
            occupied: OnceCell::new(),
            beginning: OnceCell::new(),
            parts: (0..parallelism()).map(|_| OnceCell::new()).collect(),
        })
    }

    /// Returns the plan that finds breaks.
    ///
    /// # Errors
    /// Fails if the project's own statement can't be planned.
    pub(super) async fn occupied_plan(&self) -> Result<Arc<PartPlan>> {
        self.occupied.get_or_try_init(|| self.plan_for_role(self.cuts.occupied)).await.map(Arc::clone)
    }

    /// Returns the plan that finds the first row of the role.
    ///
    /// # Errors
    /// Fails if the project's own statement can't be planned.
    pub(super) async fn beginning_plan(&self) -> Result<Arc<PartPlan>> {
        self.beginning.get_or_try_init(|| self.plan_for_role(self.cuts.beginning)).await.map(Arc::clone)
    }

    async fn plan_for_role(&self, statement: &'static Statement) -> Result<Arc<PartPlan>> {
        PartPlan::from_statement(statement, &self.call.role, &self.session).await.map(Arc::new)
    }

    /// Returns a plan for the part with this number. The plan runs on the rows that `input` has loaded.
    ///
    /// # Errors
    /// Fails if the call can't be planned again, or if the new plan has other scans than the input.
    pub(super) async fn plan_for_part(&self, number: usize, input: &Arc<dyn ExecutionPlan>) -> Result<Arc<PartPlan>> {
        // There are as many plans as parts that run simultaneously. These parts have consecutive numbers, so no part
        // waits for the plan of another part.
        let plan = self.parts.get(number % self.parts.len().max(1));
        let plan = plan.ok_or_else(|| internal_datafusion_err!("no part is computed at any time"))?;
        let made = || async {
            let slots = range_slots();
            let body = bind(self.body.as_ref().clone(), &slots.bindings())?;
            let plan = self.session.query_planner().create_physical_plan(&body, &self.session).await?;
            if !source::has_same_scans(input, &plan) {
                return internal_err!("a part of `{}` scans something else than was read", self.call.function);
            }
            Ok(Arc::new(PartPlan::new(plan, slots)))
        };
        plan.get_or_try_init(made).await.map(Arc::clone)
    }

    /// Drops the rows that were read to find breaks.
    pub(super) fn forget_rows(&self) {
        for plan in [&self.occupied, &self.beginning].into_iter().filter_map(OnceCell::get) {
            source::forget(&plan.plan);
        }
    }
}
