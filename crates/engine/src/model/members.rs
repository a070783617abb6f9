//! Models that combine many members, for example the exports of a team. All members have the same tables, views and
//! functions. The rows of each member are computed separately.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use datafusion::catalog::{SchemaProvider, TableFunctionArgs, TableFunctionImpl, TableProvider};
use datafusion::common::{DataFusionError, Result, ScalarValue};
use datafusion::execution::session_state::{SessionState, SessionStateBuilder};
use datafusion::logical_expr::Expr;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::prelude::SessionContext;

use super::function::SqlFunction;

/// Provides tables with the rows of all members.
pub trait Members: fmt::Debug + Send + Sync + 'static {
    /// Returns a table with the rows of `relation` for all members. `of_one` is the table of a single member. The
    /// result has at least the columns of `of_one`.
    fn table(&self, relation: Relation, of_one: Arc<dyn TableProvider>) -> Arc<dyn TableProvider>;

    /// Adapts a session for planning statements over all members.
    fn session(&self, session: SessionStateBuilder) -> SessionStateBuilder;
}

/// An extension of a session's configuration. The session's plans can then run in other processes. These processes
/// don't count the rows of joins, and a process can be lost while it runs a plan.
#[derive(Debug, Clone)]
pub struct RemoteExecution(pub(crate) Arc<dyn RemoteProcesses>);

impl RemoteExecution {
    /// Creates the extension for plans that run in `processes`.
    pub fn new(processes: impl RemoteProcesses) -> Self {
        Self(Arc::new(processes))
    }
}

/// Processes that run plans.
#[async_trait]
pub trait RemoteProcesses: fmt::Debug + Send + Sync + 'static {
    /// Whether these processes run at least a part of the plan. If not, the plan runs in this process.
    fn executes(&self, plan: &Arc<dyn ExecutionPlan>) -> bool;

    /// If a statement failed with `error` because a process was lost, returns this process. Returns `None` if the
    /// statement itself failed. Later plans run without the lost process.
    async fn find_lost(&self, error: &DataFusionError) -> Option<LostProcess>;
}

/// A process that was lost while it ran a part of a statement.
#[derive(Debug)]
pub struct LostProcess {
    /// A description of the loss.
    pub message: String,
    /// One action that the user can take, in one line.
    pub hint: String,
    /// Whether other processes remain that can run the statement.
    pub has_remaining: bool,
}

/// A table, a view, or a call of a table function.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Relation {
    /// A table or a view, by its name in SQL.
    Table(String),
    /// A table function, by its name in SQL, with a value for every parameter.
    Call(String, Vec<ScalarValue>),
}

/// The requested rows and columns of a relation.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Scan {
    /// The source of the rows.
    pub relation: Relation,
    /// The columns, in this order.
    pub columns: Vec<String>,
    /// Conditions on columns of the relation. Each condition compares columns with literals only.
    pub filters: Vec<Expr>,
    /// The maximum number of rows.
    pub limit: Option<usize>,
}

/// The schema with the tables of all members. These tables have the same names as the tables of one member.
pub(crate) struct MembersSchema {
    pub(crate) members: Arc<dyn Members>,
    pub(crate) member_schema: Arc<dyn SchemaProvider>,
    /// The session of `member_schema`. It must stay alive, because the schema uses it to plan views.
    pub(crate) _session: SessionContext,
}

impl fmt::Debug for MembersSchema {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("MembersSchema").field("of_one", &self.member_schema).finish_non_exhaustive()
    }
}

#[async_trait]
impl SchemaProvider for MembersSchema {
    fn table_names(&self) -> Vec<String> {
        self.member_schema.table_names()
    }

    async fn table(&self, name: &str) -> Result<Option<Arc<dyn TableProvider>>> {
        let of_one = self.member_schema.table(name).await?;
        Ok(of_one.map(|of_one| self.members.table(Relation::Table(name.to_owned()), of_one)))
    }

    fn table_exist(&self, name: &str) -> bool {
        self.member_schema.table_exist(name)
    }
}

/// A table function over all members.
#[derive(Debug)]
pub(crate) struct MembersFunction {
    pub(crate) members: Arc<dyn Members>,
    pub(crate) member_function: SqlFunction,
    /// The state of the session for a single member.
    pub(crate) session: Arc<SessionState>,
}

impl TableFunctionImpl for MembersFunction {
    fn call_with_args(&self, arguments: TableFunctionArgs) -> Result<Arc<dyn TableProvider>> {
        let values = self.member_function.values(arguments.exprs(), &self.session)?;
        let here = TableFunctionArgs::new(arguments.exprs(), self.session.as_ref());
        let of_one = self.member_function.call_with_args(here)?;
        Ok(self.members.table(Relation::Call(self.member_function.function.name.to_owned(), values), of_one))
    }
}
