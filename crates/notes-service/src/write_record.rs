//! Writes a record that the client's own model made.

use chrono::Utc;
use dayledger_notes::app::{Complete, Push};
use dayledger_notes::model::Tokens;
use dayledger_notes::prompt::Style;
use dayledger_notes::text::Handle;
use dayledger_notes::writing::{NewRecord, WrittenRecord, write_processed};
use serde_json::{Map, Value};

use super::note_ref::NoteRef;
use super::notebook::Notebook;
use super::redacted_text::{Redact, RedactedText};
use dayledger_request::{Error, Request};

/// A request to write a record into a note.
#[derive(Debug, Clone)]
pub struct WriteRequest {
    /// The note.
    pub note: NoteRef,
    /// The record, with its sections.
    pub content: String,
    /// Values that are added to the note's metadata.
    pub meta: Map<String, Value>,
    /// The handle from the response with the prompt. If the note has changed since, it isn't overwritten.
    pub handle: Option<String>,
}

impl Request for WriteRequest {
    type Service = Notebook;
    type Response = RedactedText;

    async fn execute(self, notebook: &Notebook) -> Result<RedactedText, Error> {
        let Self { note, content, meta, handle } = self;
        let path = note.resolve(notebook).await?;
        let handle = handle.map(Handle::new);
        let written = notebook.with_workspace(move |opened| {
            let replacement = NewRecord { content: &content, meta, handle: handle.as_ref() };
            write_processed(&opened.workspace, &path, replacement, Utc::now())
        });
        let written = written.await?;
        notebook.app()?.send(&Push::Complete(Complete::from_written(&written, Style::Standard, Tokens::default())));
        Ok(RedactedText::new(notebook, written, |written| written.to_text()))
    }
}

impl Redact for WrittenRecord {
    fn redact(&mut self, notebook: &Notebook) {
        self.title.redact(notebook);
    }
}
