//! Runs statements that users and models write, each in its own session and within its limits.

use std::sync::Arc;

use datafusion::arrow::array::RecordBatch;
use futures::StreamExt;
use tokio::sync::OwnedSemaphorePermit;
use tokio::sync::mpsc::{self, Sender};
use tokio::time::timeout;

use super::event::Event;
use super::guard::{Guard, bytes_of_rows, check_statement, check_text};
use super::limits::{CutBy, QueryLimits};
use super::members::LostProcess;
use super::partition::{FirstDays, ScanLoader, is_unfinished};
use super::planned_statement::{PlannedStatement, StatementKey};
use super::runtime::run_blocking;
use super::session::Session;
use super::stream::RowSource;
use super::worker::RemoteStatement;
use super::{Engine, Error, Progress, Stage, Table, TableStream, clock, read_only};
use dayledger_source as source;

/// What the rows of a history may take in a worker beside what a statement may take, at most. They take about as much as
/// its file.
const MAX_HISTORY_BYTES: u64 = 1 << 30;

/// How many batches may wait for who reads an answer.
const MAX_QUEUED_BATCHES: usize = 1;

impl Engine {
    /// Runs one statement that a user or a model wrote, read-only: it can select, explain and describe, nothing else.
    /// It is stopped where it would cost more than `limits`; rows beyond them are left out, and the table says so. Only
    /// [`super::MAX_PARALLEL_STATEMENTS`] run at once. With [`Engine::with_workers`] it runs in a process of its own, which holds
    /// what a statement takes to its limit; else only what DataFusion counts is held to it, and one that was stopped goes
    /// on until it can be.
    ///
    /// The caller's runtime needs its drivers for input and output and for time: the deadline does not wait for the
    /// engine's threads.
    ///
    /// # Errors
    /// [`Error::History`] when the file cannot be read, [`Error::ReadOnly`] for a statement that does more than ask,
    /// [`Error::TooLarge`], [`Error::OutOfMemory`], [`Error::TooManyRowsJoined`] and [`Error::TimedOut`] for one that
    /// costs too much, [`Error::Query`] for everything else that is wrong with it.
    pub async fn query(&self, sql: impl Into<String>, limits: &QueryLimits) -> Result<Table, Error> {
        let mut rows = self.stream(sql, limits).await?;
        let mut batches = Vec::new();
        while let Some(batch) = rows.next().await {
            batches.push(batch?);
        }
        Ok(Table { schema: rows.schema(), batches, truncated: rows.truncated_by() })
    }

    /// The same as [`Engine::query`], whose rows are handed out as they come. Only the time in which somebody waits for
    /// them counts.
    ///
    /// # Errors
    /// Those of [`Engine::query`]; what goes wrong later is told with the rows.
    pub async fn stream(&self, sql: impl Into<String>, limits: &QueryLimits) -> Result<TableStream, Error> {
        let (sql, limits, progress) = (sql.into(), *limits, Progress::current());
        check_text(&sql)?;
        let late = |_| Error::TimedOut { seconds: limits.deadline.as_secs_f64() };
        let statement_turn = timeout(limits.deadline, self.runtime.statement_turn()).await.map_err(late)??;
        let answer = async {
            let Some(workers) = &self.workers else {
                let (events, told) = mpsc::channel(MAX_QUEUED_BATCHES);
                let work = self.clone().run_locally(sql, limits, progress, statement_turn, events);
                return Ok(RowSource::Local(told, Some(Box::pin(work))));
            };
            let running = RemoteStatement::start(workers, sql, &limits, self.history_bytes().await, &progress).await?;
            Ok(RowSource::Worker { running: Box::new(running), _turn: statement_turn })
        };
        TableStream::open(answer, limits.deadline).await
    }

    /// Runs a statement in this process.
    async fn run_locally(
        self,
        sql: String,
        limits: QueryLimits,
        progress: Progress,
        statement_turn: OwnedSemaphorePermit,
        events: Sender<Event>,
    ) -> Result<(), Error> {
        let engine = self.clone();
        let work = self.runtime.run(move |turn| async move {
            let _turns = (statement_turn, Arc::clone(&turn));
            progress.set_stage(Stage::Planning);
            let session = engine.session()?;
            let key = StatementKey::from_sql(&sql, &limits).filter(|_| session.can_cache_statements());
            let mut planned = match key.as_ref().and_then(|key| session.take_cached_statement(key)) {
                Some(kept) => kept,
                None => plan_statement(&session, &sql, &limits).await?,
            };
            events.send(Event::Schema(planned.plan.schema())).await.map_err(|_| Error::Internal)?;
            // A statement such as `SELECT * FROM segments LIMIT 10` needs only the first days of many years. So this reads 32
            // days first. If the statement needs rows after them, its plan fails with `Unfinished` before it returns any
            // row. Then this reads the whole range and runs the plan again.
            engine.load(vec![&planned.plan], FirstDays::MaySuffice, &progress, &turn).await?;
            let mut ended = send_rows(&planned, &limits, &events).await?;
            if let EndReason::Unfinished = ended {
                planned = planned.reset()?;
                engine.load(vec![&planned.plan], FirstDays::AreNotEnough, &progress, &turn).await?;
                ended = send_rows(&planned, &limits, &events).await?;
            }
            if let EndReason::Lost(_) = ended {
                planned = plan_statement(&session, &sql, &limits).await?;
                engine.load(vec![&planned.plan], FirstDays::AreNotEnough, &progress, &turn).await?;
                ended = send_rows(&planned, &limits, &events).await?;
            }
            if let EndReason::Lost(lost) = ended {
                return Err(lost.into());
            }
            if let Some(key) = key {
                session.cache_statement(key, planned.reset()?);
            }
            Ok(())
        });
        work.await
    }

