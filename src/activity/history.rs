//! The service for requests about a history: its engine, its database, and its screenshots.

use std::sync::Arc;

use super::screenshots::ScreenshotService;
use crate::engine::{self, Engine};
use crate::manictime::{self, Losses, Shape, Source};
use crate::request::Error;

/// A history: the engine that answers statements over it, its file, and its pictures where answers may name them. Cheap
/// to clone.
#[derive(Debug, Clone)]
pub struct History {
    engine: Engine,
    source: Source,
    screenshots: Option<ScreenshotService>,
}

impl History {
    /// The history of `source` with the `engine` over it. Answers mention the `screenshots`, if there are any.
    pub fn new(engine: Engine, source: Source, screenshots: Option<ScreenshotService>) -> Self {
        Self { engine, source, screenshots }
    }

    /// The engine over it.
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// Its file.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// Its pictures, where answers may name them.
    pub fn screenshots(&self) -> Option<&ScreenshotService> {
        self.screenshots.as_ref()
    }

    /// The file's shape now.
    ///
    /// # Errors
    /// When the file cannot be read or lacks what every question needs.
    pub(super) async fn shape(&self) -> Result<Arc<Shape>, Error> {
        self.read(Source::shape).await
    }

    /// `SQLite`'s journal mode of the file (`delete`, `wal`).
    ///
    /// # Errors
    /// When the file cannot be read.
    pub(super) async fn journal_mode(&self) -> Result<String, Error> {
        self.read(Source::journal_mode).await
    }

    /// What of the file is not read though it is there.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub(super) async fn losses(&self) -> Result<Losses, Error> {
        self.read(Source::losses).await
    }

    async fn read<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Source) -> Result<T, manictime::Error> + Send + 'static,
    ) -> Result<T, Error> {
        let source = self.source.clone();
        Ok(self.engine.run_blocking(move || read(&source)).await?.map_err(engine::Error::from)?)
    }
}
