//! What can be asked: tables, views and functions.

use std::io::{self, Write};

use crate::engine::{Attribute, Relation, Routine, RoutineKind};

use super::columns::{Cell, Column, Row, Squeeze, write_columns};
use super::ink::Ink;
use super::sections::{write_heading, write_prose};
use super::style::Style;
use super::text::neutral;

/// Writes a line per table or view: its name and what a row is.
///
/// # Errors
/// Only what `out` returns.
pub fn write_relations(out: &mut dyn Write, relations: &[&Relation], style: &Style) -> io::Result<()> {
    let lines = relations.iter().map(|relation| {
        let meaning = if relation.is_raw() { columns_in_short(&relation.columns) } else { in_short(&relation.meaning) };
        (relation.name.as_str(), meaning)
    });
    write_lines(out, lines, style)
}

/// Writes a table or view: what a row is, and its columns.
///
/// # Errors
/// Only what `out` returns.
pub fn write_relation(out: &mut dyn Write, relation: &Relation, style: &Style) -> io::Result<()> {
    writeln!(out, "{}", style.paint(&neutral(&relation.name, style), Ink::Strong))?;
    if !relation.meaning.is_empty() {
        write_prose(out, &format!("A row is {}", sentence(&relation.meaning)), Ink::Plain, style)?;
    }
    write_attributes(out, "Columns", &relation.columns, style)
}

/// Writes functions by what they give, a line each: the call and what it answers.
///
/// # Errors
/// Only what `out` returns.
pub fn write_routines(out: &mut dyn Write, routines: &[&Routine], style: &Style) -> io::Result<()> {
    for kind in [RoutineKind::Table, RoutineKind::Scalar, RoutineKind::Aggregate, RoutineKind::Window] {
        let of_kind: Vec<_> = routines.iter().filter(|routine| routine.kind == kind).collect();
        if !of_kind.is_empty() {
            let heading = match kind {
                RoutineKind::Table => "Table functions, after FROM",
                RoutineKind::Scalar => "Functions",
                RoutineKind::Aggregate => "Aggregate functions",
                RoutineKind::Window => "Window functions",
            };
            write_heading(out, heading, style)?;
            let calls = of_kind.iter().map(|routine| (routine.call.as_str(), in_short(&routine.meaning)));
            write_lines(out, calls, style)?;
        }
    }
    Ok(())
}

/// Writes a function: how it is called, what it answers and takes, an example, the columns of its rows.
///
/// # Errors
/// Only what `out` returns.
pub fn write_routine(out: &mut dyn Write, routine: &Routine, style: &Style) -> io::Result<()> {
    writeln!(out, "{}", style.paint(&neutral(&routine.call, style), Ink::Strong))?;
    let meaning = match routine.kind {
        RoutineKind::Table => format!("A row is {}", sentence(&routine.meaning)),
        RoutineKind::Scalar | RoutineKind::Aggregate | RoutineKind::Window => sentence(&routine.meaning),
    };
    write_prose(out, &meaning, Ink::Plain, style)?;
    if !routine.parameters.is_empty() {
        write_heading(out, "Parameters", style)?;
        let parameters = routine.parameters.iter();
        write_lines(out, parameters.map(|(name, takes)| (name.as_str(), takes.clone())), style)?;
    }
    if let Some(example) = &routine.example {
        write_heading(out, "Example", style)?;
        // Some examples stand in a Markdown fence, with the rows that they give.
        for line in example.lines().filter(|line| !line.trim_start().starts_with("```")) {
            writeln!(out, "  {}", neutral(line, style))?;
        }
    }
    write_attributes(out, "Columns", &routine.columns, style)
}

fn write_attributes(out: &mut dyn Write, heading: &str, columns: &[Attribute], style: &Style) -> io::Result<()> {
    if columns.is_empty() {
        return Ok(());
    }
    write_heading(out, heading, style)?;
    let rows: Vec<_> = columns
        .iter()
        .map(|column| {
            let null = if column.nullable { "may be null" } else { "" };
            Row::Cells(vec![
                Cell::plain(neutral(&column.name, style)),
                Cell::plain(neutral(&column.data_type, style)),
                Cell::new(null, Ink::Faint),
            ])
        })
        .collect();
    write_columns(
        out,
        &[Column::left("").squeezed(Squeeze::Shrinks), Column::left("").squeezed(Squeeze::Shrinks), Column::left("")],
        &rows,
        style,
    )
}

/// Names and, as far as the line goes, what each means.
fn write_lines<'l>(
    out: &mut dyn Write,
    lines: impl Iterator<Item = (&'l str, String)>,
    style: &Style,
) -> io::Result<()> {
    let rows: Vec<_> = lines
        .map(|(name, meaning)| {
            let meaning = neutral(&meaning, style).into_owned();
            Row::Cells(vec![Cell::plain(neutral(name, style)), Cell::new(meaning, Ink::Faint)])
        })
        .collect();
    write_columns(
        out,
        &[Column::left("").squeezed(Squeeze::Shrinks), Column::left("").squeezed(Squeeze::Shrinks)],
        &rows,
        style,
    )
}

/// The first sentence of a meaning, up to what explains it further.
fn in_short(meaning: &str) -> String {
    let end = [". ", ": ", "; "].iter().filter_map(|end| meaning.find(end)).min().unwrap_or(meaning.len());
    meaning[..end].trim_end_matches('.').to_owned()
}

fn columns_in_short(columns: &[Attribute]) -> String {
    columns.iter().map(|column| column.name.as_str()).collect::<Vec<_>>().join(", ")
}

fn sentence(text: &str) -> String {
    let ended = text.is_empty() || text.ends_with(['.', '!', '?', ':']);
    if ended { text.to_owned() } else { format!("{text}.") }
}
