//! The columns of a line.

use crate::draft::row::Row;
use crate::sanitize::{one_line, replace_with_look_alikes};

/// Separates columns.
pub(super) const BAR: char = '|';
/// The placeholder for an unknown project or task.
pub(super) const UNKNOWN: &str = "?";

/// The columns of a line, trimmed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Columns {
    pub(super) hours: String,
    pub(super) target: String,
    pub(super) issue: String,
    pub(super) description: String,
    /// The text in braces at the end, if any.
    pub(super) id: Option<String>,
}

impl Columns {
    /// Formats a row.
    pub(super) fn from_row(row: &Row) -> Self {
        Self {
            hours: row.hours.to_string(),
            target: target_text(row.project_code.as_deref(), row.task.as_deref()),
            issue: cell(row.issue_id.as_deref().unwrap_or_default()),
            // It is the last column before the id, so that it may contain bars.
            description: one_line(row.description.as_deref().unwrap_or_default()),
            id: Some(row.id.to_string()),
        }
    }

    /// Splits a line that contains a bar. Missing columns at its end are empty.
    ///
    /// # Errors
    ///
    /// A message for the person who wrote the line, if a description seems to be in the ticket column.
    pub(super) fn read(line: &str) -> Result<Self, String> {
        let in_braces = |last: &str| Some(last.trim().strip_prefix('{')?.strip_suffix('}')?.trim().to_owned());
        let (rest, id) = match line.rsplit_once(BAR) {
            Some((rest, last)) => in_braces(last).map_or((line, None), |id| (rest, Some(id))),
            None => (line, None),
        };
        let mut cells = rest.splitn(4, BAR).map(|cell| cell.trim().to_owned());
        let mut next = || cells.next();
        let (hours, target) = (next().unwrap_or_default(), next().unwrap_or_default());
        let (issue, description) = (next().unwrap_or_default(), next());
        if description.is_none() && issue.contains(char::is_whitespace) {
            let written =
                format!("`{issue}` is in the column of the ticket: if it is a description, write `| |` before it");
            return Err(written);
        }
        Ok(Self { hours, target, issue, description: description.unwrap_or_default(), id })
    }
}

/// Formats a project and task.
pub(super) fn target_text(project: Option<&str>, task: Option<&str>) -> String {
    format!("{} / {}", project.map_or(UNKNOWN.to_owned(), cell), task.map_or(UNKNOWN.to_owned(), cell))
}

fn cell(text: &str) -> String {
    replace_with_look_alikes(&one_line(text), &[BAR])
}
