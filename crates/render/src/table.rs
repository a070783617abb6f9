//! Writes the rows of a query, in formats for people and for other programs.

use std::io::{self, Write};
use std::path::Path;

use arrow::array::RecordBatch;
use arrow::datatypes::{Schema, SchemaRef};
use arrow::error::ArrowError;

use super::grid::{Frame, Table, TableFit};
use super::style::{Style, TextStyle};
use super::text::{NULL, pad, sanitize, width_of};
use dayledger_rows::{Csv, RowFormat, RowWriter, Separator, for_each_row, io_error};

/// The format of printed rows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// Table with aligned columns and the number of rows.
    #[default]
    Table,
    /// Table with a frame.
    Box,
    /// CSV with a header (RFC 4180); lists and structs as JSON, null as an empty value.
    Csv,
    /// CSV for spreadsheets, with a byte order mark and protection against formulas.
    CsvExcel,
    /// TSV with a header.
    Tsv,
    /// JSON array of objects, including null values.
    Json,
    /// JSON Lines: one object per line, including null values.
    #[value(name = "ndjson")]
    JsonLines,
    /// Markdown table.
    Markdown,
    /// One line per value, for rows that are wider than the screen.
    Vertical,
}

/// The format of rows, with its options.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RowStyle {
    /// The format.
    pub format: Format,
    /// The character between two values of CSV. `None` means a comma.
    pub separator: Option<Separator>,
    /// Whether the file already contains other rows.
    pub after_others: bool,
}

impl From<Format> for RowStyle {
    fn from(format: Format) -> Self {
        Self { format, ..Self::default() }
    }
}

impl RowStyle {
    /// Returns a writer for rows with the columns of `schema`. The writer writes each row as soon as it arrives.
    /// Returns `None` if the layout of the format depends on all rows. This is the case for tables.
    pub fn row_writer(self, schema: &SchemaRef) -> Option<RowWriter> {
        let separator = self.separator.unwrap_or_default();
        let format = match self.format {
            Format::Csv => RowFormat::Csv(Csv::plain(separator)),
            Format::CsvExcel => RowFormat::Csv(Csv::spreadsheet(separator).with_preceding_rows(self.after_others)),
            Format::Tsv => RowFormat::Csv(Csv::TABS),
            Format::Json => RowFormat::Json,
            Format::JsonLines => RowFormat::JsonLines,
            Format::Table | Format::Box | Format::Markdown | Format::Vertical => return None,
        };
        Some(RowWriter::new(format, schema))
    }
}

impl Format {
    /// Returns the format for the extension of a file name, or `None` if the extension is unknown. For `.csv`, there
    /// are two possible results: if `self` is CSV for spreadsheets, the result is this format, and otherwise plain CSV.
    pub fn for_file(self, path: &Path) -> Option<Self> {
        let end = path.extension()?.to_str()?.to_ascii_lowercase();
        Some(match end.as_str() {
            "csv" if self == Self::CsvExcel => self,
            "csv" => Self::Csv,
            "tsv" | "tab" => Self::Tsv,
            "json" => Self::Json,
            "ndjson" | "jsonl" => Self::JsonLines,
            "md" | "markdown" => Self::Markdown,
            _ => return None,
        })
    }

    /// Returns the frame of a table, or `None` if the format isn't a table.
    fn frame(self) -> Option<Frame> {
        match self {
            Self::Table => Some(Frame::Open),
            Self::Box => Some(Frame::Closed),
            _ => None,
        }
    }
}

/// Writes rows that are in memory.
///
/// `schema` is the schema of the batches. It is needed for the header if there are no rows. Timestamps are ISO 8601,
/// with an offset if they have a time zone. Lists and structs are JSON in every format. In tables, Markdown and the
/// vertical format, control characters are replaced. JSON and plain CSV contain the exact values. Only tables and the
/// vertical format have colours. Tables can be wider than the screen.
///
/// # Errors
/// Fails with the errors of `out` and keeps their kind. Also fails if Arrow can't write a type, or if a batch has
/// another schema.
pub fn write_batches(
    out: &mut dyn Write,
    batches: &[RecordBatch],
    schema: &SchemaRef,
    rows: impl Into<RowStyle>,
    style: &Style,
) -> io::Result<()> {
    let rows = rows.into();
    if let Some(writer) = rows.row_writer(schema) {
        return writer.write_all(out, batches);
    }
    let written = match rows.format.frame() {
        Some(frame) => write_table(out, batches, schema, frame, style),
        None if rows.format == Format::Vertical => write_vertical(out, batches, schema, style),
        None => write_markdown(out, batches, schema),
    };
    written.map_err(io_error)
}

