//! Logs the rows of a draft, either unchanged or from a text that the user edited.

use std::collections::HashMap;

use dayledger_timesheet::draft::text::{EditedEntry, MarkedText, read, to_text};
use dayledger_timesheet::draft::{Row, RowId, RowNote};
use dayledger_timesheet::rules::OverlapPolicy;
use dayledger_timesheet::{
    Changes, Day, DraftId, EntryId, Hours, IdempotencyKey, NewEntry, ProjectFilter, Refusal, TimeEntry,
};

use super::call_session::CallSession;
use super::codes;
use super::log_entries::{DraftRows, LogRequest, LoggedRow, RowSelection};
use super::service::TimesheetService;
use dayledger_request::{Error, Request};

/// The results of logging a draft.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoggedDraft {
    /// The result of each row, or of each line of the edited text, in order.
    pub rows: Vec<LoggedDraftRow>,
}

/// The result of logging a row, or a line of the edited text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoggedDraftRow {
    /// The local date.
    pub day: Day,
    /// The project's code. `None` if no project is known.
    pub project_code: Option<String>,
    /// The task. `None` if no task is known.
    pub task: Option<String>,
    /// The logged hours. If the row wasn't logged, the hours of the row.
    pub hours: Hours,
    /// Reasons why the draft's row couldn't be logged.
    pub notes: Vec<RowNote>,
    /// Whether the row was logged.
    pub outcome: Outcome,
}

/// Whether a row was logged, or the reason why it wasn't.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// The row was logged as the entry with this id.
    Logged(EntryId),
    /// The row was refused. Contains the reason.
    Refused(String),
    /// The row wasn't logged, because it lacks a project or a task.
    Unassigned,
    /// The row wasn't logged, because the user has to confirm that the time was work.
    Unconfirmed,
}

impl TimesheetService {
    /// Logs all rows of a draft that have a project and a task. If `draft` is `None`, logs the newest draft, no matter
    /// which program created the draft.
    ///
    /// # Errors
    /// Fails if the draft doesn't exist, or if the history or the timesheet can't be read.
    pub async fn log_draft(&self, draft: Option<DraftId>) -> Result<LoggedDraft, Error> {
        let store = self.store().await?;
        let no_draft =
            || Error::new(codes::NOT_FOUND, "there is no draft", "create one with `dayledger timesheet draft`");
        let draft = match draft {
            Some(draft) => draft,
            None => store.newest_draft().await?.ok_or_else(no_draft)?,
        };
        let kept = store.draft(draft).await?;
        let request = LogRequest {
            project_code: None,
            fields: Changes::default(),
            rows: Some(DraftRows { draft, rows: RowSelection::All }),
            overlaps: OverlapPolicy::Refused,
            call_session: CallSession::new(),
        };
        let logged = request.execute(self).await?;
        let outcomes: HashMap<&RowId, &LoggedRow> = logged.rows.iter().map(|row| (&row.row, row)).collect();
        let rows = kept.rows.iter().map(|row| LoggedDraftRow::from_row(row, outcomes.get(&row.id).copied()));
        Ok(LoggedDraft { rows: rows.collect() })
    }
}

impl LoggedDraft {
    /// Returns the number of logged entries and their hours.
    pub fn totals(&self) -> (usize, Hours) {
        let logged = || self.rows.iter().filter(|row| matches!(row.outcome, Outcome::Logged(_)));
        (logged().count(), logged().map(|row| row.hours).sum())
    }

    /// Whether a row was refused, although it has a project and a task.
    pub fn has_refused(&self) -> bool {
        self.rows.iter().any(|row| matches!(row.outcome, Outcome::Refused(_)))
    }
}

impl LoggedDraftRow {
    /// Creates the result of logging an entry.
    pub(super) fn from_entry(entry: &NewEntry, outcome: Result<TimeEntry, Refusal>) -> Self {
        let (hours, outcome) = match outcome {
            Ok(entry) => (entry.total_hours(), Outcome::Logged(entry.id)),
            Err(refusal) => (entry.standard_hours + entry.overtime_hours, Outcome::Refused(refusal.message)),
        };
        Self {
            day: entry.start_date,
            project_code: Some(entry.project_code.clone()),
            task: Some(entry.task.clone()),
            hours,
            notes: Vec::new(),
            outcome,
        }
    }

    /// Creates the result of a row. `logged` is `None` if the row wasn't submitted, because it lacks a project or a
    /// task or must be confirmed.
    fn from_row(row: &Row, logged: Option<&LoggedRow>) -> Self {
        let outcome = match logged {
            None if row.is_unconfirmed() => Outcome::Unconfirmed,
            None => Outcome::Unassigned,
            Some(LoggedRow { id: Some(id), .. }) => Outcome::Logged(*id),
            Some(LoggedRow { error, .. }) => {
                Outcome::Refused(error.as_ref().map(|error| error.message.clone()).unwrap_or_default())
            }
        };
        let (project_code, task) = (row.project_code.clone(), row.task.clone());
        Self { day: row.day, project_code, task, hours: row.hours, notes: row.notes.clone(), outcome }
    }
}

/// The start of the line with the draft's id.
const DRAFT: &str = "# Draft ";
const HEAD: &str = "\
# Save and close the editor to log these entries. To log nothing, delete all of them.
";

/// A draft as an editable text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DraftText {
    /// The text, with comments that explain how to edit it. The first line contains the draft's id.
    pub text: String,
    /// The number of rows in the draft.
    pub rows: usize,
}

/// The result of logging an edited text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LoggedText {
    /// Some lines are invalid, so nothing was logged. Contains the text with error comments.
    Marked(MarkedText),
    /// All lines are valid. Contains the result of each line. A line can still have been refused, for example because
    /// of an overlap.
    Logged(LoggedDraft),
}

impl DraftText {
    /// Returns the id of the draft in a text, or `None` if the user deleted or changed the line with the id.
    pub fn parse_draft_id(text: &str) -> Option<DraftId> {
        text.lines().find_map(|line| line.trim().strip_prefix(DRAFT)?.trim().parse().ok())
    }
}

impl TimesheetService {
    /// Formats a draft as an editable text.
    ///
    /// # Errors
    /// Fails if the draft doesn't exist, or if the timesheet can't be read.
    pub async fn draft_text(&self, draft: DraftId) -> Result<DraftText, Error> {
        let kept = self.store().await?.draft(draft).await?;
        let projects = self.timesheet().await?.projects(ProjectFilter::All).await?;
        let text = format!("{DRAFT}{draft}\n{HEAD}{}", to_text(&kept, &projects));
        Ok(DraftText { text, rows: kept.rows.len() })
    }

    /// Logs the lines of a draft's text after the user edited it.
    ///
    /// Each line is logged with the evidence of its row in the draft, because the user reviewed that row. This also
    /// applies if the history has changed since the review. Logging the same lines again doesn't log them twice.
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

/// Returns each entry with its idempotency key. The key of an added line depends on its content and on the number of
/// equal lines before it.
fn keyed(draft: DraftId, edited: Vec<EditedEntry>) -> Vec<(IdempotencyKey, NewEntry)> {
    let mut seen: HashMap<String, usize> = HashMap::new();
    let key = |EditedEntry { row, entry }: EditedEntry| {
        let key = if let Some(row) = &row {
            IdempotencyKey::from_row(draft, row.as_str())
        } else {
            // The key of an added line contains every field that a line can set. Such a line has neither tags nor
            // evidence.
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
