//! Table functions over many members.

use std::sync::Arc;

use datafusion::catalog::{TableFunctionArgs, TableFunctionImpl, TableProvider};
use datafusion::common::Result;
use datafusion::execution::session_state::SessionState;

use super::function::SqlFunction;
use super::members::{Members, Relation};

/// A table function over all members.
#[derive(Debug)]
pub(crate) struct MembersFunction {
    members: Arc<dyn Members>,
    name: &'static str,
    member_function: SqlFunction,
    /// The state of a session with the function of one member.
    session: Arc<SessionState>,
}

impl MembersFunction {
    pub(crate) fn new(
        members: &Arc<dyn Members>,
        name: &'static str,
        member_function: SqlFunction,
        session: &Arc<SessionState>,
    ) -> Self {
        Self { members: Arc::clone(members), name, member_function, session: Arc::clone(session) }
    }
}

impl TableFunctionImpl for MembersFunction {
    fn call_with_args(&self, arguments: TableFunctionArgs) -> Result<Arc<dyn TableProvider>> {
        let values = self.member_function.values(arguments.exprs(), &self.session)?;
        let here = TableFunctionArgs::new(arguments.exprs(), self.session.as_ref());
        let of_one = self.member_function.call_with_args(here)?;
        Ok(self.members.table(Relation::Call(self.name.to_owned(), values), of_one))
    }
}
