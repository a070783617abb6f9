//! `dayledger timesheet import`: imports the entries of another time tracker.

use std::fs::File;
use std::path::PathBuf;

use clap::ValueEnum;
use dayledger_terminal::output::{self, Output};
use dayledger_timesheet::import::DateOrder;
use dayledger_timesheet::ledger::ImportMode;

use super::projects::MAX_BYTES;
use super::shared::{app, confirm, file_error, is_interactive};
use crate::cli::history::HistoryArguments;
use crate::files::read_up_to;
use crate::report;
use crate::timesheet::EntryImport;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// CSV of Toggl Track, Clockify, Harvest or another tracker, JSON of timewarrior or Watson, or klog
    file: PathBuf,
    /// Order of day and month in dates such as 11/02/2026, if the file doesn't show it
    #[arg(long, value_name = "ORDER")]
    dates: Option<Order>,
    /// Import without asking
    #[arg(long, short)]
    yes: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Order {
    MonthFirst,
    DayFirst,
}

impl From<Order> for DateOrder {
    fn from(order: Order) -> Self {
        match order {
            Order::MonthFirst => Self::MonthFirst,
            Order::DayFirst => Self::DayFirst,
        }
    }
}

pub(super) async fn run(arguments: &Arguments, history: &HistoryArguments) -> anyhow::Result<()> {
    let app = app(history)?;
    let read = File::open(&arguments.file).and_then(|file| read_up_to(file, MAX_BYTES));
    let content = read.map_err(|error| file_error("read", &arguments.file, &error))?;
    let dates = arguments.dates.map(DateOrder::from);
    let import = |mode| app.timesheet().import_entries(&content, dates, mode);
    if !arguments.yes {
        let preview = import(ImportMode::Preview).await?;
        write(&preview, ImportMode::Preview)?;
        if preview.entries.is_empty() {
            return Ok(());
        }
        if !is_interactive() {
            output::write_stderr(|out, _| writeln!(out, "nothing was imported: pass `--yes` to import these entries"));
            return Ok(());
        }
        if !confirm(&format!("Import {}?", report::count_entries(preview.entries.len())))? {
            output::write_stderr(|out, _| writeln!(out, "cancelled: nothing was imported"));
            return Ok(());
        }
    }
    write(&import(ImportMode::Store).await?, ImportMode::Store)
}

fn write(import: &EntryImport, mode: ImportMode) -> anyhow::Result<()> {
    Output::new().write_styled(|out, style| report::write_import(out, import, mode, style))?;
    output::write_stderr(|out, _| import.notes.iter().try_for_each(|note| writeln!(out, "note: {note}")));
    Ok(())
}
