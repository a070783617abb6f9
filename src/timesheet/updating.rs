//! Changes of an entry.

use dayledger_timesheet::rules::Overlaps;
use dayledger_timesheet::{Changes, Refusal};

use super::asker::{Asker, EntryRef};
use super::entries::EntryAnswer;
use super::sheet::Sheet;
use crate::question::{Error, Question};

/// Asks to change an entry that is not reported or was declined.
#[derive(Debug, Clone)]
pub struct UpdateRequest {
    /// Which.
    pub entry: EntryRef,
    /// What is to be otherwise.
    pub changes: Changes,
    /// Whether a day may have more hours by it than it has.
    pub overlaps: Overlaps,
    /// Who asks.
    pub asker: Asker,
}

impl Question for UpdateRequest {
    type Of = Sheet;
    type Answer = EntryAnswer;

    async fn answer(self, sheet: &Sheet) -> Result<EntryAnswer, Error> {
        if self.changes.is_empty() {
            return Err(Refusal::invalid("updates", "nothing is to change: pass at least one field").into());
        }
        let (id, aside) = self.asker.entry(sheet, self.entry, "id").await?;
        let entry = sheet.timesheet().await?.update(id, self.changes, self.overlaps).await?;
        let (project, task) = (entry.project_code.clone(), entry.task.clone());
        let aside = self.asker.end(sheet, aside, move |session, _| session.used(&project, &task)).await?;
        Ok(EntryAnswer { entry, aside })
    }
}
