//! A draft as text that the user edits, and logging of the edited text.

use std::collections::HashMap;

use dayledger_timesheet::draft::text::{EditedEntry, MarkedText, read, to_text};
use dayledger_timesheet::rules::OverlapPolicy;
use dayledger_timesheet::{DraftId, IdempotencyKey, NewEntry, ProjectFilter};

use super::logged_draft::{LoggedDraft, LoggedDraftRow};
use super::service::TimesheetService;
use dayledger_request::Error;

/// The start of the line that contains the draft's ID.
const DRAFT: &str = "# Draft ";
const HEAD: &str = "\
# Save and close the editor to log these entries. To log nothing, delete all of them.
";

/// The text of a draft for an editor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DraftText {
    /// The lines of the draft, with comments that explain how to edit them. The first line contains the draft's ID.
    pub text: String,
    /// The number of rows of the draft.
    pub rows: usize,
}

/// The result of logging an edited text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LoggedText {
    /// Some lines are invalid, and nothing was logged.
    Marked(MarkedText),
    /// All lines were valid.
    Logged(LoggedDraft),
}

impl DraftText {
    /// Returns the draft ID in a text, which the user may have edited.
    pub fn parse_draft_id(text: &str) -> Option<DraftId> {
        text.lines().find_map(|line| line.trim().strip_prefix(DRAFT)?.trim().parse().ok())
    }
}

impl TimesheetService {
    /// Returns the text of a draft.
    ///
    /// # Errors
    /// Fails if the draft doesn't exist, or if the timesheet cannot be read.
    pub async fn draft_text(&self, draft: DraftId) -> Result<DraftText, Error> {
        let kept = self.store().await?.draft(draft).await?;
        let projects = self.timesheet().await?.projects(ProjectFilter::All).await?;
        let text = format!("{DRAFT}{draft}\n{HEAD}{}", to_text(&kept, &projects));
        Ok(DraftText { text, rows: kept.rows.len() })
    }

    /// Logs the lines of the edited text of a draft.
    ///
    /// Each line is logged with the evidence that its row had in the draft, even if the history has changed since,
    /// because the user has reviewed that row. Logging the same lines again doesn't log them twice.
    ///
    /// # Errors
    /// Fails if the draft doesn't exist, or if the timesheet can't be read.
    pub async fn log_text(&self, draft: DraftId, text: &str) -> Result<LoggedText, Error> {
        let timesheet = self.timesheet().await?;
        let kept = self.store().await?.draft(draft).await?;
        let projects = timesheet.projects(ProjectFilter::All).await?;
        let edited = match read(text, &kept, &projects) {
            Ok(edited) => edited,
            Err(marked) => return Ok(LoggedText::Marked(marked)),
        };
        let mut rows = Vec::new();
        for (key, entry) in keyed(draft, edited) {
            let outcome = timesheet.log(key, entry.clone(), OverlapPolicy::Refused).await;
            rows.push(LoggedDraftRow::from_entry(&entry, outcome));
        }
        Ok(LoggedText::Logged(LoggedDraft { rows }))
    }
}

/// Returns each entry with its idempotency key. The key of an added line comes from its content and a counter for equal
/// lines.
fn keyed(draft: DraftId, edited: Vec<EditedEntry>) -> Vec<(IdempotencyKey, NewEntry)> {
    let mut seen: HashMap<String, usize> = HashMap::new();
    let key = |EditedEntry { row, entry }: EditedEntry| {
        let key = if let Some(row) = &row {
            IdempotencyKey::from_row(draft, row.as_str())
        } else {
            // The key has all fields that a line can set. Added lines have neither tags nor evidence.
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
