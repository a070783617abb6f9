//! What became of entries that somebody wanted to book together.

use dayledger_timesheet::{Day, DraftId, EntryId, Hours, NewEntry, Refusal, TimeEntry};
use schemars::JsonSchema;
use serde::Serialize;

use crate::question::Answer;

/// What became of a draft.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Booked {
    /// The draft.
    pub draft: DraftId,
    /// Each row, or each line of its text, in order.
    pub rows: Vec<BookedRow>,
}

/// A row of a draft, or a line of its text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BookedRow {
    /// The local date.
    pub day: Day,
    /// The project; absent where nothing names one.
    pub project_code: Option<String>,
    /// The task; likewise.
    pub task: Option<String>,
    /// What is booked now; else what was to be.
    pub hours: Hours,
    /// What became of it.
    pub outcome: Outcome,
}

/// What became of a row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Outcome {
    /// It is that entry.
    Logged(EntryId),
    /// It is none, and why.
    Refused(String),
    /// It is none since nothing names its project or task.
    Unassigned,
}

impl Booked {
    /// How many entries there are now, and their hours.
    pub fn logged(&self) -> (usize, Hours) {
        let logged = || self.rows.iter().filter(|row| matches!(row.outcome, Outcome::Logged(_)));
        (logged().count(), logged().map(|row| row.hours).sum())
    }

    /// Whether something was refused that could have been booked.
    pub fn has_refused(&self) -> bool {
        self.rows.iter().any(|row| matches!(row.outcome, Outcome::Refused(_)))
    }
}

impl BookedRow {
    /// What became of an entry.
    pub(super) fn of(entry: &NewEntry, outcome: Result<TimeEntry, Refusal>) -> Self {
        let (hours, outcome) = match outcome {
            Ok(entry) => (entry.total_hours(), Outcome::Logged(entry.id)),
            Err(refusal) => (entry.standard_hours + entry.overtime_hours, Outcome::Refused(refusal.message)),
        };
        Self {
            day: entry.start_date,
            project_code: Some(entry.project_code.clone()),
            task: Some(entry.task.clone()),
            hours,
            outcome,
        }
    }
}

impl Answer for Booked {}
