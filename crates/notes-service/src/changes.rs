//! Waits for changes of the notes.

use super::change_log::NoteChanges;
use super::notebook::Notebook;
use dayledger_request::{Error, Request};

/// A request that waits for the next change after a state of the notes. Without a state, it returns the current one.
/// The workspace is watched from the first such request on.
#[derive(Debug, Clone)]
pub struct ChangesRequest {
    /// The last state that the caller knows.
    pub after: Option<u64>,
}

impl Request for ChangesRequest {
    type Service = Notebook;
    type Response = NoteChanges;

    async fn execute(self, notebook: &Notebook) -> Result<NoteChanges, Error> {
        let log = notebook.change_log().await?;
        Ok(match self.after {
            Some(after) => log.next(after).await,
            None => log.now(),
        })
    }
}
