//! A statement that somebody wrote, ready to run: held to its limits, and kept for others of its pattern where it can be.

use std::sync::Arc;

use datafusion::common::{DataFusionError, Result, ScalarValue};
use datafusion::execution::SendableRecordBatchStream;
use datafusion::logical_expr::{LogicalPlan, LogicalPlanBuilder};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::execution_plan::reset_plan_states;

use super::guard::{Guard, refusal_in};
use super::limits::QueryLimits;
use super::members::Lost;
use super::pattern::Pattern;
use super::prepared::Slots;
use super::statement::Bindings;
use super::{Error, read_only};

/// A statement that may run.
#[derive(Debug)]
pub(super) struct PlannedStatement {
    guard: Guard,
    plan: Arc<dyn ExecutionPlan>,
    /// What it can be run again for, and the slots for that; nothing where it cannot.
    again: Option<(Again, Slots)>,
}

/// What a plan can be run again for: statements of one pattern, held to the same limits.
#[derive(Debug, PartialEq)]
pub(super) struct Again {
    pub(super) pattern: Pattern,
    pub(super) limits: QueryLimits,
}

impl PlannedStatement {
    /// One that runs once.
    ///
    /// # Errors
    /// What may not run, or cannot be planned.
    pub(super) async fn once(guard: Guard, plan: LogicalPlan, limits: &QueryLimits) -> Result<Self, Error> {
        let plan = physical_plan(&guard, plan, limits, &Bindings::new()).await?;
        Ok(Self { guard, plan, again: None })
    }

    /// One that [`Again::plan`] has made, with those slots.
    pub(super) fn again(guard: Guard, plan: Arc<dyn ExecutionPlan>, again: Again, slots: Slots) -> Self {
        Self { guard, plan, again: Some((again, slots)) }
    }

    /// Whether it can answer that; then it is bound to do so.
    pub(super) fn is_for(&self, again: &Again, instants: &[ScalarValue]) -> bool {
        self.again.as_ref().is_some_and(|(own, slots)| own == again && slots.bind(instants))
    }

    /// Whether it can be run again for other instants.
    pub(super) fn is_repeatable(&self) -> bool {
        self.again.is_some()
    }

    pub(super) fn plan(&self) -> &Arc<dyn ExecutionPlan> {
        &self.plan
    }

    /// Its rows; for a plan whose scans are loaded.
    pub(super) fn rows(&self) -> Result<SendableRecordBatchStream> {
        self.guard.run(Arc::clone(&self.plan))
    }

    /// Which process has gone that carried it out, where it failed of that with `error`.
    pub(super) async fn lost(&self, error: &DataFusionError) -> Option<Lost> {
        let elsewhere = self.guard.elsewhere().filter(|elsewhere| elsewhere.carries_out(&self.plan))?;
        if refusal_in(error.find_root()).is_some() { None } else { elsewhere.lost(error).await }
    }

    /// The same statement, as if it had never run.
    pub(super) fn reset(self) -> Result<Self> {
        Ok(Self { plan: reset_plan_states(self.plan)?, ..self })
    }
}

impl Again {
    /// The plan with slots for the instants; nothing where the pattern has none.
    ///
    /// # Errors
    /// What may not run, or cannot be planned.
    pub(super) async fn plan(&self, guard: &Guard, slots: &Slots) -> Result<Option<Arc<dyn ExecutionPlan>>, Error> {
        match self.pattern.plan(&guard.state).await? {
            Some(plan) => Ok(Some(physical_plan(guard, plan, &self.limits, &slots.bindings()).await?)),
            None => Ok(None),
        }
    }
}

async fn physical_plan(
    guard: &Guard,
    plan: LogicalPlan,
    limits: &QueryLimits,
    bindings: &Bindings,
) -> Result<Arc<dyn ExecutionPlan>, Error> {
    read_only::options().verify_plan(&plan)?;
    Ok(guard.physical_plan(&one_row_more(plan, limits.rows)?, bindings).await?)
}

/// The plan with a limit of one row more than is returned, which tells whether there are more.
fn one_row_more(plan: LogicalPlan, rows: usize) -> Result<LogicalPlan> {
    match plan {
        // Nothing may stand above these; they have few rows.
        LogicalPlan::Explain(_) | LogicalPlan::Analyze(_) | LogicalPlan::DescribeTable(_) => Ok(plan),
        plan => LogicalPlanBuilder::from(plan).limit(0, Some(rows.saturating_add(1)))?.build(),
    }
}
