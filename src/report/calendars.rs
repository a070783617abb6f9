//! What there is of the user's calendars.

use std::io::{self, Write};

use super::columns::{Cell, Column, Row, Squeeze, write_columns};
use super::sections::{counted, write_heading};
use super::style::Style;
use super::text::neutral;
use crate::calendar::CalendarState;

/// Writes a line for each calendar: how many events there are in its files, or why there are none. Nothing where there is
/// no calendar.
///
/// # Errors
/// Those of `out`.
pub fn write_calendars(out: &mut dyn Write, calendars: &[CalendarState], style: &Style) -> io::Result<()> {
    if calendars.is_empty() {
        return Ok(());
    }
    write_heading(out, "Calendars", style)?;
    let rows = calendars.iter().map(|calendar| {
        let name = calendar.name.as_deref().unwrap_or_default();
        Row::Cells(vec![
            Cell::plain(neutral(name, style).into_owned()),
            Cell::plain(neutral(&calendar.file, style).into_owned()),
            Cell::plain(state(calendar)),
        ])
    });
    let columns = [Column::left(""), Column::left("").squeezed(Squeeze::Shrinks), Column::left("")];
    write_columns(out, &columns, &rows.collect::<Vec<_>>(), style)
}

fn state(calendar: &CalendarState) -> String {
    let events = (calendar.files > 0).then(|| {
        let files = if calendar.files > 1 { format!(" in {} files", calendar.files) } else { String::new() };
        format!("{}{files}", counted(calendar.events, "event"))
    });
    let broken = (calendar.broken > 0).then(|| format!("{} cannot be read", counted(calendar.broken, "event")));
    let parts: Vec<_> = [events, broken, calendar.problem.clone()].into_iter().flatten().collect();
    parts.join("; ")
}
