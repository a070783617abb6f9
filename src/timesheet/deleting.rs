//! An entry that is no more.

use schemars::JsonSchema;
use serde::Serialize;

use super::asker::{Aside, Asker, EntryRef};
use super::sheet::Sheet;
use crate::question::{Answer, Error, Question};

/// Asks to remove an entry.
#[derive(Debug, Clone)]
pub struct DeleteRequest {
    /// Which.
    pub entry: EntryRef,
    /// Who asks.
    pub asker: Asker,
}

/// An entry was removed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Deleted {
    /// It is true: what fails is an error.
    pub success: bool,
    /// Which, for a person.
    pub message: String,
    /// What the session has to say.
    #[serde(flatten)]
    pub aside: Aside,
}

impl Question for DeleteRequest {
    type Of = Sheet;
    type Answer = Deleted;

    async fn answer(self, sheet: &Sheet) -> Result<Deleted, Error> {
        let (id, aside) = self.asker.entry(sheet, self.entry, "id").await?;
        sheet.timesheet().await?.delete(id).await?;
        let aside = self.asker.end(sheet, aside, move |session, _| session.deleted(id)).await?;
        Ok(Deleted { success: true, message: "Time entry deleted successfully".to_owned(), aside })
    }
}

impl Answer for Deleted {}
