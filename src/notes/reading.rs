//! What resources show of notes.

use chrono::Local;
use dayledger_notes::survey::Survey;
use dayledger_notes::{config, days};

use super::notebook::Notebook;
use super::told::{NoteFile, Shown};
use super::which::Which;
use crate::question::{Error, Question};

/// Asks for a note.
#[derive(Debug, Clone)]
pub struct FileRequest(pub String);

impl Question for FileRequest {
    type Of = Notebook;
    type Answer = NoteFile;

    async fn answer(self, notebook: &Notebook) -> Result<NoteFile, Error> {
        file(notebook, Which::At(self.0)).await
    }
}

/// Asks for the note that is open in the application.
#[derive(Debug, Clone)]
pub struct CurrentRequest;

impl Question for CurrentRequest {
    type Of = Notebook;
    type Answer = NoteFile;

    async fn answer(self, notebook: &Notebook) -> Result<NoteFile, Error> {
        file(notebook, Which::Current).await
    }
}

async fn file(notebook: &Notebook, note: Which) -> Result<NoteFile, Error> {
    let path = note.found(notebook).await?;
    let read = notebook.ask(move |opened| {
        let text = opened.workspace.read(&path)?;
        Ok((path, text.text().to_owned()))
    });
    let (path, text) = read.await?;
    Ok(NoteFile::of(notebook, &path, text))
}

/// Asks for the notes of today, by the local time zone.
#[derive(Debug, Clone)]
pub struct TodayRequest;

impl Question for TodayRequest {
    type Of = Notebook;
    type Answer = Shown;

    async fn answer(self, notebook: &Notebook) -> Result<Shown, Error> {
        let (sessions, _) = notebook.sessions_soon().await?;
        let today = notebook.ask(move |opened| {
            let survey = Survey::of(&opened.workspace);
            Ok(days::today(&survey, &sessions, &Local::now()))
        });
        Shown::of(notebook, today.await?)
    }
}

/// Asks for those of the last seven days.
#[derive(Debug, Clone)]
pub struct RecentRequest;

impl Question for RecentRequest {
    type Of = Notebook;
    type Answer = Shown;

    async fn answer(self, notebook: &Notebook) -> Result<Shown, Error> {
        let (sessions, _) = notebook.sessions_soon().await?;
        let recent = notebook.ask(move |opened| {
            let survey = Survey::of(&opened.workspace);
            Ok(days::recent(&survey, &sessions, &Local::now()))
        });
        Shown::of(notebook, recent.await?)
    }
}

/// Asks for the markers of notes, and how they are processed.
#[derive(Debug, Clone)]
pub struct ConfigRequest;

impl Question for ConfigRequest {
    type Of = Notebook;
    type Answer = Shown;

    async fn answer(self, notebook: &Notebook) -> Result<Shown, Error> {
        Shown::of(notebook, config::config())
    }
}