/// Writes rows for a screen of `columns` columns. If the lines of a table are too long, the widest texts are truncated
/// and the last columns are omitted. A table is written without the number of rows. Other formats aren't truncated.
///
/// # Errors
/// Fails with the errors of [`write_batches`].
pub fn write_for_screen(
    out: &mut dyn Write,
    batches: &[RecordBatch],
    schema: &SchemaRef,
    (rows, columns): (impl Into<RowStyle>, usize),
    style: &Style,
) -> io::Result<TableFit> {
    let rows = rows.into();
    let Some(frame) = rows.format.frame() else {
        return write_batches(out, batches, schema, rows, style).map(|()| TableFit::default());
    };
    let mut table = Table::new(batches, schema, frame, style).map_err(io_error)?;
    let fitted = table.fit(columns);
    table.write(out, style).map_err(io_error)?;
    Ok(fitted)
}

fn write_table(
    out: &mut dyn Write,
    batches: &[RecordBatch],
    schema: &SchemaRef,
    frame: Frame,
    style: &Style,
) -> Result<(), ArrowError> {
    let table = Table::new(batches, schema, frame, style)?;
    table.write(out, style)?;
    let count: usize = batches.iter().map(RecordBatch::num_rows).sum();
    let count = format!("({count} {})", if count == 1 { "row" } else { "rows" });
    writeln!(out, "{}", style.paint(&count, TextStyle::Faint))?;
    Ok(())
}

/// The length of the line above a row in the vertical format.
const VERTICAL_RULE: usize = 24;

/// Writes rows in the vertical format. For each row, writes the number of the row and a line for each value.
fn write_vertical(
    out: &mut dyn Write,
    batches: &[RecordBatch],
    schema: &SchemaRef,
    style: &Style,
) -> Result<(), ArrowError> {
    let heads: Vec<_> = schema.fields().iter().map(|field| sanitize(field.name(), style)).collect();
    let widest = heads.iter().map(|head| width_of(head)).max().unwrap_or(0);
    let (rule, upright) = if style.unicode { ("─", "│") } else { ("-", "|") };
    let mut number = 0;
    for_each_row(batches, |row| {
        number += 1;
        let title = format!("{rule} row {number} ");
        let rest = rule.repeat(VERTICAL_RULE.saturating_sub(width_of(&title)));
        writeln!(out, "{}", style.paint(&(title + &rest), TextStyle::Faint))?;
        for (head, cell) in heads.iter().zip(row) {
            let (value, text_style) = match cell {
                Some(text) => (sanitize(text, style), TextStyle::Plain),
                None => (NULL.into(), TextStyle::Faint),
            };
            let head = style.paint(&format!("{} {upright}", pad(head, widest)), TextStyle::Faint);
            writeln!(out, " {head} {}", style.paint(&value, text_style))?;
        }
        Ok(())
    })
}

fn write_markdown(out: &mut dyn Write, batches: &[RecordBatch], schema: &SchemaRef) -> Result<(), ArrowError> {
    let heads: Vec<_> = schema.fields().iter().map(|field| markdown(field.name())).collect();
    writeln!(out, "| {} |", heads.join(" | "))?;
    let rules = schema.fields().iter().map(|field| if field.data_type().is_numeric() { "---:" } else { "---" });
    writeln!(out, "| {} |", rules.collect::<Vec<_>>().join(" | "))?;
    for_each_row(batches, |row| {
        let cells: Vec<_> = row.iter().map(|cell| markdown(cell.as_deref().unwrap_or_default())).collect();
        Ok(writeln!(out, "| {} |", cells.join(" | "))?)
    })
}

/// Returns a text for a cell of a Markdown table. Escapes characters that would end the cell or start an HTML tag.
/// Control characters become visible symbols.
fn markdown(text: &str) -> String {
    let style = Style { color: super::ColorDepth::None, width: usize::MAX, unicode: true, source_options: "" };
    // Each line break is replaced by `<br>`, because a line break would end the row.
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let lines = text
        .split('\n')
        .map(|line| sanitize(line, &style).replace('\\', "\\\\").replace('|', "\\|").replace('<', "&lt;"));
    lines.collect::<Vec<_>>().join("<br>")
}

/// The columns of `EXPLAIN`.
const PLAN_COLUMNS: [&str; 2] = ["plan_type", "plan"];

/// Whether rows with this schema are query plans, which `EXPLAIN` returns.
pub fn is_plan(schema: &Schema) -> bool {
    schema.fields().iter().map(|field| field.name().as_str()).eq(PLAN_COLUMNS)
}

/// Writes each query plan as a tree below its name. A plan has several lines, so a table can't show it.
///
/// # Errors
/// Fails if `out` fails, or if the batches don't contain plans.
pub fn write_plans(out: &mut dyn Write, batches: &[RecordBatch], style: &Style) -> io::Result<()> {
    let written = for_each_row(batches, |row| {
        let mut row = row.iter().map(|cell| cell.as_deref().unwrap_or_default());
        let (name, plan) = (row.next().unwrap_or_default(), row.next().unwrap_or_default());
        writeln!(out, "{}", style.paint(&sanitize(name, style).replace('_', " "), TextStyle::Strong))?;
        for line in plan.lines() {
            writeln!(out, "  {}", sanitize(line, style))?;
        }
        Ok(())
    });
    written.map_err(io_error)
}
