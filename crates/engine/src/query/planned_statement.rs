//! A user's statement that is planned and ready to run within its limits.

use std::sync::Arc;

use chrono::NaiveDate;
use datafusion::common::{DataFusionError, Result, ScalarValue};
use datafusion::execution::{SendableRecordBatchStream, SessionState, TaskContext};
use datafusion::logical_expr::{LogicalPlan, LogicalPlanBuilder, col, lit};
use datafusion::physical_plan::execution_plan::reset_plan_states;
use datafusion::physical_plan::{ExecutionPlan, execute_stream};

use super::guard::{add_gates, check_size, refusal_in};
use super::limits::QueryLimits;
use super::read_only;
use super::user_statement::UserStatement;
use crate::Error;
use crate::model::describe::type_name;
use crate::model::members::{LostProcess, RemoteExecution};
use crate::planning::clock::local_today;
use crate::planning::prepared::Slots;
use crate::planning::statement::bind;
use crate::planning::statement_times::are_same_plans;

/// Identifies a cached plan. A plan is reused only for the same text and values, or for a statement that differs only in
/// its times. It is reused only on the same day and with the same limits.
#[derive(Debug, PartialEq)]
pub(crate) struct StatementKey {
    statement: UserStatement,
    limits: QueryLimits,
    /// The day of planning, because planning converts text such as `yesterday` to a date.
    today: NaiveDate,
}

impl StatementKey {
    /// Returns the key of a query. Returns `None` if the text may read the clock, because the plan would then contain
    /// the time of planning. Also returns `None` for statements that aren't queries.
    pub(crate) fn from_statement(statement: &UserStatement, limits: &QueryLimits) -> Option<Self> {
        let text = statement.sql.to_lowercase();
        let is_query = ["select", "with"].contains(&text.split_whitespace().next()?);
        // A simple text search is enough. For a wrong match, such as `now` in `unknown`, the plan isn't cached, which
        // only costs time. Clock functions can't be hidden in the views and functions of `sql/`, because these don't
        // call clock functions (see the tests).
        let may_read_clock = ["now", "today", "current_"].iter().any(|name| text.contains(name));
        (is_query && !may_read_clock).then(|| Self {
            statement: statement.clone(),
            limits: *limits,
            today: local_today(),
        })
    }

    /// Whether another statement has the same limits and was planned on the same day.
    pub(crate) fn has_same_limits(&self, other: &Self) -> bool {
        self.limits == other.limits && self.today == other.today
    }
}

/// A statement that is allowed to run.
#[derive(Debug)]
pub(crate) struct PlannedStatement {
    context: Arc<TaskContext>,
    /// The plan before it was optimised. It has parameters for the times of the statement.
    open: LogicalPlan,
    /// The values of these parameters in `plan`.
    times: Slots,
    pub(crate) plan: Arc<dyn ExecutionPlan>,
}

impl PlannedStatement {
    /// Plans a statement in a session with its limits. The plan `open` has parameters for `times`.
    ///
    /// # Errors
    /// Fails if the statement may not run or cannot be planned.
    pub(crate) async fn new(
        state: SessionState,
        open: LogicalPlan,
        times: Slots,
        limits: &QueryLimits,
    ) -> Result<Self, Error> {
        read_only::options().verify_plan(&open)?;
        let plan = limit_to_one_more(with_sql_types(open.clone())?, limits.rows)?;
        check_size(&plan)?;
        // The optimiser would replace each slot by its current value, so the slots are inserted afterwards.
        let plan = bind(state.optimize(&plan)?, &times.bindings())?;
        let plan = state.query_planner().create_physical_plan(&plan, &state).await?;
        Ok(Self { context: state.task_ctx(), open, times, plan })
    }

    /// If the plan of another statement differs only in its times, sets these times and returns `true`. The other
    /// statement must have the same limits.
    pub(crate) fn rebind(&self, open: &LogicalPlan, times: &[ScalarValue]) -> bool {
        are_same_plans(&self.open, open) && self.times.bind(times)
    }

    /// Runs the plan and returns the rows. The scans must be loaded before this call. The rows of joins are counted,
    /// unless other processes run the plan.
    pub(crate) fn rows(&self) -> Result<SendableRecordBatchStream> {
        let plan = Arc::clone(&self.plan);
        let plan = if self.remote_execution().is_some() { plan } else { add_gates(plan)? };
        execute_stream(plan, Arc::clone(&self.context))
    }

