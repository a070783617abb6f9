//! `dayledger export`: writes the history as files for other tools.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;

use chrono::{Local, NaiveDateTime, SubsecRound};
use clap::ArgAction;
use dayledger_terminal::Interrupts;
use dayledger_terminal::output::{self, Output};
use indicatif::BinaryBytes;

use super::OUTPUT;
use super::history::HistoryArguments;
use super::period::parse_range_flags;
use crate::export::{Export, ExportSummary, ExportTable, FileFormat, Person, Progress};
use crate::request::Error;
use crate::rows::Separator;

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n\
    \x20 dayledger export --from 2025 --out archive\n\
    \x20 dayledger export --person anna --out team --follow")]
pub(super) struct Arguments {
    /// First day, such as `2025-01-15`, or a period such as `2025` or `last month` [default with --person: all]
    #[arg(long, value_name = "START", required_unless_present = "person", num_args = 1.., action = ArgAction::Set)]
    from: Option<Vec<String>>,
    /// Last day (inclusive) [default: the end of START]
    #[arg(long, value_name = "END", requires = "from", num_args = 1.., action = ArgAction::Set)]
    to: Option<Vec<String>>,
    /// Tables to write [default: all but activities and screenshots]
    #[arg(long, value_enum, value_delimiter = ',', value_name = "NAME,...")]
    tables: Vec<ExportTable>,
    /// Also write window titles, notes, URLs and paths
    #[arg(long)]
    include_titles: bool,
    /// Keep running and export again every 15 minutes, or at the interval you pass; press Ctrl-C to stop
    #[arg(long, value_name = "MINUTES", num_args = 0..=1, default_missing_value = "15",
        value_parser = clap::value_parser!(u64).range(1..=1440))]
    follow: Option<u64>,
    /// Folder to write to: an empty one, or one with an earlier export
    #[arg(long, value_name = "DIR", help_heading = OUTPUT)]
    out: PathBuf,
    /// Write to the folder `person=NAME` inside DIR, so that several people can share DIR
    #[arg(long, value_name = "NAME", help_heading = OUTPUT)]
    person: Option<Person>,
    /// Format of the files
    #[arg(long, value_enum, default_value_t, help_heading = OUTPUT)]
    format: FileFormat,
    /// Separator for csv and csv-excel: a character or `tab`; with `;`, csv-excel uses decimal commas [default: ,]
    #[arg(long, value_name = "CHARACTER", help_heading = OUTPUT)]
    separator: Option<Separator>,
}

impl Arguments {
    /// Whether a separator is set although the format doesn't use separators.
    pub(super) fn has_unused_separator(&self) -> bool {
        self.separator.is_some() && !matches!(self.format, FileFormat::Csv | FileFormat::CsvExcel)
    }
}

pub(super) async fn run(arguments: &Arguments, history: &HistoryArguments) -> anyhow::Result<()> {
    let range = arguments.from.as_ref().map(|from| whole_days(from, arguments.to.as_deref())).transpose()?;
    let tables = if arguments.tables.is_empty() { ExportTable::DEFAULT } else { &arguments.tables };
    let export = Export {
        folder: arguments.out.clone(),
        person: arguments.person.clone(),
        range,
        tables: tables.iter().copied().collect(),
        format: arguments.format,
        separator: arguments.separator,
    };
    // Other people or assistants may read an export, so the privacy settings for other readers apply.
    let history = HistoryArguments { for_others: true, ..history.clone() };
    let builder = history.app_builder_without_notes()?;
    let app = if arguments.include_titles { builder } else { builder.without_titles() }.build()?;
    let bar = output::progress_bar("{bar:30} {pos} of {len} months, {eta} left");
    let mut show = |Progress { done, total }| {
        bar.set_length(u64::try_from(total).unwrap_or(u64::MAX));
        bar.set_position(u64::try_from(done).unwrap_or(u64::MAX));
    };
    let mut is_first = true;
    let mut round = async || -> anyhow::Result<()> {
        let written = export.run(app.history(), Local::now().naive_local().trunc_subsecs(0), &mut show).await;
        bar.finish_and_clear();
        let written = written.map_err(Error::from)?;
        if is_first {
            print_summary(&written, &export.folder())?;
        } else {
            print_update(&written)?;
        }
        is_first = false;
        Ok(())
    };
    match arguments.follow {
        None => round().await?,
        Some(minutes) => {
            let complain = |error: anyhow::Error| output::print_failure(&error);
            Interrupts::listen().await.repeat(Duration::from_mins(minutes), round, complain).await?;
        }
    }
    Ok(())
}

/// Returns the range of `--from` and `--to` in local time. The range covers whole days.
fn whole_days(from: &[String], to: Option<&[String]>) -> Result<Range<NaiveDateTime>, Error> {
    let range = parse_range_flags(from, to)?.check_whole_days(("--from", "--to"))?;
    Ok(range.start()..range.end())
}

fn print_summary(written: &ExportSummary, folder: &Path) -> anyhow::Result<()> {
    let Some(range) = &written.range else {
        output::write_stderr(|out, _| writeln!(out, "nothing to export: the history has no data in this range"));
        return Ok(());
    };
    Output::new().write_styled(|out, _| {
        for (table, rows, bytes) in &written.tables {
            let size = BinaryBytes(*bytes).to_string();
            writeln!(out, "{:<16} {rows:>10} rows {size:>9}", table.name())?;
        }
        let months = if written.months == 1 { "1 month".to_owned() } else { format!("{} months", written.months) };
        let (start, end) = (range.start.format("%Y-%m-%d %H:%M"), range.end.format("%Y-%m-%d %H:%M"));
        write!(out, "{months}, {start} to before {end}, in {}", folder.display())?;
        match written.unchanged {
            0 => writeln!(out),
            kept => writeln!(out, " ({kept} of {} files unchanged)", written.months * written.tables.len()),
        }
    })
}

/// Prints how many files a repeated export changed, if any.
fn print_update(written: &ExportSummary) -> anyhow::Result<()> {
    let files = written.months * written.tables.len();
    let new = files - written.unchanged;
    if new == 0 {
        return Ok(());
    }
    Output::new().write_styled(|out, _| {
        writeln!(out, "{}: {new} of {files} files changed", Local::now().format("%Y-%m-%d %H:%M"))
    })
}
