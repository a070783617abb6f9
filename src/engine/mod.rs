//! One local query engine: the session, the model in `sql/`, and how a question is run.
//!
//! **Owns** the DataFusion session (catalog, views and table functions from SQL files, functions), binding of
//! parameters, limits, and the runtime on which queries run. **Does not own** the questions (`activity`), the rows'
//! source (`manictime`) or any protocol or terminal.
//!
//! A question is one or more statements answered from one consistent read: all are planned, their scans are read in one
//! transaction, and only then do they run (design, section 2). Statements of the project's own files are planned once,
//! with their parameters open, and bound at each question.
//!
//! Invariants: queries run on the engine's own runtime, so that a caller's loop stays awake; a panic inside a query is
//! an error of that question; a history that is missing or broken is an error of each question until it is repaired; a
//! question whose future is dropped stops, its read of the file included; only a few questions run at once; a statement
//! that somebody wrote costs no more than its limits say (`worker`).

mod clock;
mod describe;
mod error;
mod event;
mod function;
mod guard;
mod instant;
mod lexicon;
mod limits;
mod model;
mod position;
mod prepared;
mod progress;
mod query;
mod ranged;
mod read_only;
mod rows;
mod running;
mod session;
mod statement;
mod stream;
mod wording;
pub mod worker;

use std::any::Any;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::SchemaRef;

pub(crate) use clock::local_now;
pub(crate) use describe::type_name;
pub use describe::{ColumnDescription, FunctionDescription, ModelDescription, TableDescription};
pub use error::{Error, Position};
pub use instant::{InvalidInstant, parse_instant};
pub use lexicon::{KEYWORDS, Lexeme, Part, lexemes};
pub use limits::{CutBy, QueryLimits};
pub use model::{Function, Model, Parameter, View};
pub use progress::{Progress, Stage};
pub use ranged::RangedTable;
pub use rows::{Row, Rows, Value};
pub use running::{QUESTIONS_AT_ONCE, STATEMENTS_AT_ONCE};
pub use statement::{Arguments, Statement};
pub use stream::TableStream;
pub(crate) use wording::meant;

use crate::manictime::{self, Losses, Reading, Shape, Source, UnreadScan};
use prepared::Prepared;
use running::{Runtime, StopOnDrop, Turn, blocking};
use session::Session;
use worker::{Launch, Workers};

/// Planning recurses once per level of a plan, and a table function's file is planned in the midst of its caller's.
const STACK_BYTES: usize = 16 << 20;
/// What must be left at DataFusion's own checks of the stack, else it goes on on a new one. Its default of 128 KiB is
/// less than planning needs between two checks when files are nested.
const STACK_MINIMUM: usize = 4 << 20;

/// The engine over one history. Cheap to clone; every clone shares session, cache and runtime. Who drops the future of a
/// question stops it.
#[derive(Clone, Debug)]
pub struct Engine {
    /// The history; absent where the model's own tables are all there is.
    history: Option<Source>,
    model: Arc<Model>,
    session: Arc<Mutex<Option<Arc<Session>>>>,
    runtime: Arc<Runtime>,
    progress: Progress,
    /// Where statements of others run; absent where they run in this process.
    workers: Option<Arc<Workers>>,
}

/// The rows of a statement and what their columns are.
#[derive(Debug, Clone)]
pub struct Table {
    /// Columns, also when there are no rows.
    pub schema: SchemaRef,
    /// The rows.
    pub batches: Vec<RecordBatch>,
    /// What ended the rows before their end; `None` where all are there.
    pub truncated: Option<CutBy>,
}

impl Engine {
    /// An engine over `source` with the views and functions of `model`; nothing is opened or planned yet.
    ///
    /// # Errors
    /// When the operating system gives no threads.
    pub fn new(source: Source, model: Model) -> Result<Self, std::io::Error> {
        Self::over(Some(source), model)
    }

    /// An engine over the tables of `model` alone: it answers SQL, and each question about a history with
    /// [`Error::NoHistory`].
    ///
    /// # Errors
    /// When the operating system gives no threads.
    pub fn of_tables(model: Model) -> Result<Self, std::io::Error> {
        Self::over(None, model)
    }

    fn over(history: Option<Source>, model: Model) -> Result<Self, std::io::Error> {
        recursive::set_minimum_stack_size(STACK_MINIMUM);
        recursive::set_stack_allocation_size(STACK_BYTES);
        let runtime = Arc::new(Runtime::new()?);
        let model = Arc::new(model);
        let (session, progress) = (Arc::default(), Progress::default());
        Ok(Self { history, model, session, runtime, progress, workers: None })
    }

    /// The same engine, which has statements of others carried out in processes of their own, started as `launch` says.
    #[must_use]
    pub fn with_workers(self, launch: Launch) -> Self {
        Self { workers: Some(Workers::new(launch)), ..self }
    }

