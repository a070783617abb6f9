//! Shows the results of logging, submitting and reopening hours, and the state of the timer.

use std::io::{self, Write};

use dayledger_timesheet::TimeEntry;
use dayledger_timesheet::draft::RowNote;

use super::wording::{IMPORT_TAGS, hours, short_date, target};
use crate::columns::{Cell, Column, INDENT, Overflow, Row, write_columns};
use crate::sections::write_prose;
use crate::style::{Style, TextStyle};
use crate::text::{parse_time, sanitize, wrap};
use dayledger_timesheet_service::{
    LoggedDraft, LoggedDraftRow, Outcome, Reopened, RunningWork, Submitted, TrackedWork,
};

/// Writes the rows that were logged. Below them, writes the rows that weren't logged, with the reasons.
pub fn write_logged(out: &mut dyn Write, draft: &LoggedDraft, style: &Style) -> io::Result<()> {
    let columns = [Column::left(""), Column::right(""), Column::left("").with_overflow(Overflow::Shrink)];
    let of = |is_wanted: fn(&Outcome) -> bool| draft.rows.iter().filter(move |row| is_wanted(&row.outcome));
    let logged: Vec<_> = of(|outcome| matches!(outcome, Outcome::Logged(_))).map(cells).collect();
    write_columns(out, &columns, &logged, style)?;
    if !logged.is_empty() {
        writeln!(out)?;
    }
    let (count, sum) = draft.totals();
    let text = format!("Logged {}, {}.", count_entries(count), hours(sum));
    write_prose(out, if count == 0 { "Nothing was logged." } else { &text }, TextStyle::Strong, style)?;
    let refused: Vec<_> = of(|outcome| !matches!(outcome, Outcome::Logged(_))).collect();
    if !refused.is_empty() {
        writeln!(out)?;
        writeln!(out, "{}", style.paint("Not logged", TextStyle::Strong))?;
        let rows: Vec<_> = refused.into_iter().flat_map(|row| with_reason(row, style)).collect();
        write_columns(out, &columns, &rows, style)?;
        let is_unknown = |note: &RowNote| matches!(note, RowNote::NoSuchProject | RowNote::NoSuchTask);
        if draft.rows.iter().any(|row| row.notes.iter().any(is_unknown)) {
            writeln!(out)?;
            write_prose(out, IMPORT_TAGS, TextStyle::Faint, style)?;
        }
    }
    Ok(())
}

/// Formats a number of entries, such as `1 entry` or `2 entries`.
pub fn count_entries(count: usize) -> String {
    if count == 1 { "1 entry".to_owned() } else { format!("{count} entries") }
}

fn cells(row: &LoggedDraftRow) -> Row {
    Row::Cells(vec![
        Cell::plain(short_date(row.day)),
        Cell::new(format!("{:.2}", row.hours), TextStyle::Strong),
        Cell::plain(target(row.project_code.as_deref(), row.task.as_deref())),
    ])
}

fn with_reason(row: &LoggedDraftRow, style: &Style) -> Vec<Row> {
    let why = match &row.outcome {
        Outcome::Logged(_) => String::new(),
        Outcome::Refused(why) => why.clone(),
        Outcome::Unconfirmed => {
            format!("away from the computer: confirm it with `dayledger timesheet edit {}`", row.day)
        }
        Outcome::Unassigned => format!("no project: assign one with `dayledger timesheet edit {}`", row.day),
    };
    let lines = wrap(&sanitize(&style.with_source(&why), style), style.width.saturating_sub(2 * INDENT), style);
    let lines = lines.into_iter().map(|line| Row::Caption(format!("{:INDENT$}{line}", "")));
    std::iter::once(cells(row)).chain(lines).collect()
}

/// Writes the number of submitted entries and their hours. Also writes the entries that couldn't be submitted.
pub fn write_submitted(out: &mut dyn Write, submitted: &Submitted, style: &Style) -> io::Result<()> {
    let week = submitted.week.as_deref().unwrap_or_default();
    let text = match submitted.submitted.unwrap_or_default() {
        0 if submitted.failed.is_empty() => format!("{week} has no open entries."),
        count => {
            let sum = submitted.hours.unwrap_or_default();
            format!("Submitted {} of {week}, {}.", count_entries(count), hours(sum))
        }
    };
    write_prose(out, &text, TextStyle::Strong, style)?;
    for failed in &submitted.failed {
        write_prose(out, &format!("Not submitted: {} ({})", failed.id, failed.message), TextStyle::Plain, style)?;
    }
    Ok(())
}

/// Writes the number of reopened entries and their hours.
pub fn write_reopened(out: &mut dyn Write, reopened: &Reopened, style: &Style) -> io::Result<()> {
    let week = &reopened.week;
    let text = match reopened.entries.len() {
        0 => format!("{week} has no submitted entries."),
        count => format!("Reopened {} of {week}, {}.", count_entries(count), hours(reopened.hours)),
    };
    write_prose(out, &text, TextStyle::Strong, style)
}

/// Writes the work for which the timer is running, and the command that stops the timer.
pub(super) fn write_running(out: &mut dyn Write, work: &RunningWork, style: &Style) -> io::Result<()> {
    let text = format!("Running since {}, {}: {}", since(work), hours(work.hours), name(work));
    write_prose(out, &text, TextStyle::Strong, style)?;
    write_prose(out, "Run `dayledger timesheet stop` to stop and log it.", TextStyle::Faint, style)
}

/// Writes the work for which the timer was started. If the timer was running for other work before, also writes the
/// logged entries of that work.
pub fn write_started(out: &mut dyn Write, started: &TrackedWork, style: &Style) -> io::Result<()> {
    write_entries(out, &started.logged, style)?;
    let text = format!("Started at {}: {}", since(&started.work), name(&started.work));
    write_prose(out, &text, TextStyle::Strong, style)
}

/// Writes the work for which the timer was stopped, and the entries that were logged for this work.
pub fn write_stopped(out: &mut dyn Write, stopped: &TrackedWork, style: &Style) -> io::Result<()> {
    let work = &stopped.work;
    if stopped.logged.is_empty() {
        let text = format!("Stopped after {}, nothing was logged: {}", hours(work.hours), name(work));
        return write_prose(out, &text, TextStyle::Strong, style);
    }
    write_entries(out, &stopped.logged, style)
}

fn write_entries(out: &mut dyn Write, entries: &[TimeEntry], style: &Style) -> io::Result<()> {
    for entry in entries {
        let name = target(Some(&entry.project_code), Some(&entry.task));
        let text = format!("Logged {} on {}: {name}", hours(entry.total_hours()), short_date(entry.start_date));
        write_prose(out, &text, TextStyle::Strong, style)?;
    }
    Ok(())
}

fn since(work: &RunningWork) -> String {
    parse_time(&work.since).map_or_else(|| work.since.clone(), |since| since.format("%a %H:%M").to_string())
}

fn name(work: &RunningWork) -> String {
    let name = target(Some(&work.project_code), Some(&work.task));
    match &work.description {
        Some(description) => format!("{name}, {description}"),
        None => name,
    }
}
