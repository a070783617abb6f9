//! The service that opens the user's timesheet on the first request.

use std::fmt;
use std::sync::Arc;

use dayledger_timesheet::graphql::{AzureCli, Options};
use dayledger_timesheet::{GraphQl, Ledger, LocalStore, StoreError, Timesheet};
use tokio::sync::OnceCell;
use tokio::task::spawn_blocking;

use super::codes;
use super::setup::{Setup, StorageLocation};
use dayledger_engine as engine;
use dayledger_engine::Engine;
use dayledger_request::Error;

/// The user's timesheet, and the history from which drafts are made. Clones share the opened files.
#[derive(Debug, Clone)]
pub struct TimesheetService {
    engine: Engine,
    setup: Option<Arc<Setup>>,
    opened: Arc<OnceCell<OpenTimesheet>>,
}

/// The opened files and connections of the timesheet.
struct OpenTimesheet {
    timesheet: Arc<dyn Timesheet>,
    store: LocalStore,
    ledger: Option<Ledger>,
}

impl fmt::Debug for OpenTimesheet {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Kept").field("ledger", &self.ledger.is_some()).finish_non_exhaustive()
    }
}

impl TimesheetService {
    /// Creates a service without a timesheet, which refuses every request.
    pub fn without_setup(engine: &Engine) -> Self {
        Self { engine: engine.clone(), setup: None, opened: Arc::default() }
    }

    /// Creates a service for the same history, with the timesheet of `setup`.
    #[must_use]
    pub fn with_setup(&self, setup: Setup) -> Self {
        Self { engine: self.engine.clone(), setup: Some(Arc::new(setup)), opened: Arc::default() }
    }

    /// Creates a service for the same timesheet, with another engine for the history.
    #[must_use]
    pub fn with_engine(&self, engine: &Engine) -> Self {
        Self { engine: engine.clone(), ..self.clone() }
    }

    /// Returns false if nothing can have been logged yet. Read-only requests check this first, so that they don't
    /// create the file.
    pub(super) fn may_have_entries(&self) -> bool {
        self.setup.as_deref().is_some_and(Setup::may_have_entries)
    }

    /// Returns the engine that queries the history.
    pub(super) fn engine(&self) -> &Engine {
        &self.engine
    }

    /// Returns the settings of the timesheet.
    ///
    /// # Errors
    /// Fails if the service has no timesheet.
    pub(super) fn setup(&self) -> Result<&Setup, Error> {
        self.setup.as_deref().ok_or_else(|| {
            Error::new(
                codes::INTERNAL_ERROR,
                "this server has no timesheet",
                "restart the server with `--toolsets timesheet`",
            )
        })
    }

    /// Returns the timesheet, which is the ledger or the API.
    ///
    /// # Errors
    /// Fails if a file can't be opened.
    pub(super) async fn timesheet(&self) -> Result<&Arc<dyn Timesheet>, Error> {
        Ok(&self.open_timesheet().await?.timesheet)
    }

    /// Returns the store for data that exists only on this machine, such as sessions, drafts and evidence.
    ///
    /// # Errors
    /// Fails if a file can't be opened.
    pub(super) async fn store(&self) -> Result<&LocalStore, Error> {
        Ok(&self.open_timesheet().await?.store)
    }

    /// Returns the ledger, or `None` if the entries are stored by an API.
    ///
    /// # Errors
    /// Fails if a file can't be opened.
    pub(super) async fn ledger(&self) -> Result<Option<&Ledger>, Error> {
        Ok(self.open_timesheet().await?.ledger.as_ref())
    }

    async fn open_timesheet(&self) -> Result<&OpenTimesheet, Error> {
        let setup = self.setup()?;
        self.opened.get_or_try_init(|| OpenTimesheet::open(setup)).await
    }
}

impl OpenTimesheet {
    async fn open(setup: &Setup) -> Result<Self, Error> {
        let path = setup.file().to_owned();
        if let StorageLocation::Api { endpoint, scope, .. } = &setup.place {
            let store = open_blocking(move || LocalStore::open(&path)).await?;
            let api = GraphQl::new(endpoint.clone(), AzureCli::new(scope), store.clone(), Options::default())?;
            return Ok(Self { timesheet: Arc::new(api), store, ledger: None });
        }
        let ledger = open_blocking(move || Ledger::open(&path)).await?;
        if matches!(setup.place, StorageLocation::Demo(_)) {
            ledger.put_demo().await?;
        }
        if !setup.projects.is_empty() {
            ledger.put_projects(setup.projects.clone()).await?;
        }
        Ok(Self { timesheet: Arc::new(ledger.clone()), store: ledger.store().clone(), ledger: Some(ledger) })
    }
}

/// Opens a file on a thread where blocking is allowed.
async fn open_blocking<T: Send + 'static>(
    open: impl FnOnce() -> Result<T, StoreError> + Send + 'static,
) -> Result<T, Error> {
    let opened = spawn_blocking(open).await.map_err(|_| engine::Error::Internal)?;
    let hint = "check the file, or set another one in `[timesheet]`";
    opened.map_err(|error| Error::new(codes::INTERNAL_ERROR, error.to_string(), hint))
}
