//! Writing a record that the client's own model made.

use chrono::Utc;
use dayledger_notes::app::{Complete, Push};
use dayledger_notes::model::Tokens;
use dayledger_notes::prompt::Style;
use dayledger_notes::text::Handle;
use dayledger_notes::writing::{Replacement, Written, write_processed};
use serde_json::{Map, Value};

use super::notebook::Notebook;
use super::told::{Telling, Told, Withhold};
use super::which::Which;
use crate::question::{Error, Question};

/// Asks to write a record into a note.
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
        let handle = handle.map(Handle::new);
        let written = notebook.ask(move |opened| {
            let replacement = Replacement { content: &content, meta, handle: handle.as_ref() };
            write_processed(&opened.workspace, &path, replacement, Utc::now())
        });
        let written = written.await?;
        notebook.app()?.tell(&Push::Complete(Complete::of(&written, Style::Standard, Tokens::default())));
        Ok(Told::of(notebook, written))
    }
}

impl Withhold for Written {
    fn withhold(&mut self, notebook: &Notebook) {
        self.title.withhold(notebook);
    }
}

impl Telling for Written {
    fn into_text(self) -> String {
        self.to_text()
    }
}
