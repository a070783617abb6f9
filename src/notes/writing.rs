//! Writing what the client's own model has made of a note.

use chrono::Utc;
use dayledger_notes::app::{Complete, Push};
use dayledger_notes::extract::{raw_notes, unfenced, with_raw_notes, without_raw_notes};
use dayledger_notes::model::Tokens;
use dayledger_notes::prompt::Style;
use dayledger_notes::text::Handle;
use dayledger_notes::writing::{Replacement, Written, write_processed};
use serde_json::{Map, Value};

use super::notebook::Notebook;
use super::told::{Telling, Told, Withhold};
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
        let has_seen_all = notebook.withheld().is_none();
        let written = notebook.ask(move |opened| {
            let content = unfenced(&content);
            if has_seen_all {
                let replacement = Replacement { content, meta, handle: handle.as_ref() };
                return write_processed(&opened.workspace, &path, replacement, Utc::now());
            }
            // Whoever wrote the record knows of the notes what was told, so that what was not would be lost to its reader.
            let note = opened.workspace.read(&path)?;
            let content = with_raw_notes(without_raw_notes(content), raw_notes(note.text()));
            let handle = handle.unwrap_or_else(|| note.handle(&path));
            let replacement = Replacement { content: &content, meta, handle: Some(&handle) };
            write_processed(&opened.workspace, &path, replacement, Utc::now())
        });
        let written = written.await?;
        let (path, tokens) = (written.path.to_string(), Tokens::default());
        notebook.app()?.tell(Push::Complete(Complete { path, output, style: Style::Standard, tokens }));
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
