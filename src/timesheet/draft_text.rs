//! A draft as a text that a person edits, and the text that is logged then.

use std::collections::HashMap;

use dayledger_timesheet::draft::text::{EditedEntry, MarkedText, read, to_text};
use dayledger_timesheet::rules::OverlapPolicy;
use dayledger_timesheet::{DraftId, IdempotencyKey, NewEntry, ProjectFilter};

use super::logged_draft::{LoggedDraft, LoggedDraftRow};
use super::service::TimesheetService;
use crate::request::Error;

/// What stands before the id of the draft, in the first line of its text.
const DRAFT: &str = "# Draft ";
const HEAD: &str = "\
# Save and close the editor to log these entries. To log nothing, delete all of them.
";

/// The text of a draft.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DraftText {
    /// Its lines, with comments that say how to edit them; the first names the draft.
    pub text: String,
    /// How many rows the draft has.
    pub rows: usize,
}

/// What became of an edited text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LoggedText {
    /// Lines are wrong, and nothing was logged.
    Marked {
        /// The text, with a comment below each of them.
        text: String,
        /// How many are wrong.
        mistakes: usize,
    },
    /// All lines could be read.
    Logged(LoggedDraft),
}

impl DraftText {
    /// The draft that a text names, which somebody may have edited.
    pub fn parse_draft_id(text: &str) -> Option<DraftId> {
        text.lines().find_map(|line| line.trim().strip_prefix(DRAFT)?.trim().parse().ok())
    }
}

impl TimesheetService {
    /// Returns the text of a draft.
    ///
    /// # Errors
    /// Fails if there is no such draft, or if the timesheet cannot be read.
    pub async fn draft_text(&self, draft: DraftId) -> Result<DraftText, Error> {
        let kept = self.store().await?.draft(draft).await?;
        let projects = self.timesheet().await?.projects(ProjectFilter::All).await?;
        let text = format!("{DRAFT}{draft}\n{HEAD}{}", to_text(&kept, &projects));
        Ok(DraftText { text, rows: kept.rows.len() })
    }

    /// Logs the lines of the edited text of a draft.
    ///
    /// A line is logged with the evidence that its row had in the draft, whatever the history has become meanwhile: the
    /// person has looked at it. The same lines again are not logged twice.
    ///
    /// # Errors
    /// Fails if there is no such draft, or if the timesheet cannot be read.
    pub async fn log_text(&self, draft: DraftId, text: &str) -> Result<LoggedText, Error> {
        let timesheet = self.timesheet().await?;
        let kept = self.store().await?.draft(draft).await?;
        let projects = timesheet.projects(ProjectFilter::All).await?;
        let edited = match read(text, &kept, &projects) {
            Ok(edited) => edited,
            Err(MarkedText { text, mistakes }) => return Ok(LoggedText::Marked { text, mistakes }),
        };
        let mut rows = Vec::new();
        for (key, entry) in keyed(draft, edited) {
            let outcome = timesheet.log(key, entry.clone(), OverlapPolicy::Refused).await;
            rows.push(LoggedDraftRow::from_entry(&entry, outcome));
        }
        Ok(LoggedText::Logged(LoggedDraft { rows }))
    }
}

/// Each entry with its key: that of its row; of one that was added, that of its content, and of equal ones which it is.
fn keyed(draft: DraftId, edited: Vec<EditedEntry>) -> Vec<(IdempotencyKey, NewEntry)> {
    let mut seen: HashMap<String, usize> = HashMap::new();
    let key = |EditedEntry { row, entry }: EditedEntry| {
        let key = if let Some(row) = &row {
            IdempotencyKey::from_row(draft, row.as_str())
        } else {
            // Without tags and evidence, which no such line has, this is all of it.
            let NewEntry { project_code, task, issue_id, standard_hours, description, start_date, .. } = &entry;
            let content = format!("{start_date} {standard_hours} {:?}", (project_code, task, issue_id, description));
            let equals = seen.entry(content.clone()).or_default();
            *equals += 1;
            IdempotencyKey::from_row(draft, &format!("added {equals} {content}"))
        };
        (key, entry)
    };
    edited.into_iter().map(key).collect()
}
