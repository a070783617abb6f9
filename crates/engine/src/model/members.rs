//! Models over many members, for example the exports of a team. All members have the same tables, views and functions,
//! and each one's rows are computed separately.

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

/// Provides the rows of all members.
pub trait Members: fmt::Debug + Send + Sync + 'static {
    /// Returns the rows of `relation` for all members. The rows of a member have at least the columns of `of_one`.
    fn table(&self, relation: Relation, of_one: Arc<dyn TableProvider>) -> Arc<dyn TableProvider>;

    /// Returns the session for planning statements over all members.
    fn session(&self, session: SessionStateBuilder) -> SessionStateBuilder;
}

/// An extension of a session's configuration. It means that other processes can run plans. The rows of joins aren't
/// counted there, and a process can be lost.
#[derive(Debug, Clone)]
pub struct RemoteExecution(pub(crate) Arc<dyn RemoteProcesses>);

impl RemoteExecution {
    /// Runs plans in `processes`.
    pub fn new(processes: impl RemoteProcesses) -> Self {
        Self(Arc::new(processes))
    }
}

/// Processes that run plans.
#[async_trait]
pub trait RemoteProcesses: fmt::Debug + Send + Sync + 'static {
    /// Whether these processes run at least a part of the plan. Other plans run in this process.
    fn executes(&self, plan: &Arc<dyn ExecutionPlan>) -> bool;

    /// Returns the process whose loss made a statement fail with `error`, or `None` if the statement itself failed.
    /// Later plans run without that process.
    async fn find_lost(&self, error: &DataFusionError) -> Option<LostProcess>;
}

/// A process that was lost while it ran a part of a statement.
#[derive(Debug)]
pub struct LostProcess {
    /// What happened.
    pub message: String,
    /// One thing that the user can do, in one line.
    pub hint: String,
    /// Whether other processes remain that can run the statement.
    pub has_remaining: bool,
}

/// The source of rows.
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
    /// Conditions on columns of the relation. They compare with literals only.
    pub filters: Vec<Expr>,
    /// The maximum number of rows.
    pub limit: Option<usize>,
}

/// The tables of all members, under the same names as those of one member.
pub(crate) struct MembersSchema {
    pub(crate) members: Arc<dyn Members>,
    pub(crate) member_schema: Arc<dyn SchemaProvider>,
    /// The session that plans the views of one member. The views need it to stay alive.
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
    /// The state of a session with the function of one member.
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
