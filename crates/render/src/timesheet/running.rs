//! Shows the timer.

use std::io::{self, Write};

use dayledger_timesheet::TimeEntry;

use super::wording::{hours, short_date, target};
use crate::sections::write_prose;
use crate::style::Style;
use crate::text::parse_time;
use crate::text_style::TextStyle;
use dayledger_timesheet_service::{RunningWork, TrackedWork};

/// Writes the running work, and how to stop it.
pub(super) fn write_running(out: &mut dyn Write, work: &RunningWork, style: &Style) -> io::Result<()> {
    let text = format!("Running since {}, {}: {}", since(work), hours(work.hours), name(work));
    write_prose(out, &text, TextStyle::Strong, style)?;
    write_prose(out, "Run `dayledger timesheet stop` to stop and log it.", TextStyle::Faint, style)
}

/// Writes the work that was started, and the entries of the work that ran before.
pub fn write_started(out: &mut dyn Write, started: &TrackedWork, style: &Style) -> io::Result<()> {
    write_entries(out, &started.logged, style)?;
    let text = format!("Started at {}: {}", since(&started.work), name(&started.work));
    write_prose(out, &text, TextStyle::Strong, style)
}

/// Writes the work that was stopped, and its entries.
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
