//! What resources show of notes.

use chrono::{Local, NaiveDate};
use dayledger_notes::survey::Survey;
use dayledger_notes::{config, days, naming};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::notebook::Notebook;
use super::which::Which;
use crate::question::{Answer, Error, Question};

/// A note as it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct NoteFile {
    /// Its path below the workspace.
    pub path: String,
    /// The day of its name, if its name begins with one.
    pub day: Option<NaiveDate>,
    /// Its text; what is no text in it is `U+FFFD`.
    pub text: String,
}

impl Answer for NoteFile {}

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
        Ok(NoteFile { day: naming::named_day(&path), path: path.to_string(), text: text.text().to_owned() })
    });
    read.await
}

/// Something that the contract shows as an object.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(transparent)]
pub struct Shown(Value);

impl Answer for Shown {}

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
            Ok(serde_json::to_value(days::today(&survey, &sessions, &Local::now())))
        });
        shown(today.await?)
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
            Ok(serde_json::to_value(days::recent(&survey, &sessions, &Local::now())))
        });
        shown(recent.await?)
    }
}

/// Asks for the markers of notes, and how they are processed.
#[derive(Debug, Clone)]
pub struct ConfigRequest;

impl Question for ConfigRequest {
    type Of = Notebook;
    type Answer = Shown;

    async fn answer(self, _notebook: &Notebook) -> Result<Shown, Error> {
        Ok(Shown(config::config()))
    }
}

fn shown(value: serde_json::Result<Value>) -> Result<Shown, Error> {
    value.map(Shown).map_err(|_| crate::engine::Error::Internal.into())
}
