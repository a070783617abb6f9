//! Runs statements that users and models write, each in its own session and within its limits. Start with
//! [`Engine::query`].
//!
//! - `read_only`, `guard`: reject statements that do more than read, or that would cost too much.
//! - `user_statement`: a statement with the values of its parameters.
//! - `column_names`: names for result columns without an alias.
//! - `planned_statement`, `stream`: a planned statement, and the stream of its rows.
//! - `limits`: the limits on time, memory and rows, which [`worker`](crate::worker) enforces.
//! - `messages`, `position`, `lexer`: error messages for the author of a statement, and the parts of its text.

mod column_names;
pub(crate) mod guard;
pub(crate) mod lexer;
pub(crate) mod limits;
pub(crate) mod messages;
pub(crate) mod planned_statement;
pub(crate) mod position;
mod read_only;
pub(crate) mod stream;
pub(crate) mod user_statement;

use std::sync::Arc;

use arrow::array::RecordBatch;
use futures::StreamExt;
use tokio::sync::OwnedSemaphorePermit;
use tokio::sync::mpsc::{self, Sender};
use tokio::time::timeout;

use self::guard::{bytes_of_rows, check_statement, check_text, limited_session};
use self::limits::{CutBy, QueryLimits};
use self::planned_statement::{PlannedStatement, StatementKey};
use self::stream::{Event, RowSource};
use self::user_statement::UserStatement;
use crate::model::members::LostProcess;
use crate::partition::{FirstDays, ScanLoader, is_unfinished};
use crate::planning::clock;
use crate::planning::session::Session;
use crate::planning::statement_times::StatementTimes;
use crate::running::runtime::run_blocking;
use crate::worker::RemoteStatement;
use crate::{Engine, Error, Progress, Stage, Table, TableStream};
use dayledger_source as source;

/// The maximum memory in bytes for the rows of a history in a worker. The memory of the statement isn't included. The
/// rows need about as many bytes as the history's file.
const MAX_HISTORY_BYTES: u64 = 1 << 30;

/// The maximum number of batches that wait for the reader of a result.
const MAX_QUEUED_BATCHES: usize = 1;

impl Engine {
    /// Runs one statement that a user or a model wrote, with the values of its parameters. The statement can only read,
    /// for example with `SELECT`, `EXPLAIN` or `DESCRIBE`.
    ///
    /// A statement that exceeds the time or memory of `limits` is stopped. Rows beyond the maximum are left out, and
    /// the returned table reports the exceeded limit. At most [`crate::MAX_PARALLEL_STATEMENTS`] statements of users
    /// and models run simultaneously. With [`Engine::with_workers`], the statement runs in its own process, and the
    /// memory limit applies to all memory of that process. Otherwise, the memory limit applies only to the memory that
    /// DataFusion counts, and a stopped statement may keep running for a while.
    ///
    /// The caller's Tokio runtime must have its I/O and time drivers enabled. The deadline runs on this runtime, and
    /// not on the engine's threads.
    ///
    /// # Errors
    /// [`Error::History`] if the history can't be read, [`Error::ReadOnly`] for a statement that does more than read,
    /// [`Error::TooLarge`], [`Error::OutOfMemory`], [`Error::TooManyRowsJoined`] and [`Error::TimedOut`] for a
    /// statement that costs too much, and [`Error::Query`] for any other mistake in the statement.
    pub async fn query(&self, statement: impl Into<UserStatement>, limits: &QueryLimits) -> Result<Table, Error> {
        let mut rows = self.stream(statement, limits).await?;
        let mut batches = Vec::new();
        while let Some(batch) = rows.next().await {
            batches.push(batch?);
        }
        Ok(Table { schema: rows.schema(), batches, truncated: rows.truncated_by() })
    }

    /// Runs a statement like [`Engine::query`], but returns the rows as they arrive. Only the time during which the
    /// caller waits for rows counts towards the time limit.
    ///
    /// # Errors
    /// Fails in the same cases as [`Engine::query`]. The stream returns errors that occur later.
    pub async fn stream(
        &self,
        statement: impl Into<UserStatement>,
        limits: &QueryLimits,
    ) -> Result<TableStream, Error> {
        let (statement, limits, progress) = (statement.into(), *limits, Progress::current());
        check_text(&statement.sql, statement.value_bytes())?;
        let late = |_| Error::TimedOut { seconds: limits.deadline.as_secs_f64() };
        let statement_turn = timeout(limits.deadline, self.runtime.statement_turn()).await.map_err(late)??;
        let answer = async {
            let Some(workers) = &self.workers else {
                let (sender, events) = mpsc::channel(MAX_QUEUED_BATCHES);
                let work = self.clone().run_locally(statement, limits, progress, statement_turn, sender);
                return Ok(RowSource::Local(events, Some(Box::pin(work))));
            };
            let running =
                RemoteStatement::start(workers, statement, &limits, self.history_bytes().await, &progress).await?;
            Ok(RowSource::Worker { running: Box::new(running), _turn: statement_turn })
        };
        TableStream::open(answer, limits.deadline).await
    }

