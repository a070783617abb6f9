//! `dayledger timesheet export`: writes logged entries to a file for other tools.

use std::path::PathBuf;

use clap::{ArgAction, ValueEnum};
use dayledger_terminal::output::{self, Output};
use dayledger_timesheet::export;

use super::shared::app;
use crate::cli::history::{HistoryArguments, protected_folders};
use crate::cli::period::parse_range_flags;
use crate::cli::{OUTPUT, destination};
use crate::files::IfPresent;
use crate::report;
use crate::rows::{Csv, Separator};
use crate::timesheet::{AmountColumns, EntryFormat};

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// First day, such as `2025-10-15`, or a period such as `2025-W43` or `last month` [default: all entries]
    #[arg(long, value_name = "START", num_args = 1.., action = ArgAction::Set)]
    from: Option<Vec<String>>,
    /// Last day (inclusive) [default: the end of START]
    #[arg(long, value_name = "END", num_args = 1.., action = ArgAction::Set, requires = "from")]
    to: Option<Vec<String>>,
    /// Format of the entries
    #[arg(long, value_enum, help_heading = OUTPUT)]
    format: Format,
    /// Separator for csv and csv-excel: a character or `tab`; with `;`, csv-excel uses decimal commas [default: ,]
    #[arg(long, value_name = "CHARACTER", help_heading = OUTPUT)]
    separator: Option<Separator>,
    /// Add billed hours, rates and amounts to csv and csv-excel
    #[arg(long, help_heading = OUTPUT)]
    amounts: bool,
    /// File to write [default: stdout]
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    out: Option<PathBuf>,
    /// Overwrite the file if it exists
    #[arg(long, requires = "out", help_heading = OUTPUT)]
    force: bool,
}

/// A format of a file of entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// CSV for other programs
    Csv,
    /// CSV for Excel and other spreadsheets
    CsvExcel,
    /// Text file for klog
    Klog,
    /// Timeclock file for hledger
    Timeclock,
    /// Calendar file
    Ics,
    /// JSON, as the MCP tools return entries
    Json,
    /// CSV that Toggl Track imports
    Toggl,
    /// CSV that Clockify imports
    Clockify,
    /// CSV that Harvest imports
    Harvest,
    /// CSV that Kimai imports
    Kimai,
}

impl Arguments {
    /// Whether a separator is set although the format doesn't use separators.
    pub(super) fn has_unused_separator(&self) -> bool {
        self.separator.is_some() && !self.is_csv()
    }

    /// Whether amounts are requested although the format doesn't have columns.
    pub(super) fn has_unused_amounts(&self) -> bool {
        self.amounts && !self.is_csv()
    }

    fn is_csv(&self) -> bool {
        matches!(self.format, Format::Csv | Format::CsvExcel)
    }

    fn format(&self) -> EntryFormat {
        let separator = self.separator.unwrap_or_default();
        match self.format {
            Format::Csv => EntryFormat::Csv(Csv::plain(separator)),
            Format::CsvExcel => EntryFormat::Csv(Csv::spreadsheet(separator)),
            Format::Klog => EntryFormat::ForProgram(export::Format::Klog),
            Format::Timeclock => EntryFormat::ForProgram(export::Format::Timeclock),
            Format::Ics => EntryFormat::ForProgram(export::Format::Ics),
            Format::Json => EntryFormat::ForProgram(export::Format::Json),
            Format::Toggl => EntryFormat::ForTracker(export::Tracker::Toggl),
            Format::Clockify => EntryFormat::ForTracker(export::Tracker::Clockify),
            Format::Harvest => EntryFormat::ForTracker(export::Tracker::Harvest),
            Format::Kimai => EntryFormat::ForTracker(export::Tracker::Kimai),
        }
    }
}

pub(super) async fn run(arguments: &Arguments, history: &HistoryArguments) -> anyhow::Result<()> {
    let range = arguments.from.as_ref().map(|from| parse_range_flags(from, arguments.to.as_deref()));
    let app = app(history)?;
    let amounts = if arguments.amounts { AmountColumns::Included } else { AmountColumns::Omitted };
    let exported = app.timesheet().export(range.transpose()?, arguments.format(), amounts).await?;
    if exported.without_times > 0 {
        let rows =
            if exported.without_times == 1 { "1 row has" } else { &format!("{} rows have", exported.without_times) };
        output::write_stderr(|out, style| {
            report::write_note(
                out,
                &format!("{rows} placeholder times, because the time of day is not recorded"),
                style,
            )
        });
    }
    let Some(path) = &arguments.out else {
        return Output::new().write_styled(|out, _| out.write_all(exported.text.as_bytes()));
    };
    let if_present = if arguments.force { IfPresent::Replace } else { IfPresent::Keep };
    destination::write(path, &exported.text, if_present, protected_folders(app.history()))?;
    let entries = if exported.entries == 1 { "entry" } else { "entries" };
    let amounts = &exported.amounts;
    let amounts = if amounts.is_empty() { String::new() } else { format!(", {amounts}") };
    output::write_stderr(|out, _| {
        let (count, hours, path) = (exported.entries, exported.hours, path.display());
        writeln!(out, "exported {count} {entries} ({hours} hours{amounts}) to `{path}`")
    });
    Ok(())
}
