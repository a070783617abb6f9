//! What resources show of notes.

use chrono::Local;
use dayledger_notes::config;
use dayledger_notes::days::{self, Day, Recent};
use dayledger_notes::survey::Survey;
use serde::Serialize;
use serde_json::Value;

use super::notebook::Notebook;
use super::told::{NoteFile, Shown, Withhold};
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
        Shown::of(notebook, Config(config::config()))
    }
}

/// How notes are marked, which is no text of any.
#[derive(Serialize)]
#[serde(transparent)]
struct Config(Value);

impl Withhold for Config {
    fn withhold(&mut self, _: &Notebook) {}
}

impl Withhold for Day {
    fn withhold(&mut self, notebook: &Notebook) {
        for note in &mut self.notes {
            note.title.withhold(notebook);
            note.summary.iter_mut().for_each(|summary| summary.withhold(notebook));
        }
    }
}

impl Withhold for Recent {
    fn withhold(&mut self, notebook: &Notebook) {
        self.days.iter_mut().for_each(|day| day.withhold(notebook));
    }
}
