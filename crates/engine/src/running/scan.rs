//! Reads the rows of one table or call. Engines over many members use it for each member.

use std::sync::Arc;

use datafusion::catalog::TableFunctionArgs;
use datafusion::common::{Result, plan_err};
use datafusion::datasource::provider_as_source;
use datafusion::execution::runtime_env::RuntimeEnv;
use datafusion::execution::session_state::SessionStateBuilder;
use datafusion::execution::{FunctionRegistry, SendableRecordBatchStream, SessionState};
use datafusion::logical_expr::{Expr, LogicalPlan, LogicalPlanBuilder, col};
use datafusion::physical_plan::execute_stream;

use crate::planning::session::MODEL_SCHEMA;
use crate::{Engine, Error, Relation, Scan};

impl Engine {
    /// Adds the functions of this engine to a session. A process that runs parts of the engine's statements needs this
    /// session.
    ///
    /// # Errors
    /// Fails if the session of the model can't be created.
    pub fn with_functions(&self, session: SessionStateBuilder) -> Result<SessionState, Error> {
        let of_engine = self.session()?.state();
        let mut session = session.build();
        for function in of_engine.scalar_functions().values() {
            session.register_udf(Arc::clone(function))?;
        }
        for function in of_engine.aggregate_functions().values() {
            session.register_udaf(Arc::clone(function))?;
        }
        for function in of_engine.window_functions().values() {
            session.register_udwf(Arc::clone(function))?;
        }
        Ok(session)
    }

    /// Returns the rows of `scan` as they arrive. The model must contain only tables. Planning and computing run on the
    /// caller's threads, with the memory of `runtime`. These threads need stacks as large as the stacks of the engine's
    /// own threads.
    ///
    /// # Errors
    /// Fails if the model lacks the relation or a column, or if the scan can't be planned.
    pub async fn scan(&self, scan: &Scan, runtime: Arc<RuntimeEnv>) -> Result<SendableRecordBatchStream, Error> {
        let session = self.session()?;
        let state = SessionStateBuilder::new_from_existing(session.state()).with_runtime_env(runtime).build();
        let plan = plan_scan(&state, scan).await.map_err(|error| session.explain_error(error, ""))?;
        let plan = state.create_physical_plan(&plan).await?;
        Ok(execute_stream(plan, state.task_ctx())?)
    }
}

async fn plan_scan(state: &SessionState, scan: &Scan) -> Result<LogicalPlan> {
    let (name, table) = match &scan.relation {
        Relation::Table(name) => {
            let table = state.schema_for_ref(name.as_str())?.table(name).await?;
            let Some(table) = table else { return plan_err!("table '{MODEL_SCHEMA}.{name}' not found") };
            (name, table)
        }
        Relation::Call(name, values) => {
            let Some(function) = state.table_functions().get(name) else {
                return plan_err!("table function '{name}' not found");
            };
            let arguments: Vec<_> = values.iter().map(|value| Expr::Literal(value.clone(), None)).collect();
            (name, function.create_table_provider_with_args(TableFunctionArgs::new(&arguments, state))?)
        }
    };
    let mut rows = LogicalPlanBuilder::scan(name, provider_as_source(table), None)?;
    for filter in &scan.filters {
        rows = rows.filter(filter.clone())?;
    }
    rows.project(scan.columns.iter().map(col))?.limit(0, scan.limit)?.build()
}
