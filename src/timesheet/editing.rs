//! The text of a draft that a person has edited, to be booked.

use std::collections::HashMap;

use dayledger_timesheet::draft::text::{Edited, Marked, read};
use dayledger_timesheet::rules::Overlaps;
use dayledger_timesheet::{DraftId, LocalKey, NewEntry, ProjectsAsked};
use schemars::JsonSchema;
use serde::Serialize;

use super::outcome::{Booked, BookedRow};
use super::sheet::Sheet;
use crate::question::{Answer, Error, Question};

/// Asks to book what stands in the text of a draft.
///
/// A line is booked with the evidence that its row had in the draft, whatever the history has become meanwhile: the person
/// has looked at it. Whoever asks again with the same lines books none of them twice.
#[derive(Debug, Clone)]
pub struct BookTextRequest {
    /// The draft that the text was made of.
    pub draft: DraftId,
    /// The text.
    pub text: String,
}

/// What became of the text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum BookedText {
    /// Lines are wrong, and nothing was booked.
    #[serde(rename_all = "camelCase")]
    Marked {
        /// The text, with a comment below each of them.
        text: String,
        /// How many are wrong.
        mistakes: usize,
    },
    /// All lines could be read.
    Booked(Booked),
}

impl Question for BookTextRequest {
    type Of = Sheet;
    type Answer = BookedText;

    async fn answer(self, sheet: &Sheet) -> Result<BookedText, Error> {
        let Self { draft, text } = self;
        let timesheet = sheet.timesheet().await?;
        let kept = sheet.book().await?.draft(draft).await?;
        let projects = timesheet.projects(ProjectsAsked::All).await?;
        let edited = match read(&text, &kept, &projects) {
            Ok(edited) => edited,
            Err(Marked { text, mistakes }) => return Ok(BookedText::Marked { text, mistakes }),
        };
        let mut rows = Vec::new();
        for (key, entry) in keyed(draft, edited) {
            let outcome = timesheet.log(key, entry.clone(), Overlaps::Refused).await;
            rows.push(BookedRow::of(&entry, outcome));
        }
        Ok(BookedText::Booked(Booked { draft, rows }))
    }
}

/// Each entry with its key: that of its row; of one that was added, that of its content, and of equal ones which it is.
fn keyed(draft: DraftId, edited: Vec<Edited>) -> Vec<(LocalKey, NewEntry)> {
    let mut seen: HashMap<String, usize> = HashMap::new();
    let key = |Edited { row, entry }: Edited| {
        let key = if let Some(row) = &row {
            LocalKey::of_row(draft, row.as_str())
        } else {
            // Without tags and evidence, which no such line has, this is all of it.
            let NewEntry { project_code, task, issue_id, standard_hours, description, start_date, .. } = &entry;
            let content = format!("{start_date} {standard_hours} {:?}", (project_code, task, issue_id, description));
            let equals = seen.entry(content.clone()).or_default();
            *equals += 1;
            LocalKey::of_row(draft, &format!("added {equals} {content}"))
        };
        (key, entry)
    };
    edited.into_iter().map(key).collect()
}

impl Answer for BookedText {}
