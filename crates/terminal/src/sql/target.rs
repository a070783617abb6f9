//! The data that statements query.

use std::path::PathBuf;
use std::sync::Arc;

use dayledger_engine::Engine;

/// Returns the folders into which rows are never written.
pub(super) type OwnFolders = Arc<dyn Fn() -> Vec<PathBuf> + Send + Sync>;

/// The data that statements query, its name for people, and the folders into which rows are never written.
pub struct Target {
    /// The engine that runs the statements.
    pub engine: Engine,
    pub(super) place: String,
    pub(super) own_folders: OwnFolders,
}

impl Target {
    /// Returns the target for the data of `engine`. The prompt shows the name `place` when it starts. Rows are never
    /// written to files in the folders that `own_folders` returns. `own_folders` is called for each file, because the
    /// history can move during a session.
    pub fn new(engine: Engine, place: String, own_folders: impl Fn() -> Vec<PathBuf> + Send + Sync + 'static) -> Self {
        Self { engine, place, own_folders: Arc::new(own_folders) }
    }
}
