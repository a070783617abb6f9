//! The engine of one history: runs statements and returns their rows. Start with [`Engine::run`].

use std::cell::OnceCell;
use std::future::{Future, ready};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use chrono::NaiveDateTime;
use datafusion::common::runtime::SpawnedTask;
use datafusion::physical_plan::ExecutionPlan;
use futures::future::Either;
use futures::{StreamExt, TryStreamExt, stream};

use super::runtime::{Runtime, StopOnDrop, Turn, cores, run_blocking};
use crate::partition::{FirstDays, ScanLoader};
use crate::planning::prepared::Prepared;
use crate::planning::session::Session;
use crate::worker::{Launch, Workers};
use crate::{Arguments, Error, Model, Progress, Rows, Stage, Statement, Table};
use dayledger_source::{self as source, HistorySource, ReadHandle};

/// The engine of one history. Clones are cheap and share the session, the cache and the runtime. Dropping the future of
/// a request stops it.
#[derive(Clone, Debug)]
pub struct Engine {
    /// The history. `None` if there are only the tables of the model.
    pub(crate) history: Option<Arc<dyn HistorySource>>,
    pub(crate) model: Arc<Model>,
    pub(crate) session: Arc<Mutex<Option<Arc<Session>>>>,
    pub(crate) runtime: Arc<Runtime>,
    /// Processes for statements that users write. `None` if these statements run in this process.
    pub(crate) workers: Option<Arc<Workers>>,
    /// Whether the history needs no preload: it is preloaded, a thread is preloading it, or preloading it has failed.
    /// `None` if the history is never preloaded.
    preloaded: Option<Arc<AtomicBool>>,
}

impl Engine {
    /// Creates an engine for `source` with the views and functions of `model`. The history isn't opened yet, and
    /// nothing is planned yet.
    ///
    /// # Errors
    /// Fails if the operating system can't create threads.
    pub fn new(source: Arc<dyn HistorySource>, model: Model) -> Result<Self, std::io::Error> {
        Self::build(Some(source), model)
    }

    /// Creates an engine for the tables of `model` only.
    ///
    /// # Errors
    /// Fails if the operating system can't create threads.
    pub fn from_tables(model: Model) -> Result<Self, std::io::Error> {
        Self::build(None, model)
    }

    fn build(history: Option<Arc<dyn HistorySource>>, model: Model) -> Result<Self, std::io::Error> {
        let runtime = Arc::new(Runtime::new()?);
        let model = Arc::new(model);
        Ok(Self { history, model, session: Arc::default(), runtime, workers: None, preloaded: None })
    }

    /// Returns an engine for the same history with a changed model. The new engine runs users' statements in this
    /// process.
    #[must_use]
    pub fn with_model(&self, change: impl FnOnce(Model) -> Model) -> Self {
        // A worker would use the unchanged model, because its setup doesn't contain the change.
        let model = Arc::new(change(Model::clone(&self.model)));
        Self { model, session: Arc::default(), workers: None, ..self.clone() }
    }

    /// Returns an engine with its own queue. Use it if a running statement of this engine starts another request and
    /// waits for it. If both used the same queue, the request could wait for the statement, and the two would block
    /// each other forever. The new queue has the same limit on simultaneous requests.
    #[must_use]
    pub fn with_own_turns(&self) -> Self {
        Self { runtime: Arc::new(self.runtime.with_own_turns()), workers: None, ..self.clone() }
    }

    /// Makes the engine run users' statements in worker processes, which `launch` starts.
    #[must_use]
    pub fn with_workers(self, launch: Launch) -> Self {
        Self { workers: Some(Workers::new(launch)), ..self }
    }

    /// Makes the engine preload the history after the first response ([`HistorySource::preload`]). This is useful for a
    /// process that answers many requests.
    #[must_use]
    pub fn with_preloading(self) -> Self {
        Self { preloaded: Some(Arc::default()), ..self }
    }

    /// Runs `work` on another thread, when its turn comes. `work` may block or compute for a long time.
    ///
    /// # Errors
    /// [`Error::Internal`] if the work panics.
    pub async fn run_blocking<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, Error> {
        self.runtime.run(|turn| run_blocking(turn, move || Ok(work()))).await
    }

    /// Returns the local time until which the history is known ([`HistorySource::covered_until`]).
    ///
    /// # Errors
    /// [`Error::History`] if the history can't be read.
    pub fn covered_until(&self) -> Result<Option<NaiveDateTime>, Error> {
        Ok(self.history.as_ref().map(|source| source.covered_until()).transpose()?.flatten())
    }