    /// Returns the process whose loss caused `error`. Returns `None` if no process was lost.
    pub(crate) async fn find_lost_process(&self, error: &DataFusionError) -> Option<LostProcess> {
        let elsewhere = self.remote_execution()?;
        if refusal_in(error.find_root()).is_some() { None } else { elsewhere.0.find_lost(error).await }
    }

    /// Returns the other processes that run the plan. Returns `None` if the plan runs in this process.
    fn remote_execution(&self) -> Option<Arc<RemoteExecution>> {
        let elsewhere: Arc<RemoteExecution> = self.context.session_config().get_extension()?;
        elsewhere.0.executes(&self.plan).then_some(elsewhere)
    }

    /// Returns the same statement in its state before the first run.
    pub(crate) fn reset(self) -> Result<Self> {
        Ok(Self { plan: reset_plan_states(self.plan)?, ..self })
    }
}

/// Makes `DESCRIBE` show the types that users write in SQL. `DataFusion` would show the types of Arrow, such as
/// `Utf8View`.
fn with_sql_types(plan: LogicalPlan) -> Result<LogicalPlan> {
    let LogicalPlan::DescribeTable(table) = &plan else { return Ok(plan) };
    let rows = table.schema.fields().iter().map(|field| {
        let is_nullable = if field.is_nullable() { "YES" } else { "NO" };
        vec![lit(field.name()), lit(type_name(field.data_type())), lit(is_nullable)]
    });
    let names = table.output_schema.fields().iter().enumerate();
    let names = names.map(|(place, name)| col(format!("column{}", place + 1)).alias(name.name()));
    match rows.collect::<Vec<_>>() {
        rows if rows.is_empty() => Ok(plan),
        rows => LogicalPlanBuilder::values(rows)?.project(names)?.build(),
    }
}

/// Limits the plan to one more row than is returned. The additional row shows that the result has more rows.
fn limit_to_one_more(plan: LogicalPlan, rows: usize) -> Result<LogicalPlan> {
    match plan {
        // DataFusion requires these nodes at the top of a plan. They return few rows.
        LogicalPlan::Explain(_) | LogicalPlan::Analyze(_) | LogicalPlan::DescribeTable(_) => Ok(plan),
        plan => LogicalPlanBuilder::from(plan).limit(0, Some(rows.saturating_add(1)))?.build(),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;
    use crate::planning::clock;
    use crate::{Lexeme, LexemeKind, lexemes};

    #[test]
    fn only_queries_that_do_not_read_the_clock_are_cached() {
        let has_key = |sql: &str| StatementKey::from_statement(&sql.into(), &QueryLimits::default()).is_some();
        for sql in
            ["SELECT count(*) FROM tags", "\nwith n AS (SELECT 1) SELECT * FROM n", "SELECT * FROM days('monday')"]
        {
            assert!(has_key(sql), "{sql}");
        }
        for sql in [
            "SELECT Now()",
            "SELECT * FROM blocks(TODAY(), '2031-01-01')",
            "SELECT current_timestamp",
            "EXPLAIN ANALYZE SELECT 1",
            "",
        ] {
            assert!(!has_key(sql), "{sql}");
        }
    }

    /// If a view called `now()`, the cached plan of a query would always use the time at which it was planned.
    #[test]
    fn no_sql_file_calls_a_clock_function() {
        let functions = clock::functions();
        let names: Vec<_> =
            functions.iter().flat_map(|it| it.aliases().iter().map(String::as_str).chain([it.name()])).collect();
        for name in &names {
            assert_eq!(StatementKey::from_statement(&format!("SELECT {name}()").into(), &QueryLimits::default()), None);
        }
        for folder in ["filtered", "functions", "opened_exports", "unconfigured", "views"] {
            for file in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sql").join(folder)).unwrap() {
                let path = file.unwrap().path();
                let sql = fs::read_to_string(&path).unwrap().to_lowercase();
                let is_clock = |it: &Lexeme| it.part == LexemeKind::Name && names.contains(&&sql[it.range.clone()]);
                assert!(!lexemes(&sql).iter().any(is_clock), "{} reads the clock", path.display());
            }
        }
    }
}
