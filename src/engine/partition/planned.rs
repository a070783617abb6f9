//! What a call is planned from.

use std::sync::Arc;

use datafusion::execution::SessionState;
use datafusion::logical_expr::LogicalPlan;

use super::node::Call;
use crate::engine::model::Cuts;
use crate::engine::prepared::Slots;

/// What a call is planned from, again and again.
#[derive(Debug)]
pub(super) struct Planned {
    pub(super) call: Call,
    pub(super) cuts: Cuts,
    /// The range that the input answers for.
    pub(super) slots: Arc<Slots>,
    /// What the input was planned from, while its range was open.
    pub(super) body: Arc<LogicalPlan>,
    pub(super) session: SessionState,
}
