//! Writes the sections of the command `doctor` that aren't about the selected history. For example, they are about the
//! configuration, the notes, the calendars and the time zones.

use std::io::{self, Write};
use std::path::Path;

use super::columns::{Cell, Column, Overflow, Row, write_columns};
use super::period::WEEKDAYS;
use super::sections::{pluralize, sentence, write_heading, write_item, write_prose};
use super::style::{Style, TextStyle};
use dayledger_calendar::{CalendarState, ZoneDataSource, ZoneDataVersion};
use dayledger_core::local_days::LocalDays;
use dayledger_notes_service::NotesState;

/// The maximum number of problems that are shown for a calendar.
const MAX_PROBLEMS: usize = 10;

/// Writes the path of the configuration file, and whether it exists.
pub fn write_configuration(out: &mut dyn Write, file: Option<(&Path, bool)>, style: &Style) -> io::Result<()> {
    let Some((file, is_there)) = file else { return Ok(()) };
    write_heading(out, "Configuration", style)?;
    let state = if is_there { "read" } else { "does not exist (optional)" };
    let rows = [Row::Cells(vec![Cell::plain(file.to_string_lossy()), Cell::new(state, TextStyle::Faint)])];
    write_columns(out, &[Column::left(""), Column::left("")], &rows, style)
}

/// Writes the number of saved questions, and the problems of those that can't be asked. Writes nothing if there are
/// neither questions nor problems.
pub fn write_questions(out: &mut dyn Write, count: usize, problems: &[String], style: &Style) -> io::Result<()> {
    if count == 0 && problems.is_empty() {
        return Ok(());
    }
    write_heading(out, "Questions", style)?;
    if problems.is_empty() {
        write_item(out, &format!("{}, all valid", pluralize(count, "question")), TextStyle::Plain, style)?;
    }
    problems.iter().try_for_each(|problem| write_prose(out, problem, TextStyle::Plain, style))
}

/// Writes the histories on this computer that dayledger doesn't read. For each history, writes the tracker, the
/// database and, if they are known, the days with events. Writes nothing if the list is empty.
pub fn write_other_histories(
    out: &mut dyn Write,
    histories: &[(&str, &Path, Option<String>)],
    style: &Style,
) -> io::Result<()> {
    if histories.is_empty() {
        return Ok(());
    }
    write_heading(out, "Other histories", style)?;
    for (tracker, database, days) in histories {
        let days = days.as_ref().map(|days| format!(", {days}")).unwrap_or_default();
        write_item(out, &format!("{}: {}{days}", *tracker, database.display()), TextStyle::Plain, style)?;
    }
    let advice = "To read another history, pass its tracker with --source, or its path with --data-dir.";
    write_item(out, advice, TextStyle::Faint, style)
}

/// Writes that calls count as active time.
pub fn write_counted_calls(out: &mut dyn Write, style: &Style) -> io::Result<()> {
    write_heading(out, "Calls", style)?;
    let rows = [Row::Cells(vec![
        Cell::new("counted", TextStyle::Faint),
        Cell::plain("also away from the keyboard, up to 4 h (set in the configuration file)"),
    ])];
    write_columns(out, &[Column::left(""), Column::left("").with_overflow(Overflow::Shrink)], &rows, style)
}

/// Writes the start of days and weeks.
pub fn write_local_days(out: &mut dyn Write, days: LocalDays, style: &Style) -> io::Result<()> {
    write_heading(out, "Days", style)?;
    let row = |name: &str, text: String| Row::Cells(vec![Cell::new(name, TextStyle::Faint), Cell::plain(text)]);
    let weekday = WEEKDAYS[usize::try_from(days.week_start.num_days_from_monday()).unwrap_or_default()];
    let rows = [row("start at", days.day_start.to_string()), row("weeks start on", weekday.to_owned())];
    write_columns(out, &[Column::left(""), Column::left("").with_overflow(Overflow::Shrink)], &rows, style)
}