    /// The same engine, whose questions tell `progress` how far they are. For one question at a time.
    #[must_use]
    pub fn watched_by(&self, progress: &Progress) -> Self {
        Self { progress: progress.clone(), ..self.clone() }
    }

    /// The history that is asked.
    ///
    /// # Errors
    /// [`Error::NoHistory`] where there is none.
    pub fn source(&self) -> Result<&Source, Error> {
        self.history.as_ref().ok_or(Error::NoHistory)
    }

    /// What another room keeps beside the history, if it was given to the model.
    pub fn companion<T: Any>(&self) -> Option<&T> {
        self.model.companion()
    }

    /// Runs work that waits for files or computes for long, when its turn comes and beside the queries.
    ///
    /// # Errors
    /// [`Error::Internal`] where it panics.
    pub async fn blocking<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, Error> {
        self.runtime.run(|turn| blocking(turn, move || Ok(work()))).await
    }

    /// Answers `statements`, each with its arguments, from one consistent read, in their order.
    ///
    /// # Errors
    /// [`Error::History`] when the file cannot be read, [`Error::Query`] when a statement fails.
    pub async fn ask(&self, statements: Vec<(&'static Statement, Arguments)>) -> Result<Vec<Rows>, Error> {
        let tables = self.tables(statements).await?;
        tables.into_iter().map(|table| Rows::new(table.schema, &table.batches)).collect()
    }

    /// The same as [`Engine::ask`], as record batches.
    ///
    /// # Errors
    /// Those of [`Engine::ask`].
    pub async fn tables(&self, statements: Vec<(&'static Statement, Arguments)>) -> Result<Vec<Table>, Error> {
        let engine = self.clone();
        self.runtime
            .run(move |turn| async move {
                engine.progress.is_at(Stage::Planning);
                let started = Instant::now();
                let session = engine.session()?;
                let state = session.state();
                let mut plans = Vec::with_capacity(statements.len());
                for (statement, arguments) in &statements {
                    plans.push(session.plan(&state, statement, arguments).await?);
                }
                let planned = started.elapsed();
                engine.load(manictime::unread(plans.iter().map(Prepared::plan))?, &turn).await?;
                let loaded = started.elapsed();
                let mut answers = Vec::with_capacity(plans.len());
                for prepared in plans {
                    answers.push(session.collect(prepared).await?);
                }
                let names: Vec<_> = statements.iter().map(|(statement, _)| statement.name).collect();
                tracing::debug!(?names, ?planned, ?loaded, done = ?started.elapsed(), "answered");
                Ok(answers)
            })
            .await
    }

    /// The file's shape now.
    ///
    /// # Errors
    /// [`Error::History`] when the file cannot be read or lacks what every question needs.
    pub async fn shape(&self) -> Result<Arc<Shape>, Error> {
        let source = self.source()?.clone();
        self.runtime.run(|turn| blocking(turn, move || source.shape())).await
    }

    /// `SQLite`'s journal mode of the file (`delete`, `wal`).
    ///
    /// # Errors
    /// [`Error::History`] when the file cannot be read.
    pub async fn journal_mode(&self) -> Result<String, Error> {
        let source = self.source()?.clone();
        self.runtime.run(|turn| blocking(turn, move || source.journal_mode())).await
    }

    /// What of the file is not read though it is there.
    ///
    /// # Errors
    /// [`Error::History`] when the file cannot be read.
    pub async fn losses(&self) -> Result<Losses, Error> {
        let source = self.source()?.clone();
        self.runtime.run(|turn| blocking(turn, move || source.losses())).await
    }

    /// The session for the file's shape as it is now.
    fn session(&self) -> Result<Arc<Session>, Error> {
        let history = match &self.history {
            Some(source) => Some((source, tokio::task::block_in_place(|| source.shape())?)),
            None => None,
        };
        let mut current = self.session.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(session) =
            current.as_ref().filter(|session| session.fits(history.as_ref().map(|(_, shape)| &**shape)))
        {
            return Ok(Arc::clone(session));
        }
        let session = Arc::new(Session::new(history, &self.model)?);
        *current = Some(Arc::clone(&session));
        Ok(session)
    }

    /// Reads what plans scan. Who drops the future stops the read.
    async fn load(&self, scans: Vec<UnreadScan>, turn: &Turn) -> Result<(), Error> {
        let Some(source) = self.history.clone() else { return Ok(()) };
        self.progress.is_at(Stage::Reading);
        let reading = Reading::counting(self.progress.row_counter());
        let read = reading.clone();
        let _stop = StopOnDrop(reading);
        blocking(Turn::clone(turn), move || manictime::load(&source, &scans, &read)).await?;
        self.progress.is_at(Stage::Computing);
        Ok(())
    }
}
