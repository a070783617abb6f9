//! Writing of a draft as text.

use std::collections::BTreeMap;

use super::columns::Columns;
use super::target::{Targets, UNCONFIRMED};
use crate::day::Day;
use crate::draft::row::Row;
use crate::draft::{Account, Draft};
use crate::hours::Hours;
use crate::project::Project;
use crate::sanitize::one_line;

const HEAD: &str = "\
# One line is one entry: hours | project / task | ticket | description | {row}
# Correct the lines. Hours can be 2.5, 2h30m or 2:30.
# To leave an entry out, delete its line or put # before it.
# To split an entry, copy its line and change both. To add one, write a line without {row} under its day.
# Lines starting with # are skipped. To log one, fill in its project and task and delete the #.
";
/// The maximum width of a column. Texts that are longer are not cut, and do not widen their column.
const MAX_COLUMN_WIDTH: usize = 48;

/// Formats the draft as a text that the user edits. [`read`](super::read()) reads the edited text. The text starts with
/// comments that explain the format. Each day has a heading with its rounded hours and its logged time, and then one
/// line for each row. A row that can't be logged yet is a comment, preceded by the reason.
pub fn to_text(draft: &Draft, projects: &[Project]) -> String {
    let targets = Targets::new(projects);
    let mut days: BTreeMap<Day, Vec<(&Row, Columns)>> = draft.days.keys().map(|day| (*day, Vec::new())).collect();
    for row in &draft.rows {
        days.entry(row.day).or_default().push((row, Columns::from_row(row)));
    }
    let widths = ColumnWidths::measure(days.values().flatten().map(|(_, columns)| columns));
    let mut text = HEAD.to_owned();
    for (day, rows) in days {
        let obstacle = |row: &Row| {
            if row.is_unconfirmed() {
                return Some(UNCONFIRMED.to_owned());
            }
            targets.obstacle(row.project_code.as_deref(), row.task.as_deref())
        };
        let counted = |row: &Row| if row.is_unconfirmed() { Hours::ZERO } else { row.hours };
        let rows = rows.into_iter().map(|(row, columns)| (obstacle(row), counted(row), columns));
        let (waiting, loggable): (Vec<_>, Vec<_>) = rows.partition(|(obstacle, ..)| obstacle.is_some());
        let hours = waiting.iter().map(|(_, hours, _)| *hours).sum();
        text.push('\n');
        text.push_str(&heading(day, draft.days.get(&day).copied().unwrap_or_default(), hours));
        for (.., columns) in loggable {
            text.push_str(&widths.line(&columns));
        }
        for (obstacle, _, columns) in waiting {
            let reason = one_line(&obstacle.unwrap_or_default());
            text.extend(["# ", &reason, ":\n# ", &widths.line(&columns)]);
        }
    }
    text
}

/// Formats the heading of a day, such as
/// `2025-10-23 Thursday: 7.5 hours to log, 1 of them skipped; 1h15m already logged`.
fn heading(day: Day, account: Account, waiting: Hours) -> String {
    let behind = if waiting == Hours::ZERO { String::new() } else { format!(", {waiting} of them skipped") };
    let logged = match (account.covered / 3600, account.covered / 60 % 60) {
        (0, 0) => String::new(),
        (0, minutes) => format!("; {minutes}m already logged"),
        (hours, minutes) => format!("; {hours}h{minutes:02}m already logged"),
    };
    format!("{day} {}: {} hours to log{behind}{logged}\n", day.date().format("%A"), account.hours)
}

/// The widths of the columns, which align the separators.
struct ColumnWidths([usize; 4]);

impl ColumnWidths {
    fn measure<'c>(all: impl Iterator<Item = &'c Columns>) -> Self {
        Self(all.fold([0; 4], |widths, columns| {
            let mut of_both = widths.iter().zip(cells(columns)).map(|(width, cell)| {
                let own = cell.chars().count();
                if own > MAX_COLUMN_WIDTH { *width } else { own.max(*width) }
            });
            widths.map(|width| of_both.next().unwrap_or(width))
        }))
    }

    fn line(&self, columns: &Columns) -> String {
        let padded = cells(columns).into_iter().zip(self.0).map(|(cell, width)| format!("{cell:width$}"));
        let id = columns.id.iter().map(|id| format!("{{{id}}}"));
        padded.chain(id).collect::<Vec<_>>().join(" | ") + "\n"
    }
}

fn cells(columns: &Columns) -> [&str; 4] {
    [&columns.hours, &columns.target, &columns.issue, &columns.description]
}