    /// What the rows of the history may take in a worker.
    async fn history_bytes(&self) -> u64 {
        let Some(source) = self.history.clone() else { return 0 };
        let bytes = tokio::task::spawn_blocking(move || source.size_bytes()).await;
        bytes.ok().flatten().unwrap_or(0).min(MAX_HISTORY_BYTES)
    }

    /// Returns how the source carries out each scan of a statement, one line per step.
    ///
    /// # Errors
    /// Those of [`Engine::query`].
    pub async fn source_plans(&self, sql: String) -> Result<Vec<String>, Error> {
        let engine = self.clone();
        self.runtime
            .run(move |turn| async move {
                let planned = plan_statement(engine.session()?.as_ref(), &sql, &QueryLimits::default()).await?;
                let scans =
                    ScanLoader::from_plans(vec![&planned.plan], FirstDays::AreNotEnough).await?.unread_scans()?;
                let lines = run_blocking(turn, move || {
                    let plans = scans.iter().map(source::UnreadScan::source_plan);
                    plans.collect::<Result<Vec<_>, _>>()
                });
                Ok(lines.await?.concat())
            })
            .await
    }
}

/// A plan for a statement that somebody wrote, if it may run.
async fn plan_statement(session: &Session, sql: &str, limits: &QueryLimits) -> Result<PlannedStatement, Error> {
    let statement = session.parse(sql)?;
    read_only::check(&statement)?;
    check_statement(&statement)?;
    clock::check_arguments(&statement)?;
    let guard = Guard::new(session.state(), limits)?;
    let plan = guard.state.statement_to_plan(statement).await.map_err(|error| session.explain_error(error, sql))?;
    PlannedStatement::new(guard, plan, limits).await
}

/// Hands out the rows of a plan whose scans are loaded, until nobody wants them.
async fn send_rows(
    planned: &PlannedStatement,
    limits: &QueryLimits,
    events: &Sender<Event>,
) -> Result<EndReason, Error> {
    let gone = |_| Error::Internal;
    let mut rows = planned.rows()?;
    let mut left = RemainingRows::new(limits);
    let mut is_begun = false;
    while left.cut_by.is_none()
        && let Some(batch) = rows.next().await
    {
        let batch = match batch {
            Err(error) if is_unfinished(&error) => return Ok(EndReason::Unfinished),
            Err(error) => {
                return match planned.find_lost_process(&error).await {
                    Some(lost) if lost.has_remaining && !is_begun => Ok(EndReason::Lost(lost)),
                    Some(lost) => Err(lost.into()),
                    None => Err(error.into()),
                };
            }
            Ok(batch) => batch,
        };
        if let Some(batch) = left.take(&batch) {
            is_begun = true;
            events.send(Event::Rows(batch)).await.map_err(gone)?;
        }
    }
    events.send(Event::End(left.cut_by)).await.map_err(gone)?;
    Ok(EndReason::Complete)
}

/// How the rows of a statement ended.
enum EndReason {
    /// All that are wanted were handed out.
    Complete,
    /// None was: what was read does not hold as many as are wanted.
    Unfinished,
    /// None was: a process that carried the statement out has gone, and others are left.
    Lost(LostProcess),
}

/// What an answer may still hold.
#[derive(Debug)]
struct RemainingRows {
    rows: usize,
    bytes: usize,
    /// What ended the rows before their end.
    cut_by: Option<CutBy>,
}

impl RemainingRows {
    fn new(limits: &QueryLimits) -> Self {
        Self { rows: limits.rows, bytes: limits.bytes, cut_by: None }
    }

    /// The rows of `batch` that the answer may hold; none where it may hold no more.
    fn take(&mut self, batch: &RecordBatch) -> Option<RecordBatch> {
        let mut rows = batch.num_rows();
        if rows > self.rows {
            (rows, self.cut_by) = (self.rows, Some(CutBy::Rows));
        }
        while rows > 0 && bytes_of_rows(&batch.slice(0, rows)) > self.bytes {
            (rows, self.cut_by) = (rows / 2, Some(CutBy::Bytes));
        }
        let part = batch.slice(0, rows);
        self.rows -= rows;
        self.bytes -= bytes_of_rows(&part).min(self.bytes);
        (rows > 0).then_some(part)
    }
}
