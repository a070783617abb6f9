//! The versions of a note.

use chrono::Local;
use dayledger_notes::history::limit;

use super::notebook::Notebook;
use super::told::Told;
use super::which::Which;
use crate::question::{Error, Question};

/// Asks which commits have changed a note.
#[derive(Debug, Clone)]
pub struct HistoryRequest {
    /// The note.
    pub note: Which,
    /// How many, from 1 to 100; 10 where it is not said or 0.
    pub limit: Option<i64>,
}

impl Question for HistoryRequest {
    type Of = Notebook;
    type Answer = Told;

    async fn answer(self, notebook: &Notebook) -> Result<Told, Error> {
        let path = named(notebook, self.note).await?;
        let most = limit(self.limit);
        let log = notebook.ask(move |opened| opened.history().log(&path, most)).await?;
        Ok(Told(log.to_text(&Local::now())))
    }
}

/// Asks for a note as it was.
#[derive(Debug, Clone)]
pub struct VersionRequest {
    /// The note.
    pub note: Which,
    /// The commit: its hash, a branch or tag, or such as `HEAD~1`.
    pub commit: String,
}

impl Question for VersionRequest {
    type Of = Notebook;
    type Answer = Told;

    async fn answer(self, notebook: &Notebook) -> Result<Told, Error> {
        let path = named(notebook, self.note).await?;
        let version = notebook.ask(move |opened| opened.history().version(&path, &self.commit)).await?;
        Ok(Told(version.to_text()))
    }
}

/// Asks what is different between two versions of a note.
#[derive(Debug, Clone)]
pub struct CompareRequest {
    /// The note.
    pub note: Which,
    /// The older commit.
    pub from: String,
    /// The newer one.
    pub to: String,
}

impl Question for CompareRequest {
    type Of = Notebook;
    type Answer = Told;

    async fn answer(self, notebook: &Notebook) -> Result<Told, Error> {
        let path = named(notebook, self.note).await?;
        let comparison = notebook.ask(move |opened| opened.history().compare(&path, &self.from, &self.to)).await?;
        Ok(Told(comparison.to_text()))
    }
}

/// The note by its name, whether it is there now or was once.
async fn named(notebook: &Notebook, note: Which) -> Result<dayledger_notes::NotePath, Error> {
    match note {
        Which::Current => note.found(notebook).await,
        Which::At(path) => notebook.ask(move |opened| opened.workspace.name(&path)).await,
    }
}
