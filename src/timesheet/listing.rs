//! Which entries there are.

use dayledger_timesheet::{EntryPage, EntryQuery, TimeEntry};
use schemars::JsonSchema;
use serde::Serialize;
use serde_with::skip_serializing_none;

use super::asker::{Aside, Asker};
use super::sheet::Sheet;
use crate::question::{Answer, Error, Question};

/// Asks for entries.
#[derive(Debug, Clone)]
pub struct EntriesRequest {
    /// Which.
    pub query: EntryQuery,
    /// Who asks.
    pub asker: Asker,
}

/// The entries that were asked for.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct EntriesAnswer {
    /// How many follow here.
    pub count: usize,
    /// Pass as `offset` for more; absent where none follow.
    pub next_offset: Option<usize>,
    /// The entries, in the order that was asked for.
    pub entries: Vec<TimeEntry>,
    /// What the session has to say.
    #[serde(flatten)]
    pub aside: Aside,
    #[serde(skip)]
    offset: usize,
}

impl Question for EntriesRequest {
    type Of = Sheet;
    type Answer = EntriesAnswer;

    async fn answer(self, sheet: &Sheet) -> Result<EntriesAnswer, Error> {
        let ((), aside) = self.asker.begin(sheet, |_| ()).await?;
        let EntryPage { entries, has_more } = sheet.timesheet().await?.query(&self.query).await?;
        let aside = self.asker.end(sheet, aside, |_, _| ()).await?;
        let offset = usize::try_from(self.query.offset).unwrap_or(usize::MAX);
        let next_offset = has_more.then(|| offset.saturating_add(entries.len()));
        Ok(EntriesAnswer { count: entries.len(), next_offset, entries, aside, offset })
    }
}

impl Answer for EntriesAnswer {
    fn rows(&self) -> usize {
        self.entries.len()
    }

    fn keep(&mut self, rows: usize) {
        if rows < self.entries.len() {
            self.entries.truncate(rows);
            self.count = rows;
            self.next_offset = Some(self.offset.saturating_add(rows));
        }
    }
}
