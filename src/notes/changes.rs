//! What changes in the notes while somebody waits for it.

use super::change_log::NoteChanges;
use super::notebook::Notebook;
use crate::request::{Error, Request};

/// Waits for the next change after a state of the notes; without one, tells the state now. The workspace is watched from
/// the first such question on.
#[derive(Debug, Clone)]
pub struct ChangesRequest {
    /// The state that is known.
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
