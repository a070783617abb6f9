//! Writing what the client's own model has made of a note.

use chrono::Utc;
use dayledger_notes::app::{Complete, Push};
use dayledger_notes::extract::unfenced;
use dayledger_notes::model::Tokens;
use dayledger_notes::prompt::Style;
use dayledger_notes::text::Handle;
use dayledger_notes::writing::{Replacement, write_processed};
use serde_json::{Map, Value};

use super::notebook::Notebook;
use super::processing::told;
use super::told::Told;
use super::which::Which;
use crate::question::{Error, Question};

/// Asks to put a record in the place of a note.
#[derive(Debug, Clone)]
pub struct WriteRequest {
    /// The note.
    pub note: Which,
    /// The record, with sections.
    pub content: String,
    /// What is added to the note's metadata.
    pub meta: Map<String, Value>,
    /// The handle of the answer with the prompt: a note that has changed since is not replaced.
    pub handle: Option<String>,
}

impl Question for WriteRequest {
    type Of = Notebook;
    type Answer = Told;

    async fn answer(self, notebook: &Notebook) -> Result<Told, Error> {
        let Self { note, content, meta, handle } = self;
        let path = note.found(notebook).await?;
        let (handle, output) = (handle.map(Handle::new), content.clone());
        let written = notebook.ask(move |opened| {
            let content = unfenced(&content);
            let replacement = Replacement { content, meta, handle: handle.as_ref() };
            write_processed(&opened.workspace, &path, replacement, Utc::now())
        });
        let written = written.await?;
        let (path, tokens) = (written.path.to_string(), Tokens::default());
        notebook.app()?.tell(Push::Complete(Complete { path, output, style: Style::Standard, tokens }));
        Ok(Told(told(&written)))
    }
}
