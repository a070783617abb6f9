//! What keeps a stranger's statement within its limits: one session per statement, in which nothing can be allocated by
//! writing a number, no join can run away, and every operator can be stopped.
//!
//! **Owns** the checks of text, plan and run. **Does not own** what a statement may do at all (`read_only`), nor
//! deadlines and turns (`running`).
//!
//! DataFusion's memory pool counts sorts, groups and the built sides of joins. It does not see what functions, constants
//! and the rows between two operators take (measured: `repeat('x', 2000000000)` took 5.5 GB under a pool of 64 MB), and
//! nothing of it can be stopped within a batch. So:
//!
//! - functions whose result can be larger than their arguments are bounded before they run ([`bounded`], [`growth`]);
//! - constants and the size of the plan are bounded before it is optimised and after ([`plan_size`], [`constants`]);
//! - rows pass a gate between any two operators, which lets the statement be stopped, keeps batches small where they
//!   are multiplied, and counts what joins make ([`gate`], [`measure`]).

mod bounded;
mod constants;
mod gate;
mod growth;
mod measure;
mod plan_size;
mod text;

use std::sync::Arc;

use datafusion::common::{DataFusionError, Result};
use datafusion::execution::disk_manager::{DiskManagerBuilder, DiskManagerMode};
use datafusion::execution::memory_pool::GreedyMemoryPool;
use datafusion::execution::runtime_env::RuntimeEnvBuilder;
use datafusion::execution::session_state::SessionStateBuilder;
use datafusion::execution::{FunctionRegistry, SendableRecordBatchStream, SessionState, TaskContext};
use datafusion::logical_expr::LogicalPlan;
use datafusion::physical_plan::{ExecutionPlan, execute_stream};
use datafusion::sql::parser::Statement;

use self::bounded::{BoundGrowth, Spent};
pub(super) use self::gate::BatchRows;
pub(super) use self::measure::bytes_of_rows;
use super::clock;
use super::limits::QueryLimits;

/// What functions may make between two gates, and what the rows between two operators may take.
pub(super) const IN_FLIGHT_BYTES: usize = 128 << 20;

/// Why a statement is refused or stopped.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum Refusal {
    #[error("the statement has more than {} KiB of text", text::MOST_BYTES >> 10)]
    Text,
    #[error("the statement is nested too deeply or has too many operators")]
    Nesting,
    #[error("the type `{0}` is too wide")]
    Type(String),
    #[error("the constants of the statement take more than {} KiB", constants::MOST_BYTES >> 10)]
    Constants,
    #[error("the statement grows too large when its parts are put together")]
    Plan,
    #[error("`{0}` would make or compare more text or elements than a statement may at once")]
    Function(String),
    #[error("`{0}` cannot be asked over a window: its result grows with every row")]
    Window(String),
    #[error("rows that are joined or unnested are too wide")]
    Rows,
    #[error("a join makes or compares too many rows")]
    Joined,
}

impl From<Refusal> for DataFusionError {
    fn from(refusal: Refusal) -> Self {
        Self::External(Box::new(refusal))
    }
}

/// The refusal that an error of DataFusion carries.
pub(super) fn refusal_in(error: &DataFusionError) -> Option<&Refusal> {
    match error {
        DataFusionError::External(inner) => inner.downcast_ref(),
        _ => None,
    }
}

/// The session of one statement.
pub(super) struct Guard {
    pub(super) state: SessionState,
    spent: Arc<Spent>,
}

impl Guard {
    /// A session with the tables and functions of `base`, held to `limits`.
    pub(super) fn new(base: SessionState, limits: &QueryLimits) -> Result<Self> {
        let runtime = RuntimeEnvBuilder::new()
            .with_memory_pool(Arc::new(GreedyMemoryPool::new(limits.memory_bytes)))
            .with_disk_manager_builder(DiskManagerBuilder::default().with_mode(DiskManagerMode::Disabled))
            .build_arc()?;
        let mut state = SessionStateBuilder::new_from_existing(base)
            .with_runtime_env(runtime)
            // A function of elements inside a function of elements multiplies them without bound.
            .with_higher_order_functions(Vec::new())
            .build();
        // The copy has the functions in no order, and the last one to bring a name has it: `today` is DataFusion's other
        // name for the date in UTC.
        for function in clock::functions() {
            state.register_udf(function)?;
        }
        let spent = Arc::new(Spent::default());
        for function in bounded::functions(&state) {
            state.register_udf(function)?;
        }
        state.register_function_rewrite(Arc::new(BoundGrowth::new(&spent)))?;
        Ok(Self { state, spent })
    }

    /// Refuses a text that is too long to be parsed.
    ///
    /// # Errors
    /// [`Refusal::Text`].
    pub(super) fn check_text(sql: &str) -> Result<(), Refusal> {
        text::check(sql)
    }

    /// Refuses a parsed statement that would allocate when it is planned, or be planned without end.
    ///
    /// # Errors
    /// [`Refusal::Type`], [`Refusal::Plan`].
    pub(super) fn check_statement(statement: &Statement) -> Result<(), Refusal> {
        text::check_statement(statement)
    }

    /// The statement's plan, optimised and held to its limits, and how many rows its batches have.
    ///
    /// # Errors
    /// A [`Refusal`], or what planning refuses.
    pub(super) async fn physical_plan(&self, plan: &LogicalPlan) -> Result<(Arc<dyn ExecutionPlan>, BatchRows)> {
        plan_size::check(plan)?;
        let optimized = self.state.optimize(plan)?;
        let constants = constants::bytes_in(&optimized)?;
        let physical = self.state.query_planner().create_physical_plan(&optimized, &self.state).await?;
        let rows = BatchRows::of(&physical, constants);
        Ok((physical, rows))
    }

    /// Runs `plan` with a gate between any two of its operators; for a plan whose scans are loaded.
    pub(super) fn run(&self, plan: Arc<dyn ExecutionPlan>, rows: BatchRows) -> Result<SendableRecordBatchStream> {
        let config = self.state.config().clone().with_batch_size(rows.made);
        let context = TaskContext::from(&self.state).with_session_config(config);
        execute_stream(gate::put_into(plan, rows, &self.spent)?, Arc::new(context))
    }
}
