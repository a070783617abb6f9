//! A draft that is booked as it is, and told row by row.

use std::collections::HashMap;

use dayledger_timesheet::DraftId;
use dayledger_timesheet::draft::{Row, RowId};
use dayledger_timesheet::rules::Overlaps;

use super::asker::Asker;
use super::codes;
use super::logging::{LogRequest, LoggedRow, RowsOfDraft, WhichRows, WrittenEntry};
use super::outcome::{Booked, BookedRow, Outcome};
use super::sheet::Sheet;
use crate::question::{Error, Question};

/// Asks to book all rows of a draft that have a project and a task.
#[derive(Debug, Clone)]
pub struct BookDraftRequest {
    /// Which draft; the one that was made last, by whichever program, without one.
    pub draft: Option<DraftId>,
}

impl Question for BookDraftRequest {
    type Of = Sheet;
    type Answer = Booked;

    async fn answer(self, sheet: &Sheet) -> Result<Booked, Error> {
        let book = sheet.book().await?;
        let draft = match self.draft {
            Some(draft) => draft,
            None => book.newest_draft().await?.ok_or_else(no_draft)?,
        };
        let kept = book.draft(draft).await?;
        let rows = Some(RowsOfDraft { draft, rows: WhichRows::All });
        let entry = WrittenEntry::default();
        let request = LogRequest { entry, rows, overlaps: Overlaps::Refused, asker: Asker::new() };
        let logged = request.answer(sheet).await?;
        let outcomes: HashMap<&RowId, &LoggedRow> = logged.rows.iter().map(|row| (&row.row, row)).collect();
        let rows = kept.rows.iter().map(|row| told(row, outcomes.get(&row.id).copied()));
        Ok(Booked { draft, rows: rows.collect() })
    }
}

fn no_draft() -> Error {
    Error::new(codes::NOT_FOUND, "no draft is kept", "`dayledger timesheet draft` makes one")
}

fn told(row: &Row, logged: Option<&LoggedRow>) -> BookedRow {
    let outcome = match logged {
        None => Outcome::Unassigned,
        Some(LoggedRow { id: Some(id), .. }) => Outcome::Logged(*id),
        Some(LoggedRow { error, .. }) => {
            Outcome::Refused(error.as_ref().map(|error| error.message.clone()).unwrap_or_default())
        }
    };
    let (project_code, task) = (row.project_code.clone(), row.task.clone());
    BookedRow { day: row.day, project_code, task, hours: row.hours, outcome }
}
