//! Finds the note to which a request refers.

use dayledger_notes::chronicle::{CurrentNote, current_note};
use dayledger_notes::{Code, NotePath, Refusal};

use super::notebook::Notebook;
use dayledger_request::Error;

/// The value of the parameter `path` for the note that is open in Chronicle.
const CURRENT: &str = "current";

/// The part of a request that identifies a note.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoteRef {
    /// The note that is open in Chronicle.
    Current,
    /// The note at this path, which is absolute or relative to the workspace.
    At(String),
}

impl NoteRef {
    /// Parses the parameter `path`.
    pub fn parse(path: &str) -> Self {
        if path.trim() == CURRENT { Self::Current } else { Self::At(path.to_owned()) }
    }

    /// Returns the path of the note. The path of the open note is read from a file that Chronicle writes. If the file
    /// doesn't contain the path, Chronicle is queried.
    ///
    /// # Errors
    /// `FILE_NOT_FOUND` if the note doesn't exist or no note is open. `APP_NOT_CONNECTED` if Chronicle can't be
    /// reached. Also fails if the path isn't a note of the workspace.
    pub(super) async fn resolve(self, notebook: &Notebook) -> Result<NotePath, Error> {
        match self {
            Self::At(path) => notebook.with_workspace(move |opened| opened.workspace.resolve(&path)).await,
            Self::Current => match notebook.with_workspace(|opened| current_note(&opened.workspace)).await? {
                CurrentNote::Note(path) => {
                    notebook.with_workspace(move |opened| opened.workspace.resolve(path.as_str())).await
                }
                CurrentNote::NoneOpen => Err(notebook.to_error(no_open_note())),
                CurrentNote::Unknown => {
                    let path = notebook.app()?.current_file().await.map_err(|refusal| notebook.to_error(refusal))?;
                    notebook.with_workspace(move |opened| opened.workspace.resolve(&path.to_string_lossy())).await
                }
            },
        }
    }
}

fn no_open_note() -> Refusal {
    Refusal::new(Code::FileNotFound, "no note is open in the application: open one, or pass a path")
}
