//! What `doctor` shows of the configuration: what counts, and what is kept from models.

use std::io::{self, Write};
use std::path::Path;

use super::columns::{Cell, Column, Row, Squeeze, write_columns};
use super::ink::Ink;
use super::sections::write_heading;
use super::style::Style;
use super::text::neutral;

/// Writes where the configuration file is, or would be, and whether there is one.
///
/// # Errors
/// Those of `out`.
pub fn write_configuration(out: &mut dyn Write, file: Option<(&Path, bool)>, style: &Style) -> io::Result<()> {
    let Some((file, is_there)) = file else { return Ok(()) };
    write_heading(out, "Configuration", style)?;
    let said = if is_there { "read" } else { "not there, which is fine" };
    let file = neutral(&file.to_string_lossy(), style).into_owned();
    let rows = [Row::Cells(vec![Cell::plain(file), Cell::new(said, Ink::Faint)])];
    write_columns(out, &[Column::left(""), Column::left("")], &rows, style)
}

/// Writes that calls count.
///
/// # Errors
/// Those of `out`.
pub fn write_counted_calls(out: &mut dyn Write, style: &Style) -> io::Result<()> {
    write_heading(out, "Counted by the configuration file", style)?;
    let rows = [Row::Cells(vec![
        Cell::new("calls", Ink::Faint),
        Cell::plain("calls count away from the keyboard, up to 4 h"),
    ])];
    write_columns(out, &[Column::left(""), Column::left("").squeezed(Squeeze::Shrinks)], &rows, style)
}

/// Writes what `serve` withholds: a line per entry, with the name of its setting before the first. Nothing where it
/// withholds nothing.
///
/// # Errors
/// Those of `out`.
pub fn write_withheld(out: &mut dyn Write, settings: &[(&str, Vec<String>)], style: &Style) -> io::Result<()> {
    let rows: Vec<_> = settings
        .iter()
        .flat_map(|(setting, entries)| {
            let names = [*setting].into_iter().chain(std::iter::repeat(""));
            entries.iter().zip(names).map(|(entry, name)| {
                let entry = neutral(entry, style).into_owned();
                Row::Cells(vec![Cell::new(name.to_owned(), Ink::Faint), Cell::plain(entry)])
            })
        })
        .collect();
    if rows.is_empty() {
        return Ok(());
    }
    write_heading(out, "Withheld from assistants by the configuration file", style)?;
    write_columns(out, &[Column::left(""), Column::left("").squeezed(Squeeze::Shrinks)], &rows, style)
}
