//! The columns of a line in the text of a draft.

use crate::draft::row::Row;
use crate::hours::Hours;
use crate::sanitize::{one_line, replace_with_look_alikes};

/// The separator of columns.
pub(super) const BAR: char = '|';
/// The placeholder for an unknown project or task.
pub(super) const UNKNOWN: &str = "?";

/// The trimmed texts in the columns of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Columns {
    pub(super) hours: String,
    pub(super) target: String,
    pub(super) issue: String,
    pub(super) description: String,
    /// The row id in braces at the end of the line, if any.
    pub(super) id: Option<String>,
}

impl Columns {
    /// Formats the columns of a row.
    pub(super) fn from_row(row: &Row) -> Self {
        Self {
            hours: row.hours.to_string(),
            target: target_text(row.project_code.as_deref(), row.task.as_deref()),
            issue: cell(row.issue_id.as_deref().unwrap_or_default()),
            // The description may contain the separator, because it is the last column before the id.
            description: one_line(row.description.as_deref().unwrap_or_default()),
            id: Some(row.id.to_string()),
        }
    }

    /// Splits a line that contains a separator. Missing columns at the end of the line are empty.
    ///
    /// # Errors
    ///
    /// A message to the user if the column of the ticket seems to contain a description.
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

/// Formats a project and a task as `project / task`.
pub(super) fn target_text(project: Option<&str>, task: Option<&str>) -> String {
    format!("{} / {}", project.map_or(UNKNOWN.to_owned(), cell), task.map_or(UNKNOWN.to_owned(), cell))
}

fn cell(text: &str) -> String {
    replace_with_look_alikes(&one_line(text), &[BAR])
}

/// Parses hours such as `2.5`, `2,5`, `2h30m`, `2h30`, `2h`, `30m` or `2:30`. Spaces are allowed anywhere. Minutes are
/// rounded to the nearest hundredth of an hour. A number of minutes is never exactly halfway between two hundredths.
///
/// # Errors
///
/// A message to the user if the text isn't a number of hours.
pub(super) fn parse_hours(text: &str) -> Result<Hours, String> {
    let compact: String = text.to_lowercase().split_whitespace().collect();
    let hundredths = match compact.split_once([':', 'h']) {
        Some((hours, "")) if compact.ends_with('h') => return parse_decimal(hours, text),
        Some((hours, minutes)) => {
            let minutes = if compact.contains('h') { minutes.trim_end_matches('m') } else { minutes };
            parse_integer(hours).zip(parse_integer(minutes).filter(|minutes| *minutes < 60))
        }
        None => match compact.strip_suffix('m') {
            Some(minutes) => Some(0).zip(parse_integer(minutes)),
            None => return parse_decimal(&compact, text),
        },
    };
    let hundredths = hundredths.map(|(hours, minutes)| hours * 100 + (minutes * 10 + 3) / 6);
    hundredths.map(Hours::from_hundredths).ok_or_else(|| invalid_hours(text))
}

fn parse_decimal(number: &str, text: &str) -> Result<Hours, String> {
    let is_plain = number.starts_with(|first: char| first.is_ascii_digit() || matches!(first, '.' | ','));
    let hours = number.replacen(',', ".", 1).parse().ok().filter(|_| is_plain);
    hours.ok_or_else(|| invalid_hours(text))
}

/// Parses an integer of at most six digits. Hours and minutes never need more digits.
fn parse_integer(text: &str) -> Option<i64> {
    let is_whole = (1..=6).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    if is_whole { text.parse().ok() } else { None }
}

fn invalid_hours(text: &str) -> String {
    format!("`{text}` is not a number of hours: write them as 2.5, 2h30m or 2:30")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hours_are_read_in_each_way_that_people_write_them() {
        for (text, hundredths) in [
            ("2.5", 250),
            ("2,5", 250),
            (".25", 25),
            ("2.5h", 250),
            ("2h30m", 250),
            ("2H 30 m", 250),
            ("2h30", 250),
            ("2 h", 200),
            ("45m", 75),
            ("90m", 150),
            ("2:30", 250),
            ("0:20", 33),
            ("0:40", 67),
            ("0", 0),
        ] {
            assert_eq!(parse_hours(text), Ok(Hours::from_hundredths(hundredths)), "{text}");
        }
        for text in
            ["", "x", "-1", "+1", "2:60", "2:3:4", "2h30m5", ":30", "h", "m", "1.234.5", "1,234.5", "1e2", "9999999h1"]
        {
            assert!(parse_hours(text).is_err(), "{text}");
        }
    }

    #[test]
    fn each_minute_becomes_the_nearest_hundredth() {
        for minutes in 0..60 {
            let hundredths = parse_hours(&format!("1:{minutes:02}")).unwrap().hundredths() - 100;
            assert!((hundredths * 36 - minutes * 60).abs() < 18, "{minutes}");
        }
    }
}
