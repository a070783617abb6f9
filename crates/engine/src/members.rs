//! Models over many members, for example the exports of a team. All members have the same tables, views and functions,
//! and each one's rows are computed separately.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use datafusion::catalog::{SchemaProvider, TableProvider};
use datafusion::common::{DataFusionError, Result, ScalarValue};
use datafusion::execution::session_state::SessionStateBuilder;
use datafusion::logical_expr::Expr;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::prelude::SessionContext;

/// Who tells the rows of a model.
pub trait Members: fmt::Debug + Send + Sync + 'static {
    /// The rows of `relation` over all members. A member's own rows have at least the columns of `of_one`.
    fn table(&self, relation: Relation, of_one: Arc<dyn TableProvider>) -> Arc<dyn TableProvider>;

    /// The session in which statements over all members are planned.
    fn session(&self, session: SessionStateBuilder) -> SessionStateBuilder;
}

/// Says of a session, as an extension of its configuration, that other processes carry plans out: what joins make is not
/// counted there, and a process can be lost.
#[derive(Debug, Clone)]
pub struct RemoteExecution(Arc<dyn RemoteProcesses>);

impl RemoteExecution {
    /// Plans are carried out by `processes`.
    pub fn new(processes: impl RemoteProcesses) -> Self {
        Self(Arc::new(processes))
    }

    pub(super) fn executes(&self, plan: &Arc<dyn ExecutionPlan>) -> bool {
        self.0.executes(plan)
    }

    pub(super) async fn find_lost(&self, error: &DataFusionError) -> Option<LostProcess> {
        self.0.find_lost(error).await
    }
}

/// Processes that carry plans out.
#[async_trait]
pub trait RemoteProcesses: fmt::Debug + Send + Sync + 'static {
    /// Whether they carry out that plan, or a part of it. Others are carried out here.
    fn executes(&self, plan: &Arc<dyn ExecutionPlan>) -> bool;

    /// Which of them has gone, where a statement failed of that with `error` and not of what it asks. Plans that are
    /// carried out from then on do without it.
    async fn find_lost(&self, error: &DataFusionError) -> Option<LostProcess>;
}

/// A process that has gone while it carried out a part of a statement.
#[derive(Debug)]
pub struct LostProcess {
    /// What is said of it.
    pub message: String,
    /// What the user can do, in one line.
    pub hint: String,
    /// Whether others are left, which can be asked instead.
    pub has_remaining: bool,
}

/// What rows are read from.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Relation {
    /// A table or a view, by its name in SQL.
    Table(String),
    /// A table function, by its name in SQL, with a value for every parameter.
    Call(String, Vec<ScalarValue>),
}

/// Which rows of a relation are wanted, and what of them.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Scan {
    /// Where they come from.
    pub relation: Relation,
    /// The columns, in this order.
    pub columns: Vec<String>,
    /// What holds for all rows that are wanted, in columns of the relation; literals are all that it compares with.
    pub filters: Vec<Expr>,
    /// How many rows are enough.
    pub limit: Option<usize>,
}

/// The tables of all members, under the names of those of one.
pub(super) struct MembersSchema {
    members: Arc<dyn Members>,
    member_schema: Arc<dyn SchemaProvider>,
    /// The session that views of one are planned in.
    _session: SessionContext,
}

impl MembersSchema {
    pub(super) fn new(
        members: &Arc<dyn Members>,
        member_schema: Arc<dyn SchemaProvider>,
        session: SessionContext,
    ) -> Self {
        Self { members: Arc::clone(members), member_schema, _session: session }
    }
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
