//! Shows the rows that are pushed to another tracker.

use std::io::{self, Write};

use dayledger_timesheet::Hours;
use dayledger_timesheet::push::{PushPlan, PushRow, PushTracker, Pushed};

use super::logged::count_entries;
use super::wording::hours;
use crate::columns::{Cell, Column, Overflow, Row, write_columns};
use crate::sections::{pluralize, write_prose};
use crate::style::{Style, TextStyle};

/// Writes the rows that a push would send.
pub fn write_push_plan(out: &mut dyn Write, tracker: PushTracker, plan: &PushPlan, style: &Style) -> io::Result<()> {
    write_rows(out, &plan.new, style)?;
    let text = match sum(&plan.new) {
        _ if plan.new.is_empty() => format!("Nothing to push to {tracker}."),
        sum => format!("To push to {tracker}: {}, {sum}.", pluralize(plan.new.len(), "row")),
    };
    write_prose(out, &text, TextStyle::Strong, style)?;
    let placeholders = plan.new.iter().filter(|row| row.has_placeholder_times).count();
    if placeholders > 0 {
        let text =
            format!("Placeholder times, because the time of day isn't recorded: {}.", pluralize(placeholders, "row"));
        write_prose(out, &text, TextStyle::Plain, style)?;
    }
    write_left_out(out, tracker, plan, style)
}

/// Writes the rows that were pushed.
pub fn write_pushed(out: &mut dyn Write, tracker: PushTracker, pushed: &Pushed, style: &Style) -> io::Result<()> {
    write_rows(out, &pushed.created, style)?;
    let text = match sum(&pushed.created) {
        _ if pushed.created.is_empty() => format!("Nothing was pushed to {tracker}."),
        sum => format!("Pushed {} to {tracker}, {sum}.", pluralize(pushed.created.len(), "row")),
    };
    write_prose(out, &text, TextStyle::Strong, style)?;
    if pushed.altered > 0 {
        let text = format!(
            "{tracker} changed the times or hours of {}: check its rounding.",
            pluralize(pushed.altered, "row")
        );
        write_prose(out, &text, TextStyle::Plain, style)?;
    }
    if pushed.found > 0 {
        let text = format!("Already in {tracker}: {}.", pluralize(pushed.found, "row"));
        write_prose(out, &text, TextStyle::Faint, style)?;
    }
    if !pushed.uncertain.is_empty() {
        let text =
            format!("Not sent, because {tracker} has similar entries: {}.", pluralize(pushed.uncertain.len(), "row"));
        write_prose(out, &text, TextStyle::Plain, style)?;
    }
    write_left_out(out, tracker, &pushed.plan, style)
}

/// Writes the number of rows that aren't sent, and the reasons.
fn write_left_out(out: &mut dyn Write, tracker: PushTracker, plan: &PushPlan, style: &Style) -> io::Result<()> {
    if plan.pushed > 0 {
        write_prose(out, &format!("Pushed before: {}.", pluralize(plan.pushed, "row")), TextStyle::Faint, style)?;
    }
    if !plan.changed.is_empty() {
        let count = count_entries(plan.changed.len());
        let text = format!("Changed since they were pushed: {count}. Make the same changes in {tracker}.");
        write_prose(out, &text, TextStyle::Plain, style)?;
    }
    Ok(())
}

fn write_rows(out: &mut dyn Write, rows: &[PushRow], style: &Style) -> io::Result<()> {
    let shrinks = Column::left("").with_overflow(Overflow::Shrink);
    let columns = [Column::left(""), Column::left(""), Column::right(""), shrinks, shrinks];
    let cells = |row: &PushRow| {
        let times = row.times.map(|(start, end)| format!("{}-{}", start.format("%H:%M"), end.format("%H:%M")));
        let names = &row.names;
        Row::Cells(vec![
            Cell::plain(row.day.format("%a %-d %b").to_string()),
            Cell::plain(times.unwrap_or_default()),
            Cell::new(format!("{:.2}", row.hours), TextStyle::Strong),
            Cell::plain(format!("{} / {} / {}", names.client, names.project, names.task)),
            Cell::new(row.description.as_str(), TextStyle::Faint),
        ])
    };
    let cells: Vec<_> = rows.iter().map(cells).collect();
    write_columns(out, &columns, &cells, style)?;
    if rows.is_empty() { Ok(()) } else { writeln!(out) }
}

fn sum(rows: &[PushRow]) -> String {
    hours(rows.iter().map(|row| row.hours).sum::<Hours>())
}
