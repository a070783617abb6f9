//! What stands between the bars of a line.

use crate::draft::row::Row;
use crate::sanitize::{one_line, replace_with_look_alikes};

/// Between two columns.
pub(super) const BAR: char = '|';
/// In the place of a project or task that nothing says.
pub(super) const UNKNOWN: &str = "?";

/// The columns of a line, without blanks at their ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Columns {
    pub(super) hours: String,
    pub(super) target: String,
    pub(super) issue: String,
    pub(super) description: String,
    /// What is between the braces at the end, if there are any.
    pub(super) id: Option<String>,
}

impl Columns {
    /// How a row looks.
    pub(super) fn from_row(row: &Row) -> Self {
        Self {
            hours: row.hours.to_string(),
            target: target_text(row.project_code.as_deref(), row.task.as_deref()),
            issue: cell(row.issue_id.as_deref().unwrap_or_default()),
            // It is the last one but the id, so that it may have bars.
            description: one_line(row.description.as_deref().unwrap_or_default()),
            id: Some(row.id.to_string()),
        }
    }

    /// The columns of a line that has a bar. What is missing at its end is empty.
    ///
    /// # Errors
    ///
    /// For the person who wrote it, where a description seems to stand where the ticket belongs.
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

/// How what a row is logged on looks.
pub(super) fn target_text(project: Option<&str>, task: Option<&str>) -> String {
    format!("{} / {}", project.map_or(UNKNOWN.to_owned(), cell), task.map_or(UNKNOWN.to_owned(), cell))
}

fn cell(text: &str) -> String {
    replace_with_look_alikes(&one_line(text), &[BAR])
}