    /// Runs a statement in this process, and sends its columns and rows to `events`.
    async fn run_locally(
        self,
        statement: UserStatement,
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
            let key = StatementKey::from_statement(&statement, &limits).filter(|_| session.can_cache_statements());
            let mut planned = match key.as_ref().and_then(|key| session.take_cached_statement(key)) {
                Some(kept) => kept,
                None => plan_statement(&session, &statement, key.as_ref(), &limits).await?,
            };
            events.send(Event::Schema(planned.plan.schema())).await.map_err(|_| Error::Internal)?;
            // For a statement such as `SELECT * FROM segments LIMIT 10`, the first days of a long history are enough.
            // So the engine reads only 32 days at first. If they contain too few rows, the plan fails with `Unfinished`
            // before it returns any row. Then the engine reads the whole range and runs the plan again.
            engine.load(vec![&planned.plan], FirstDays::MaySuffice, &progress, &turn).await?;
            let mut ended = send_rows(&planned, &limits, &events).await?;
            if let EndReason::Unfinished = ended {
                planned = planned.reset()?;
                engine.load(vec![&planned.plan], FirstDays::AreNotEnough, &progress, &turn).await?;
                ended = send_rows(&planned, &limits, &events).await?;
            }
            // The statement is planned again, because the old plan would still use the lost process.
            if let EndReason::Lost(_) = ended {
                planned = plan_statement(&session, &statement, None, &limits).await?;
                engine.load(vec![&planned.plan], FirstDays::AreNotEnough, &progress, &turn).await?;
                ended = send_rows(&planned, &limits, &events).await?;
            }
            if let EndReason::Lost(lost) = ended {
                return Err(lost.into());
            }
            if let Some(key) = key {
                session.cache_statement(key, planned.reset()?);
            }
            // The caller drops this future when `events` ends, so nothing may come after the work.
            engine.preload();
            Ok(())
        });
        work.await
    }

    /// Returns how many bytes of memory a worker may use for the rows of the history.
    async fn history_bytes(&self) -> u64 {
        let Some(source) = self.history.clone() else { return 0 };
        let bytes = tokio::task::spawn_blocking(move || source.size_bytes()).await;
        bytes.ok().flatten().unwrap_or(0).min(MAX_HISTORY_BYTES)
    }

    /// Plans a statement like [`Engine::query`], but doesn't run it. Finds unknown tables, columns and functions.
    ///
    /// # Errors
    /// Fails in the same cases as [`Engine::query`].
    pub async fn check(&self, statement: impl Into<UserStatement>) -> Result<(), Error> {
        let (engine, statement) = (self.clone(), statement.into());
        check_text(&statement.sql, statement.value_bytes())?;
        let work = self.runtime.run(move |_| async move {
            let session = engine.session()?;
            plan_statement(&session, &statement, None, &QueryLimits::default()).await.map(|_| ())
        });
        work.await
    }

    /// Returns the source's own query plan for each scan of a statement, for example from SQLite. Each step is one
    /// line.
    ///
    /// # Errors
    /// Fails in the same cases as [`Engine::query`].
    pub async fn source_plans(&self, sql: String) -> Result<Vec<String>, Error> {
        let engine = self.clone();
        self.runtime
            .run(move |turn| async move {
                let limits = QueryLimits::default();
                let planned = plan_statement(engine.session()?.as_ref(), &sql.into(), None, &limits).await?;
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

/// Plans a statement that a user or a model wrote, if it is allowed to run. With a key, uses the cached plan of a
/// statement that differs only in its times, if there is one.
async fn plan_statement(
    session: &Session,
    written: &UserStatement,
    key: Option<&StatementKey>,
    limits: &QueryLimits,
) -> Result<PlannedStatement, Error> {
    let mut statement = session.parse(&written.sql)?;
    let query = read_only::check(&statement)?;
    check_statement(query)?;
    clock::check_arguments(query)?;
    // The names of columns come before the values, so that they are the same for all values.
    column_names::add_aliases(&mut statement);
    written.bind(&mut statement)?;
    let mut state = session.state();
    let times = Arc::<StatementTimes>::default();
    if key.is_some() {
        state.config_mut().set_extension(Arc::clone(&times));
    }
    let plan = state.statement_to_plan(statement).await.map_err(|error| session.explain_error(error, &written.sql))?;
    let plan = if key.is_some() { times.open_filters(plan)? } else { plan };
    match key.and_then(|key| session.take_similar_statement(key, &plan, &times.values())) {
        Some(kept) => Ok(kept),
        None => PlannedStatement::new(limited_session(state, limits)?, plan, times.slots(), limits).await,
    }
}

/// Sends the rows of a plan whose scans are loaded, until the receiver is dropped.
async fn send_rows(
    planned: &PlannedStatement,
    limits: &QueryLimits,
    events: &Sender<Event>,
) -> Result<EndReason, Error> {
    let gone = |_| Error::Internal;
    let mut rows = planned.rows()?;
    let mut left = RemainingRows { rows: limits.rows, bytes: limits.bytes, cut_by: None };
    let mut is_begun = false;
    while left.cut_by.is_none()
        && let Some(batch) = rows.next().await
    {
        let batch = match batch {
            Err(error) if is_unfinished(&error) => return Ok(EndReason::Unfinished),
            Err(error) => {
                return match planned.find_lost_process(&error).await {
                    // The statement runs again only if no rows were sent yet. Otherwise, a second attempt could send
                    // some rows twice.
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

/// The reason why the rows of a statement ended.
enum EndReason {
    /// All requested rows were sent.
    Complete,
    /// No row was sent, because the rows that were read are too few.
    Unfinished,
    /// No row was sent, because a process that ran the statement was lost. Other processes can still run the statement.
    Lost(LostProcess),
}

/// The number of rows and bytes that a result can still contain.
#[derive(Debug)]
struct RemainingRows {
    rows: usize,
    bytes: usize,
    /// The limit that cut off the rows. `None` if no rows were cut off.
    cut_by: Option<CutBy>,
}

impl RemainingRows {
    /// Returns the rows of `batch` that still fit into the result. Returns `None` if no row fits.
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