    /// Runs statements like [`Engine::run`], but returns record batches.
    ///
    /// # Errors
    /// Fails in the same cases as [`Engine::run`].
    pub async fn run_to_tables(&self, statements: Vec<(&'static Statement, Arguments)>) -> Result<Vec<Table>, Error> {
        Ok(self.run(statements).await?.into_iter().map(Rows::into_table).collect())
    }

    /// Runs `statements` with their arguments in one consistent read. Returns the rows of each statement, in the same
    /// order.
    ///
    /// # Errors
    /// [`Error::History`] if the history can't be read, [`Error::Query`] if a statement fails.
    pub async fn run(&self, statements: Vec<(&'static Statement, Arguments)>) -> Result<Vec<Rows>, Error> {
        let (engine, progress) = (self.clone(), Progress::current());
        let rows = self
            .runtime
            .run(move |turn| async move {
                progress.set_stage(Stage::Planning);
                let started = Instant::now();
                let sessions = engine.sessions_of(&statements)?;
                let plans = plans_of(&sessions, &statements).await?;
                let planned = started.elapsed();
                let wanted = plans.iter().map(|prepared| &prepared.plan).collect();
                engine.load(wanted, FirstDays::AreNotEnough, &progress, &turn).await?;
                let loaded = started.elapsed();
                let wanted = statements.iter().map(|(_, arguments)| arguments.first_rows);
                let wanted: Vec<_> = sessions.into_iter().zip(wanted).collect();
                let answers = plans.into_iter().zip(wanted).map(|(prepared, (session, first_rows))| {
                    run_on_own_thread(async move { session.collect(prepared, first_rows).await })
                });
                let answers = stream::iter(answers).buffered(cores()).try_collect().await?;
                let names: Vec<_> = statements.iter().map(|(statement, _)| statement.name).collect();
                tracing::debug!(?names, ?planned, ?loaded, done = ?started.elapsed(), "answered");
                Ok(answers)
            })
            .await?;
        self.preload();
        Ok(rows)
    }

    /// Starts to preload the history, unless this was tried before or another thread is doing it.
    pub(crate) fn preload(&self) {
        let (Some(source), Some(preloaded)) = (&self.history, &self.preloaded) else { return };
        if preloaded.swap(true, Ordering::Relaxed) {
            return;
        }
        let (source, preloaded) = (Arc::clone(source), Arc::clone(preloaded));
        self.runtime.spawn_blocking(move || {
            let is_preloaded = source.preload(&ReadHandle::default()).unwrap_or_else(|error| {
                // A request has just read its part of the file. So the rest of the file is probably damaged, and trying
                // again after each request would read the whole file each time.
                tracing::debug!(%error, "cannot preload the history");
                true
            });
            preloaded.store(is_preloaded, Ordering::Relaxed);
        });
    }

    /// Returns the session of each statement, which can be the filtered or the unfiltered session.
    fn sessions_of(&self, statements: &[(&'static Statement, Arguments)]) -> Result<Vec<Arc<Session>>, Error> {
        let session = self.session()?;
        let of = |(_, arguments): &(_, Arguments)| {
            if arguments.is_filtered { Ok(session.filtered_session()?) } else { Ok(Arc::clone(&session)) }
        };
        statements.iter().map(of).collect()
    }

    /// Returns the session for the current contents of the history.
    pub(crate) fn session(&self) -> Result<Arc<Session>, Error> {
        // `contents` reads the file, and can wait while another process writes the file. `block_in_place` moves the
        // other tasks of this thread to another thread.
        let history = match &self.history {
            Some(source) => Some((Arc::clone(source), tokio::task::block_in_place(|| source.contents())?)),
            None => None,
        };
        let mut current = self.session.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(session) =
            current.as_ref().filter(|session| session.is_for(history.as_ref().map(|(_, contents)| &**contents)))
        {
            return Ok(Arc::clone(session));
        }
        let session = Arc::new(Session::new(history, &self.model)?);
        *current = Some(Arc::clone(&session));
        Ok(session)
    }

    /// Loads the scans of `plans` in one consistent read. Dropping the future stops the read.
    pub(crate) async fn load(
        &self,
        plans: Vec<&Arc<dyn ExecutionPlan>>,
        first_days: FirstDays,
        progress: &Progress,
        turn: &Turn,
    ) -> Result<(), Error> {
        let Some(source) = &self.history else { return Ok(()) };
        progress.set_stage(Stage::Reading);
        let mut loading = ScanLoader::from_plans(plans, first_days).await?;
        loop {
            let (source, scans) = (Arc::clone(source), loading.unread_scans()?);
            let reading = ReadHandle::with_counter(progress.row_counter());
            let read = reading.clone();
            let _stop = StopOnDrop(reading);
            run_blocking(Turn::clone(turn), move || source::load(&*source, &scans, &read)).await?;
            if loading.decide().await? {
                progress.set_stage(Stage::Computing);
                return Ok(());
            }
        }
    }
}

/// Returns a plan for each statement. Plans that aren't cached are created in parallel.
async fn plans_of(
    sessions: &[Arc<Session>],
    statements: &[(&'static Statement, Arguments)],
) -> Result<Vec<Prepared>, Error> {
    let [unfiltered, filtered] = [OnceCell::new(), OnceCell::new()];
    let plans = statements.iter().zip(sessions).map(|((statement, arguments), session)| {
        let values = session.values(statement, arguments)?;
        if let Some(kept) = session.prepared.take(statement.sql, &values) {
            return Ok(Either::Left(ready(Ok(kept))));
        }
        let (session, statement) = (Arc::clone(session), *statement);
        let state = if arguments.is_filtered { &filtered } else { &unfiltered };
        let state = Arc::clone(state.get_or_init(|| Arc::new(session.state())));
        Ok(Either::Right(run_on_own_thread(async move { session.new_plan(&state, statement, values).await })))
    });
    let plans = plans.collect::<Result<Vec<_>, Error>>()?;
    stream::iter(plans).buffered(cores()).try_collect().await
}

/// Runs `work` as a separate task. Dropping the future stops the task.
async fn run_on_own_thread<T: Send + 'static>(
    work: impl Future<Output = Result<T, Error>> + Send + 'static,
) -> Result<T, Error> {
    SpawnedTask::spawn(work).join_unwind().await.map_err(|_| Error::Internal)?
}
