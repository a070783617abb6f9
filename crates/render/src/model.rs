//! Shows the tables, views and functions that SQL queries can use.

use std::io::{self, Write};

use dayledger_activity::{column_meaning, table_meaning};
use dayledger_engine::{ColumnDescription, FunctionDescription, TableDescription};

use super::columns::{Cell, Column, Overflow, Row, write_columns};
use super::sections::{write_heading, write_prose};
use super::style::{Style, TextStyle};
use super::text::sanitize;

/// The start of a table's description. In the description, the noun for a row follows.
const ROW_PREFIX: &str = "A row is ";

/// Writes a line for each table or view: its name and the meaning of a row. If a table doesn't have a description,
/// writes the names of its columns instead.
pub fn write_tables(out: &mut dyn Write, tables: &[&TableDescription], style: &Style) -> io::Result<()> {
    let lines = tables.iter().map(|table| {
        let columns = || table.columns.iter().map(|column| column.name.as_str()).collect::<Vec<_>>().join(", ");
        let about = table_meaning(table);
        vec![table.name.clone(), if about.is_empty() { columns() } else { first_sentence(about).to_owned() }]
    });
    write_lines(out, lines, style)
}

/// Writes a table or view: the meaning of a row, and its columns.
pub fn write_table(out: &mut dyn Write, table: &TableDescription, style: &Style) -> io::Result<()> {
    writeln!(out, "{}", style.strong(&sanitize(&table.name, style)))?;
    write_prose(out, table_meaning(table), TextStyle::Plain, style)?;
    write_described_columns(out, &table.columns, style)
}

/// Writes a line for each function: its call and its result.
pub fn write_functions(out: &mut dyn Write, functions: &[&FunctionDescription], style: &Style) -> io::Result<()> {
    let lines =
        functions.iter().map(|function| vec![function.call.clone(), first_sentence(&function.description).to_owned()]);
    write_lines(out, lines, style)
}

/// Writes a function: its call, its description and parameters, an example, and the columns of its rows.
pub fn write_function(out: &mut dyn Write, function: &FunctionDescription, style: &Style) -> io::Result<()> {
    writeln!(out, "{}", style.strong(&sanitize(&function.call, style)))?;
    write_prose(out, &function.description, TextStyle::Plain, style)?;
    if !function.parameters.is_empty() {
        write_heading(out, "Parameters", style)?;
        write_lines(out, function.parameters.iter().map(|(name, takes)| vec![name.clone(), takes.clone()]), style)?;
    }
    if let Some(example) = &function.example {
        write_heading(out, "Example", style)?;
        for line in example.lines() {
            writeln!(out, "  {}", sanitize(line, style))?;
        }
    }
    write_described_columns(out, &function.columns, style)
}

fn write_described_columns(out: &mut dyn Write, columns: &[ColumnDescription], style: &Style) -> io::Result<()> {
    if columns.is_empty() {
        return Ok(());
    }
    write_heading(out, "Columns", style)?;
    let lines = columns.iter().map(|column| {
        let meaning = column_meaning(&column.name).unwrap_or_default();
        vec![column.name.clone(), column.data_type.clone(), meaning.to_owned()]
    });
    write_lines(out, lines, style)
}

/// Writes lines of cells. The last cell of a line explains the other cells.
pub fn write_lines(out: &mut dyn Write, lines: impl Iterator<Item = Vec<String>>, style: &Style) -> io::Result<()> {
    let mut count = 0;
    let rows: Vec<_> = lines
        .map(|cells| {
            count = cells.len();
            let last = count.saturating_sub(1);
            let cells = cells.iter().enumerate().map(|(index, text)| {
                let text_style = if index == last { TextStyle::Faint } else { TextStyle::Plain };
                Cell::new(text, text_style)
            });
            Row::Cells(cells.collect())
        })
        .collect();
    let mut columns = vec![Column::left("").with_overflow(Overflow::Shrink); count];
    if let Some(last) = columns.last_mut() {
        *last = last.with_overflow(Overflow::Wrap);
    }
    write_columns(out, &columns, &rows, style)
}

/// Returns the first sentence of a description.
fn first_sentence(meaning: &str) -> &str {
    let meaning = meaning.strip_prefix(ROW_PREFIX).unwrap_or(meaning);
    meaning.split(". ").next().unwrap_or(meaning).trim_end_matches('.')
}
