//! Resolves which note a call means.

use dayledger_notes::chronicle::{CurrentNote, current_note};
use dayledger_notes::{Code, NotePath, Refusal};

use super::notebook::Notebook;
use dayledger_request::Error;

/// The value of `path` for the note that is open in the application.
const CURRENT: &str = "current";

/// A note as a call identifies it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoteRef {
    /// The note that is open in the application.
    Current,
    /// The note at this path: relative to the workspace, or absolute.
    At(String),
}

impl NoteRef {
    /// Reads the parameter `path`.
    pub fn parse(path: &str) -> Self {
        if path.trim() == CURRENT { Self::Current } else { Self::At(path.to_owned()) }
    }

    /// Returns the path of the note. The open note comes from a file that the application writes, otherwise from the
    /// application itself.
    ///
    /// # Errors
    /// `FILE_NOT_FOUND` if the note doesn't exist or no note is open, `APP_NOT_CONNECTED` if the application can't be
    /// reached, or an error for a path that isn't a note of the workspace.
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
