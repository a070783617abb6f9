//! Rejects expensive statements early and with a helpful error. Examples are statements with long texts, large plans or
//! huge joins.
//!
//! These checks aren't complete, and safety doesn't depend on them. `worker` and `stream` enforce the limits on memory
//! and time, and `read_only` decides which statements may run at all.
//!
//! - A text that is too long or too deeply nested is rejected before it is parsed ([`text`]). A plan that is too large
//!   is rejected before it is optimised (`check_size`), because optimising a deep plan could overflow the stack. These
//!   checks don't detect an expression that doubles in size with each step. The limits on time and memory stop
//!   statements with such expressions.
//! - The rows of joins are counted ([`gate`]). The most common mistake is a join without a condition. The counter
//!   detects such a join long before it takes much time.

mod gate;
mod measure;
mod text;

use std::sync::Arc;

use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::common::{DataFusionError, Result};
use datafusion::execution::SessionState;
use datafusion::execution::disk_manager::{DiskManagerBuilder, DiskManagerMode};
use datafusion::execution::memory_pool::GreedyMemoryPool;
use datafusion::execution::runtime_env::RuntimeEnvBuilder;
use datafusion::execution::session_state::SessionStateBuilder;
use datafusion::logical_expr::LogicalPlan;

pub(crate) use self::gate::add_gates;
pub(crate) use self::measure::bytes_of_rows;
pub(crate) use self::text::{check_statement, check_text};
use super::limits::QueryLimits;

/// The maximum number of operators in a plan. The plan of the function `narrative` has about 80 operators.
const MAX_NODES: usize = 2_000;

/// The maximum size of a statement in bytes. A page of SQL has about 3 KiB.
const MAX_STATEMENT_BYTES: usize = 64 << 10;

/// The reason why a statement is rejected or stopped.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Refusal {
    #[error("the statement is too long: its text exceeds {} KiB", MAX_STATEMENT_BYTES >> 10)]
    Text,
    #[error("the statement is nested too deeply or has too many operators")]
    Nesting,
    #[error("the statement is too large after its views and functions are expanded")]
    Plan,
    #[error("a join produces or compares too many rows")]
    Joined,
}

impl From<Refusal> for DataFusionError {
    fn from(refusal: Refusal) -> Self {
        Self::External(Box::new(refusal))
    }
}

/// Returns the refusal that a DataFusion error contains. Returns `None` for other errors.
pub(crate) fn refusal_in(error: &DataFusionError) -> Option<&Refusal> {
    match error {
        DataFusionError::External(inner) => inner.downcast_ref(),
        _ => None,
    }
}

/// Returns a session for one statement. It has the tables and functions of `base`, and the memory limit of `limits`.
pub(crate) fn limited_session(base: SessionState, limits: &QueryLimits) -> Result<SessionState> {
    let runtime = RuntimeEnvBuilder::new()
        .with_memory_pool(Arc::new(GreedyMemoryPool::new(limits.memory_bytes)))
        // The rows are private, so they must not be written to temporary files if memory runs out.
        .with_disk_manager_builder(DiskManagerBuilder::default().with_mode(DiskManagerMode::Disabled))
        .build_arc()?;
    Ok(SessionStateBuilder::new_from_existing(base).with_runtime_env(runtime).build())
}

/// Rejects a plan that is too large to be optimised. If a subquery is used several times, each use counts.
///
/// # Errors
/// [`Refusal::Plan`].
pub(crate) fn check_size(plan: &LogicalPlan) -> Result<()> {
    let mut nodes = 0;
    plan.apply_with_subqueries(|_| {
        nodes += 1;
        if nodes > MAX_NODES { Err(Refusal::Plan.into()) } else { Ok(TreeNodeRecursion::Continue) }
    })?;
    Ok(())
}
