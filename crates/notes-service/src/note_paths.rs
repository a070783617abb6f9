//! The paths of notes, to complete the path that a user types.

use std::cmp::Reverse;

use dayledger_notes::survey::Survey;
use schemars::JsonSchema;
use serde::Serialize;

use super::notebook::Notebook;
use dayledger_request::{Error, Request};

/// A request for the paths of all notes. Reads only the folders of the workspace, not the notes. Leaves out a path that
/// contains the name of a hidden site.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotePathsRequest;

/// Paths of notes in the workspace, with `/` between folders. The notes that were changed last come first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct NotePaths {
    /// The paths.
    pub paths: Vec<String>,
}

impl Request for NotePathsRequest {
    type Service = Notebook;
    type Response = NotePaths;

    async fn execute(self, notebook: &Notebook) -> Result<NotePaths, Error> {
        let found = notebook.with_workspace(|opened| {
            let mut notes = Survey::new(&opened.workspace).notes().to_vec();
            notes.sort_by_key(|note| Reverse(note.modified));
            Ok(notes)
        });
        let paths = found.await?.into_iter().map(|note| note.path.to_string());
        Ok(NotePaths { paths: paths.filter(|path| !notebook.names_hidden_site(path)).collect() })
    }
}