/// Writes the privacy settings of `serve`. Each entry has a line, and the name of a setting is before its first entry.
/// Writes nothing if there are no privacy settings.
pub fn write_privacy_settings(out: &mut dyn Write, settings: &[(&str, Vec<String>)], style: &Style) -> io::Result<()> {
    let rows: Vec<_> = settings
        .iter()
        .flat_map(|(setting, entries)| {
            let names = [*setting].into_iter().chain(std::iter::repeat(""));
            let rows = entries.iter().zip(names);
            rows.map(|(entry, name)| Row::Cells(vec![Cell::new(name, TextStyle::Faint), Cell::plain(entry)]))
        })
        .collect();
    if rows.is_empty() {
        return Ok(());
    }
    write_heading(out, "Redacted and hidden from assistants (configuration file)", style)?;
    write_columns(out, &[Column::left(""), Column::left("").with_overflow(Overflow::Shrink)], &rows, style)
}

/// Writes the folder of the notes, their number, and the files that can't be read. Writes nothing if there is no folder
/// and all files can be read.
pub fn write_notes_state(out: &mut dyn Write, state: &NotesState, style: &Style) -> io::Result<()> {
    if state.folder.is_none() && state.problems.is_empty() {
        return Ok(());
    }
    write_heading(out, "Notes", style)?;
    if let Some(folder) = &state.folder {
        let newest = state.newest.map(|day| format!(", the newest from {day}")).unwrap_or_default();
        write_item(out, folder, TextStyle::Plain, style)?;
        write_item(out, &format!("  {}{newest}", pluralize(state.notes, "note")), TextStyle::Faint, style)?;
    }
    for problem in &state.problems {
        write_item(out, &sentence(problem), TextStyle::Plain, style)?;
    }
    Ok(())
}

/// Writes a line for each calendar: the number of its events, or the reason why it can't be read. Below these lines,
/// writes the problems of the calendars. Writes nothing if there are no calendars.
pub fn write_calendars(out: &mut dyn Write, calendars: &[CalendarState], style: &Style) -> io::Result<()> {
    if calendars.is_empty() {
        return Ok(());
    }
    write_heading(out, "Calendars", style)?;
    let rows = calendars.iter().map(|calendar| {
        let name = calendar.name.as_deref().unwrap_or_default();
        Row::Cells(vec![Cell::plain(name), Cell::plain(&calendar.file), Cell::plain(state(calendar))])
    });
    let columns = [Column::left(""), Column::left("").with_overflow(Overflow::Shrink), Column::left("")];
    write_columns(out, &columns, &rows.collect::<Vec<_>>(), style)?;
    for calendar in calendars {
        if calendar.copies > 0 {
            let prose =
                format!("{} ignored: copies or older versions of other events", pluralize(calendar.copies, "event"));
            write_prose(out, &prose, TextStyle::Faint, style)?;
        }
        for problem in calendar.problems.iter().take(MAX_PROBLEMS) {
            let prose = format!("{}: {}", pluralize(problem.count, problem.subject), problem.reason);
            write_prose(out, &prose, TextStyle::Faint, style)?;
        }
    }
    Ok(())
}

fn state(calendar: &CalendarState) -> String {
    let events = (calendar.files > 0).then(|| {
        let files = if calendar.files > 1 { format!(" in {} files", calendar.files) } else { String::new() };
        format!("{}{files}", pluralize(calendar.events, "event"))
    });
    let broken = (calendar.broken > 0).then(|| format!("{} cannot be read", pluralize(calendar.broken, "event")));
    let parts: Vec<_> = [events, broken, calendar.problem.clone()].into_iter().flatten().collect();
    parts.join("; ")
}

/// Writes the version of the time zone data in use, and whether it is outdated.
pub fn write_zone_data(
    out: &mut dyn Write,
    data: &ZoneDataVersion,
    is_outdated: bool,
    style: &Style,
) -> io::Result<()> {
    write_heading(out, "Time zones", style)?;
    let (source, update) = match data.source {
        ZoneDataSource::Bundled => ("part of dayledger", "dayledger or the operating system"),
        ZoneDataSource::System => ("from the operating system", "the operating system"),
    };
    let older = data.system.as_ref().filter(|system| **system < data.version);
    let older = older.map(|system| format!("; the operating system uses {system}")).unwrap_or_default();
    let source = Cell::new(format!("{source}{older}"), TextStyle::Faint);
    let rows = [Row::Cells(vec![Cell::plain(format!("IANA {}", data.version)), source])];
    write_columns(out, &[Column::left(""), Column::left("")], &rows, style)?;
    if is_outdated {
        let warning = format!("This data is older than a year, so times in some zones can be wrong. Update {update}.");
        write_prose(out, &warning, TextStyle::Plain, style)?;
    }
    Ok(())
}
