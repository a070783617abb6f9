//! The service that runs requests about screenshots.

use std::path::PathBuf;

use dayledger_engine::Engine;
use dayledger_request::{Error, Pool};
use dayledger_screenshots as screenshots;
use dayledger_screenshots::Screenshots;
use dayledger_source::FoundBy;

/// The screenshots of a history, with two helpers: the threads that read and write images, and the engine that finds
/// activities. Cheap to clone.
#[derive(Debug, Clone)]
pub struct ScreenshotService {
    engine: Engine,
    screenshots: Screenshots,
    pool: Pool,
}

impl ScreenshotService {
    /// Creates the service for the `screenshots` of the history that `engine` queries. Images are read and written on
    /// the threads of `pool`.
    pub fn new(engine: Engine, screenshots: Screenshots, pool: Pool) -> Self {
        Self { engine, screenshots, pool }
    }

    /// Returns the engine for the history.
    pub(crate) fn engine(&self) -> &Engine {
        &self.engine
    }

    /// Returns the folders that dayledger never writes to ([`Screenshots::own_folders`]).
    pub(crate) fn own_folders(&self) -> Vec<PathBuf> {
        self.screenshots.own_folders()
    }

    /// Returns the configured folder in a form that can be shown ([`Screenshots::describe_configured_folder`]).
    pub(super) fn describe_configured_folder(&self) -> Option<(String, FoundBy)> {
        self.screenshots.describe_configured_folder()
    }

    /// Lists screenshots on the engine's threads. On the pool's threads, a narrative would have to wait for image
    /// processing.
    ///
    /// # Errors
    /// Fails with `INTERNAL` if `look` panics. The inner result contains errors about the screenshots.
    pub(super) async fn run_on_engine<T, F>(&self, look: F) -> Result<Result<T, screenshots::Error>, Error>
    where
        T: Send + 'static,
        F: FnOnce(&Screenshots) -> Result<T, screenshots::Error> + Send + 'static,
    {
        let screenshots = self.screenshots.clone();
        Ok(self.engine.run_blocking(move || look(&screenshots)).await?)
    }

    /// Reads or writes images on the threads of the pool.
    ///
    /// # Errors
    /// Fails with `INTERNAL` if `work` panics, or with the error that `work` returns.
    pub(super) async fn run_on_pool<T, F>(&self, work: F) -> Result<T, Error>
    where
        T: Send + 'static,
        F: FnOnce(&Screenshots) -> Result<T, screenshots::Error> + Send + 'static,
    {
        let screenshots = self.screenshots.clone();
        Ok(self.pool.run(move || work(&screenshots)).await??)
    }
}
