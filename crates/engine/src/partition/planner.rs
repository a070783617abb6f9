//! Plans calls as [`TimePartitionsExec`].

use std::any::Any;
use std::sync::Arc;

use async_trait::async_trait;
use datafusion::catalog::Session;
use datafusion::common::{Result, internal_err};
use datafusion::execution::SessionState;
use datafusion::execution::context::QueryPlanner;
use datafusion::logical_expr::physical_planning_context::PhysicalPlanningContext;
use datafusion::logical_expr::{LogicalPlan, UserDefinedLogicalNode};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_planner::{DefaultPhysicalPlanner, ExtensionPlanner, PhysicalPlanner};

use super::exec::TimePartitionsExec;
use super::node::{TimePartitions, with_slots};

/// DataFusion's planner with an extension for calls that run part by part.
#[derive(Debug)]
pub(crate) struct PartitionPlanner;

#[async_trait]
impl QueryPlanner for PartitionPlanner {
    async fn create_physical_plan(&self, plan: &LogicalPlan, session: &dyn Session) -> Result<Arc<dyn ExecutionPlan>> {
        let planner = DefaultPhysicalPlanner::with_extension_planners(vec![Arc::new(CallPlanner)]);
        planner.create_physical_plan(&with_slots(plan.clone())?, session).await
    }
}

struct CallPlanner;

#[async_trait]
impl ExtensionPlanner for CallPlanner {
    async fn plan_extension(
        &self,
        _planner: &dyn PhysicalPlanner,
        node: &dyn UserDefinedLogicalNode,
        _logical_inputs: &[&LogicalPlan],
        physical_inputs: &[Arc<dyn ExecutionPlan>],
        session: &dyn Session,
        _context: &PhysicalPlanningContext,
    ) -> Result<Option<Arc<dyn ExecutionPlan>>> {
        let Some(node) = node.as_any().downcast_ref::<TimePartitions>() else { return Ok(None) };
        let session: &dyn Any = session.as_any();
        let (Some(session), [input]) = (session.downcast_ref::<SessionState>(), physical_inputs) else {
            return internal_err!("a call is planned by another session than this engine's");
        };
        Ok(Some(Arc::new(TimePartitionsExec::new(node, session, Arc::clone(input))?)))
    }
}
