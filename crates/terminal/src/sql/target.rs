//! The data that statements query.

use std::path::PathBuf;
use std::sync::Arc;

use dayledger_engine::Engine;

/// Returns the folders that rows are never written to.
pub(super) type OwnFolders = Arc<dyn Fn() -> Vec<PathBuf> + Send + Sync>;

/// The queried data, its name for people, and the folders that stay unchanged.
pub struct Target {
    /// The engine.
    pub engine: Engine,
    pub(super) place: String,
    pub(super) own_folders: OwnFolders,
}

impl Target {
    /// Returns the data of `engine`. The prompt shows `place` when it starts. No file of rows is written into the folders
    /// that `own_folders` returns. It is called for each file, because the history can move during a session.
    pub fn new(engine: Engine, place: String, own_folders: impl Fn() -> Vec<PathBuf> + Send + Sync + 'static) -> Self {
        Self { engine, place, own_folders: Arc::new(own_folders) }
    }
}
