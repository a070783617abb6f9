//! An entry on another task.

use super::asker::{Asker, EntryRef};
use super::entries::EntryAnswer;
use super::sheet::Sheet;
use crate::question::{Error, Question};

/// Asks to book an entry on another task. One of another project takes its tags away.
#[derive(Debug, Clone)]
pub struct MoveRequest {
    /// Which.
    pub entry: EntryRef,
    /// The code of the project.
    pub project_code: String,
    /// The task of that project, in its exact case.
    pub task: String,
    /// Who asks.
    pub asker: Asker,
}

impl Question for MoveRequest {
    type Of = Sheet;
    type Answer = EntryAnswer;

    async fn answer(self, sheet: &Sheet) -> Result<EntryAnswer, Error> {
        let (id, aside) = self.asker.entry(sheet, self.entry, "entryId").await?;
        let entry = sheet.timesheet().await?.move_to(id, &self.project_code, &self.task).await?;
        let (project, task) = (self.project_code, self.task);
        let aside = self.asker.end(sheet, aside, move |session, _| session.used(&project, &task)).await?;
        Ok(EntryAnswer { entry, aside })
    }
}
