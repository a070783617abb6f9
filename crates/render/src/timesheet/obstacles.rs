//! Explains why rows of a draft can't be logged yet, and lists the commands that solve this.

use std::collections::{BTreeMap, BTreeSet};

use dayledger_timesheet::Hours;
use dayledger_timesheet::draft::RowNote;

use super::wording::{IMPORT_TAGS, hours};
use crate::sections::pluralize;
use dayledger_timesheet_service::{SuggestedRow, Suggestions};

/// The maximum number of unknown projects that are listed by name.
const MAX_NAMES: usize = 3;

/// The texts about the rows of a draft that can't be logged yet.
pub(super) struct Obstacles {
    /// A text with the number of rows and their hours for each reason. The text ends without a full stop.
    pub(super) reasons: String,
    /// The commands to run, as sentences.
    pub(super) fix: String,
}

/// The rows that can't be logged for the same reason.
#[derive(Default)]
struct BlockedRows<'d> {
    rows: usize,
    hours: Hours,
    projects: BTreeSet<&'d str>,
}

impl Obstacles {
    /// Returns the obstacles of a draft, or `None` if every row can be logged.
    pub(super) fn from_draft(draft: &Suggestions) -> Option<Self> {
        let mut blocked: BTreeMap<Option<RowNote>, BlockedRows<'_>> = BTreeMap::new();
        let mut is_tag_unknown = false;
        for row in draft.days.iter().flat_map(|day| &day.rows).filter(|row| !row.can_be_logged()) {
            let note = obstacle(row);
            let rows = blocked.entry(note).or_default();
            rows.rows += 1;
            rows.hours = rows.hours + row.hours;
            rows.projects.extend(row.project_code.as_deref());
            let is_unknown = matches!(note, Some(RowNote::NoSuchProject | RowNote::NoSuchTask));
            is_tag_unknown |= is_unknown && row.named_by.iter().any(|source| source.starts_with("tag "));
        }
        if blocked.is_empty() {
            return None;
        }
        let reasons: Vec<_> = blocked.iter().map(|(note, rows)| rows.to_text(*note)).collect();
        let import = is_tag_unknown.then_some(IMPORT_TAGS);
        let edit = "To assign rows yourself, pass the same dates to `dayledger timesheet edit`.";
        let fix: Vec<_> = import.into_iter().chain([edit]).collect();
        Some(Self { reasons: reasons.join(", "), fix: fix.join(" ") })
    }
}

/// Returns the first reason why a row can't be logged. `None` means that the row has no project.
fn obstacle(row: &SuggestedRow) -> Option<RowNote> {
    let missing_task = (row.project_code.is_some() && row.task.is_none()).then_some(RowNote::NoTask);
    let is_unconfirmed = row.is_unconfirmed().then_some(RowNote::Unconfirmed);
    is_unconfirmed.or(row.notes.first().copied()).or(missing_task)
}

impl BlockedRows<'_> {
    fn to_text(&self, note: Option<RowNote>) -> String {
        let reason = match note {
            None => "without a project",
            Some(RowNote::NoSuchProject) => "of projects that do not exist",
            Some(RowNote::InactiveProject) => "of projects that no longer accept hours",
            Some(RowNote::NoSuchTask) => "with tasks that do not exist",
            Some(RowNote::NoTask) => "without a task",
            Some(RowNote::Unconfirmed) => "away from the computer to confirm, in no total",
        };
        let mut names: Vec<_> = self.projects.iter().take(MAX_NAMES).map(|name| (*name).to_owned()).collect();
        let more = self.projects.len() - names.len();
        names.extend((more > 0).then(|| format!("{more} more")));
        let names = if names.is_empty() { String::new() } else { format!(" ({})", names.join(", ")) };
        format!("{} of {} {reason}{names}", pluralize(self.rows, "row"), hours(self.hours))
    }
}
