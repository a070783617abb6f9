//! Statements that somebody wrote: each runs in a session of its own, held to its limits.

use std::sync::Arc;

use datafusion::arrow::array::RecordBatch;
use datafusion::common::Result as DataFusionResult;
use datafusion::logical_expr::{LogicalPlan, LogicalPlanBuilder};
use datafusion::physical_plan::ExecutionPlan;
use futures::StreamExt;
use tokio::time::timeout;

use super::guard::{BatchRows, Guard, bytes_of_rows};
use super::limits::{CutBy, QueryLimits};
use super::running::blocking;
use super::session::Session;
use super::{Engine, Error, Stage, Table, read_only};
use crate::manictime;

impl Engine {
    /// Runs one statement that a user or a model wrote, read-only: it can select, explain and describe, nothing else.
    /// It is stopped where it would cost more than `limits`; rows beyond them are left out, and the table says so. Only
    /// [`super::STATEMENTS_AT_ONCE`] run at once, and one that was stopped counts until it has ended.
    ///
    /// The caller's runtime needs its time driver: the deadline does not wait for the engine's threads.
    ///
    /// # Errors
    /// [`Error::History`] when the file cannot be read, [`Error::ReadOnly`] for a statement that does more than ask,
    /// [`Error::TooLarge`], [`Error::OutOfMemory`], [`Error::TooManyRowsJoined`] and [`Error::TimedOut`] for one that
    /// costs too much, [`Error::Query`] for everything else that is wrong with it.
    pub async fn query(&self, sql: impl Into<String>, limits: &QueryLimits) -> Result<Table, Error> {
        let (engine, sql, limits) = (self.clone(), sql.into(), *limits);
        Guard::check_text(&sql)?;
        let late = |_| Error::TimedOut { seconds: limits.deadline.as_secs_f64() };
        let statement_turn = timeout(limits.deadline, self.runtime.statement_turn()).await.map_err(late)??;
        let asked = self.runtime.run(move |turn| async move {
            let _turns = (statement_turn, Arc::clone(&turn));
            engine.progress.is_at(Stage::Planning);
            let session = engine.session()?;
            let planned = Planned::of(&session, &sql, &limits).await?;
            engine.load(manictime::unread([&planned.plan])?, &turn).await?;
            planned.run(&limits).await
        });
        timeout(limits.deadline, asked).await.map_err(late)?
    }

    /// How `SQLite` carries out each scan of a statement: the lines of its query plans.
    ///
    /// # Errors
    /// Those of [`Engine::query`].
    pub async fn sqlite_plans(&self, sql: String) -> Result<Vec<String>, Error> {
        let engine = self.clone();
        self.runtime
            .run(move |turn| async move {
                let planned = Planned::of(engine.session()?.as_ref(), &sql, &QueryLimits::default()).await?;
                let scans = manictime::unread([&planned.plan])?;
                let lines = blocking(turn, move || {
                    let plans = scans.iter().map(manictime::UnreadScan::sqlite_plan);
                    plans.collect::<Result<Vec<_>, _>>()
                });
                Ok(lines.await?.concat())
            })
            .await
    }
}

/// A statement that may run.
struct Planned {
    guard: Guard,
    plan: Arc<dyn ExecutionPlan>,
    batch_rows: BatchRows,
}

impl Planned {
    async fn of(session: &Session, sql: &str, limits: &QueryLimits) -> Result<Self, Error> {
        let guard = Guard::new(session.state(), limits)?;
        let state = &guard.state;
        let statement = state.sql_to_statement(sql, &state.config_options().sql_parser.dialect)?;
        read_only::check(&statement)?;
        Guard::check_statement(&statement)?;
        let plan = state.statement_to_plan(statement).await.map_err(|error| session.with_names(error, sql))?;
        read_only::options().verify_plan(&plan)?;
        let (plan, batch_rows) = guard.physical_plan(&one_row_more(plan, limits.rows)?).await?;
        Ok(Self { guard, plan, batch_rows })
    }

    /// The rows of a plan whose scans are loaded.
    async fn run(self, limits: &QueryLimits) -> Result<Table, Error> {
        let schema = self.plan.schema();
        let mut rows = self.guard.run(self.plan, self.batch_rows)?;
        let mut kept = Kept::default();
        while kept.truncated.is_none()
            && let Some(batch) = rows.next().await
        {
            kept.add(&batch?, limits);
        }
        Ok(Table { schema, batches: kept.batches, truncated: kept.truncated })
    }
}

/// The plan with a limit of one row more than is returned, which tells whether there are more.
fn one_row_more(plan: LogicalPlan, rows: usize) -> DataFusionResult<LogicalPlan> {
    match plan {
        // Nothing may stand above these; they have few rows.
        LogicalPlan::Explain(_) | LogicalPlan::Analyze(_) | LogicalPlan::DescribeTable(_) => Ok(plan),
        plan => LogicalPlanBuilder::from(plan).limit(0, Some(rows.saturating_add(1)))?.build(),
    }
}

/// The rows of an answer up to its limits.
#[derive(Debug, Default)]
struct Kept {
    batches: Vec<RecordBatch>,
    rows: usize,
    bytes: usize,
    truncated: Option<CutBy>,
}

impl Kept {
    fn add(&mut self, batch: &RecordBatch, limits: &QueryLimits) {
        let mut rows = batch.num_rows();
        if rows > limits.rows - self.rows {
            (rows, self.truncated) = (limits.rows - self.rows, Some(CutBy::Rows));
        }
        let left = limits.bytes - self.bytes;
        while rows > 0 && bytes_of_rows(&batch.slice(0, rows)) > left {
            (rows, self.truncated) = (rows / 2, Some(CutBy::Bytes));
        }
        if rows > 0 {
            let batch = batch.slice(0, rows);
            self.rows += rows;
            self.bytes += bytes_of_rows(&batch);
            self.batches.push(batch);
        }
    }
}
