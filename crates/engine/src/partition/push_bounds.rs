//! Uses filters above calls to reduce the range that is read.

use std::sync::Arc;

use datafusion::common::Result;
use datafusion::common::tree_node::Transformed;
use datafusion::logical_expr::utils::split_conjunction;
use datafusion::logical_expr::{Filter, LogicalPlan};
use datafusion::optimizer::optimizer::ApplyOrder;
use datafusion::optimizer::{OptimizerConfig, OptimizerRule};

use super::bounds::Bound;
use super::node::TimePartitions;

/// Adds the conditions of a filter to the call directly below it.
#[derive(Debug)]
pub(crate) struct PushBounds;

impl OptimizerRule for PushBounds {
    fn name(&self) -> &'static str {
        "tell_bounds_to_time_partitions"
    }

    fn apply_order(&self) -> Option<ApplyOrder> {
        Some(ApplyOrder::TopDown)
    }

    fn rewrite(&self, plan: LogicalPlan, _config: &dyn OptimizerConfig) -> Result<Transformed<LogicalPlan>> {
        let LogicalPlan::Filter(filter) = &plan else { return Ok(Transformed::no(plan)) };
        let Some(node) = TimePartitions::from_plan(&filter.input) else { return Ok(Transformed::no(plan)) };
        let bounds: Vec<_> =
            split_conjunction(&filter.predicate).into_iter().filter_map(Bound::from_condition).collect();
        if bounds == node.call.bounds {
            return Ok(Transformed::no(plan));
        }
        let bounded = Arc::new(node.with_bounds(bounds));
        Ok(Transformed::yes(LogicalPlan::Filter(Filter::try_new(filter.predicate.clone(), bounded)?)))
    }
}
