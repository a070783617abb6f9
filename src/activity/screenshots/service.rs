//! The service that runs requests about screenshots.

use std::path::PathBuf;

use crate::engine::Engine;
use crate::request::{Error, Pool};
use crate::screenshots::{self, Screenshots};
use crate::source::FoundBy;

/// The screenshots of a history, threads to read and write them on, and the engine that tells what was done at the time.
/// Cheap to clone.
#[derive(Debug, Clone)]
pub struct ScreenshotService {
    engine: Engine,
    screenshots: Screenshots,
    pool: Pool,
}

impl ScreenshotService {
    /// The `screenshots` of the history that `engine` queries. They are read and written on the threads of `pool`.
    pub fn new(engine: Engine, screenshots: Screenshots, pool: Pool) -> Self {
        Self { engine, screenshots, pool }
    }

    /// The engine over the history.
    pub(in crate::activity) fn engine(&self) -> &Engine {
        &self.engine
    }

    /// Returns the folders in which nothing is ever written ([`Screenshots::own_folders`]).
    pub(in crate::activity) fn own_folders(&self) -> Vec<PathBuf> {
        self.screenshots.own_folders()
    }

    /// Returns the configured folder as it may be shown ([`Screenshots::describe_configured_folder`]).
    pub(super) fn describe_configured_folder(&self) -> Option<(String, FoundBy)> {
        self.screenshots.describe_configured_folder()
    }

    /// Looks which screenshots there are, when the engine's turn comes: a narrative must not wait for pixels.
    ///
    /// # Errors
    /// `INTERNAL` where looking panics; the inner error is what the screenshots say.
    pub(super) async fn run_on_engine<T, F>(&self, look: F) -> Result<Result<T, screenshots::Error>, Error>
    where
        T: Send + 'static,
        F: FnOnce(&Screenshots) -> Result<T, screenshots::Error> + Send + 'static,
    {
        let screenshots = self.screenshots.clone();
        Ok(self.engine.run_blocking(move || look(&screenshots)).await?)
    }

    /// Reads or writes pictures, on threads for that alone.
    ///
    /// # Errors
    /// `INTERNAL` where the work panics, and what the screenshots say.
    pub(super) async fn run_on_pool<T, F>(&self, work: F) -> Result<T, Error>
    where
        T: Send + 'static,
        F: FnOnce(&Screenshots) -> Result<T, screenshots::Error> + Send + 'static,
    {
        let screenshots = self.screenshots.clone();
        Ok(self.pool.run(move || work(&screenshots)).await??)
    }
}

impl From<screenshots::Error> for Error {
    fn from(error: screenshots::Error) -> Self {
        Self::new(error.code(), error.to_string(), error.hint())
    }
}
