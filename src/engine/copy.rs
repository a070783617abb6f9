//! Copies of a session.

use std::sync::Arc;

use datafusion::common::Result;
use datafusion::execution::runtime_env::RuntimeEnv;
use datafusion::execution::session_state::SessionStateBuilder;
use datafusion::execution::{FunctionRegistry, SessionState};

use super::clock;

/// The same session with other memory.
pub(super) fn with_runtime(state: SessionState, runtime: Arc<RuntimeEnv>) -> Result<SessionState> {
    copied(SessionStateBuilder::new_from_existing(state).with_runtime_env(runtime))
}

/// The session that `copy` makes.
pub(super) fn copied(copy: SessionStateBuilder) -> Result<SessionState> {
    with_clock(copy.build())
}

/// A copy has the functions in no order, and the last one to bring a name has it: `today` is DataFusion's other name for
/// the date in UTC.
pub(super) fn with_clock(mut copy: SessionState) -> Result<SessionState> {
    for function in clock::functions() {
        copy.register_udf(function)?;
    }
    Ok(copy)
}
