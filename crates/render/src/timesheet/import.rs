//! Shows an import of entries from another time tracker.

use std::collections::BTreeMap;
use std::io::{self, Write};

use dayledger_timesheet::ledger::ImportMode;
use dayledger_timesheet::{Hours, TimeEntry};

use super::logged::count_entries;
use super::wording::{hours, target};
use crate::columns::{Cell, Column, Overflow, Row, write_columns};
use crate::sections::write_prose;
use crate::style::{Style, TextStyle};
use dayledger_timesheet_service::EntryImport;

/// Writes the hours of the imported entries, by project and task. Also writes the projects that the import adds.
pub fn write_import(out: &mut dyn Write, import: &EntryImport, mode: ImportMode, style: &Style) -> io::Result<()> {
    let mut tasks: BTreeMap<(&str, &str), (Hours, usize)> = BTreeMap::new();
    for entry in &import.entries {
        let (sum, count) = tasks.entry((&entry.project_code, &entry.task)).or_default();
        *sum = *sum + entry.total_hours();
        *count += 1;
    }
    let columns = [Column::right(""), Column::left("").with_overflow(Overflow::Shrink), Column::left("")];
    let rows: Vec<_> = tasks
        .into_iter()
        .map(|((project, task), (sum, count))| {
            Row::Cells(vec![
                Cell::new(format!("{sum:.2}"), TextStyle::Strong),
                Cell::plain(target(Some(project), Some(task))),
                Cell::plain(count_entries(count)),
            ])
        })
        .collect();
    write_columns(out, &columns, &rows, style)?;
    if !rows.is_empty() {
        writeln!(out)?;
    }
    let sum = hours(import.entries.iter().map(TimeEntry::total_hours).sum());
    let days = import.entries.iter().map(|entry| entry.start_date);
    let text = match (days.clone().min(), days.max()) {
        (Some(first), Some(last)) => {
            let verb = if mode == ImportMode::Store { "Imported" } else { "To import:" };
            let days = if first == last { format!("on {first}") } else { format!("from {first} to {last}") };
            format!("{verb} {} {days}, {sum}.", count_entries(import.entries.len()))
        }
        _ => "Nothing to import.".to_owned(),
    };
    write_prose(out, &text, TextStyle::Strong, style)?;
    if !import.projects.is_empty() {
        let codes: Vec<_> = import.projects.iter().map(|project| project.code.as_str()).collect();
        let text = format!("Projects that are new or get new tasks: {}.", codes.join(", "));
        write_prose(out, &text, TextStyle::Plain, style)?;
    }
    if import.known > 0 {
        let text = format!("Imported before, and left unchanged: {}.", count_entries(import.known));
        write_prose(out, &text, TextStyle::Faint, style)?;
    }
    Ok(())
}
