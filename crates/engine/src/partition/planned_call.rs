//! What a call is planned from.

use std::sync::Arc;

use datafusion::common::{Result, internal_datafusion_err, internal_err};
use datafusion::execution::SessionState;
use datafusion::logical_expr::LogicalPlan;
use datafusion::physical_plan::ExecutionPlan;
use tokio::sync::OnceCell;

use super::node::{Call, TimePartitions, range_slots};
use super::part_plan::PartPlan;
use crate::model::PartitionPolicy;
use crate::prepared::Slots;
use crate::runtime::cores;
use crate::statement::{Statement, bind};
use dayledger_source as source;

/// How many parts are computed at once, at most.
const MAX_PARALLEL_PARTS: usize = 8;

/// How many parts are computed at once.
pub(super) fn parallelism() -> usize {
    cores().min(MAX_PARALLEL_PARTS)
}

/// What a call is planned from, again and again, and the plans that its parts need, made when they are wanted. They stay
/// with the call's own plan, whatever ranges that is asked for.
#[derive(Debug)]
pub(super) struct PlannedCall {
    pub(super) call: Call,
    pub(super) cuts: PartitionPolicy,
    /// The range that the input answers for.
    pub(super) slots: Arc<Slots>,
    /// What the input was planned from, while its range was open.
    body: Arc<LogicalPlan>,
    pub(super) session: SessionState,
    /// What tells where the range can be cut.
    occupied: OnceCell<Arc<PartPlan>>,
    /// What tells where rows begin.
    beginning: OnceCell<Arc<PartPlan>>,
    /// What parts run on, with slots of their own: those of the input are bound by the question that has it, while a part of
    /// the question before may be on its way out.
    parts: Vec<OnceCell<Arc<PartPlan>>>,
}

impl PlannedCall {
    /// What a call is planned from; nothing where its node is not ready to be planned.
    pub(super) fn from_node(node: &TimePartitions, session: &SessionState) -> Option<Self> {
        let (body, slots) = node.opened.clone()?;
        Some(Self {
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

    /// What tells where the range can be cut.
    ///
    /// # Errors
    /// What keeps the project's own statement from being planned.
    pub(super) async fn occupied_plan(&self) -> Result<Arc<PartPlan>> {
        self.occupied.get_or_try_init(|| self.plan_for_role(self.cuts.occupied)).await.map(Arc::clone)
    }

    /// What tells where rows begin.
    ///
    /// # Errors
    /// What keeps the project's own statement from being planned.
    pub(super) async fn beginning_plan(&self) -> Result<Arc<PartPlan>> {
        self.beginning.get_or_try_init(|| self.plan_for_role(self.cuts.beginning)).await.map(Arc::clone)
    }

    async fn plan_for_role(&self, statement: &'static Statement) -> Result<Arc<PartPlan>> {
        PartPlan::from_statement(statement, &self.call.role, &self.session).await.map(Arc::new)
    }

    /// What the part of that number runs on over the rows of `input`.
    ///
    /// # Errors
    /// What keeps the call from being planned again, and another plan of it that scans something else than the input.
    pub(super) async fn plan_for_part(&self, number: usize, input: &Arc<dyn ExecutionPlan>) -> Result<Arc<PartPlan>> {
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

    /// Lets go of the rows that were read to find out where the range can be cut.
    pub(super) fn forget_rows(&self) {
        for plan in [&self.occupied, &self.beginning].into_iter().filter_map(OnceCell::get) {
            source::forget(&plan.plan);
        }
    }
}
