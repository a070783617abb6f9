//! MCP resources about notes.

use chrono::Local;
use dayledger_notes::days::{self, Day, Recent};
use dayledger_notes::markers;
use dayledger_notes::survey::Survey;
use serde::Serialize;
use serde_json::Value;

use super::note_ref::NoteRef;
use super::notebook::Notebook;
use super::redacted_text::{NoteFile, Redact, RedactedJson};
use dayledger_request::{Error, Request};

/// A request for the text of a note.
#[derive(Debug, Clone)]
pub struct FileRequest(pub NoteRef);

impl Request for FileRequest {
    type Service = Notebook;
    type Response = NoteFile;

    async fn execute(self, notebook: &Notebook) -> Result<NoteFile, Error> {
        let path = self.0.resolve(notebook).await?;
        let read = notebook.with_workspace(move |opened| {
            let text = opened.workspace.read(&path)?;
            Ok((path, text.text().to_owned()))
        });
        let (path, text) = read.await?;
        Ok(NoteFile::new(notebook, &path, &text))
    }
}

/// A request for the notes of today in local time.
#[derive(Debug, Clone)]
pub struct TodayRequest;

impl Request for TodayRequest {
    type Service = Notebook;
    type Response = RedactedJson;

    async fn execute(self, notebook: &Notebook) -> Result<RedactedJson, Error> {
        let (sessions, _) = notebook.sessions_if_ready().await?;
        let today = notebook.with_workspace(move |opened| {
            let survey = Survey::new(&opened.workspace);
            Ok(days::today(&survey, &sessions, &Local::now()))
        });
        RedactedJson::new(notebook, today.await?)
    }
}

/// A request for the notes of the last seven days.
#[derive(Debug, Clone)]
pub struct RecentRequest;

impl Request for RecentRequest {
    type Service = Notebook;
    type Response = RedactedJson;

    async fn execute(self, notebook: &Notebook) -> Result<RedactedJson, Error> {
        let (sessions, _) = notebook.sessions_if_ready().await?;
        let recent = notebook.with_workspace(move |opened| {
            let survey = Survey::new(&opened.workspace);
            Ok(days::recent(&survey, &sessions, &Local::now()))
        });
        RedactedJson::new(notebook, recent.await?)
    }
}

/// A request for the list of markers and the default style of processing.
#[derive(Debug, Clone)]
pub struct ConfigRequest;

impl Request for ConfigRequest {
    type Service = Notebook;
    type Response = RedactedJson;

    async fn execute(self, notebook: &Notebook) -> Result<RedactedJson, Error> {
        RedactedJson::new(notebook, Config(markers::config()))
    }
}

/// The markers and the default style. They contain no text of a note, so they aren't redacted.
#[derive(Serialize)]
#[serde(transparent)]
struct Config(Value);

impl Redact for Config {
    fn redact(&mut self, _: &Notebook) {}
}

impl Redact for Day {
    fn redact(&mut self, notebook: &Notebook) {
        for note in &mut self.notes {
            note.title.redact(notebook);
            note.summary.iter_mut().for_each(|summary| summary.redact(notebook));
        }
    }
}

impl Redact for Recent {
    fn redact(&mut self, notebook: &Notebook) {
        self.days.iter_mut().for_each(|day| day.redact(notebook));
    }
}
