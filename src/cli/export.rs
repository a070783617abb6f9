//! `dayledger export`: the history as files for other tools.

use std::path::PathBuf;
use std::process::ExitCode;

use chrono::{Local, SubsecRound};
use clap::ArgAction;

use super::history::HistoryArguments;
use super::{Output, output};
use crate::House;
use crate::export::{Export, ExportTable, FileFormat, Progress, Written};
use crate::question::DateRange;

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n\
    \x20 dayledger export --from 2025 --out archive")]
pub(super) struct Arguments {
    /// First local date (YYYY-MM-DD), or a period such as `2025`, `2025-01`, `last month`
    #[arg(long, value_name = "START", required = true, num_args = 1.., action = ArgAction::Set)]
    from: Vec<String>,
    /// Local date after the last one; without it, the period that START names
    #[arg(long, value_name = "END", num_args = 1.., action = ArgAction::Set)]
    to: Option<Vec<String>>,
    /// Folder to write into, empty or of an earlier export
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Tables to write [default: all but activities and screenshots]
    #[arg(long, value_enum, value_delimiter = ',', value_name = "NAME,...")]
    tables: Vec<ExportTable>,
    /// What the files are
    #[arg(long, value_enum, default_value_t)]
    format: FileFormat,
    /// Write window titles, notes, addresses and paths too
    #[arg(long)]
    include_titles: bool,
}

pub(super) async fn run(arguments: &Arguments, history: &HistoryArguments) -> anyhow::Result<ExitCode> {
    let to = arguments.to.as_ref().map(|words| words.join(" "));
    let range = DateRange::parse(&arguments.from.join(" "), to.as_deref(), ("--from", "--to"))
        .and_then(|range| range.of_whole_days(("--from", "--to")))?;
    let source = history.source()?;
    let tables = if arguments.tables.is_empty() { &ExportTable::USUAL[..] } else { &arguments.tables };
    let export = Export {
        folder: arguments.out.clone(),
        range: range.start()..range.end(),
        tables: tables.iter().copied().collect(),
        format: arguments.format,
    };
    let house = if arguments.include_titles { House::over(source)? } else { House::without_titles(source)? };
    let bar = output::progress_bar("{bar:30} {pos} of {len} months, {eta} left");
    let mut show = |Progress { done, total }| {
        bar.set_length(u64::try_from(total).unwrap_or(u64::MAX));
        bar.set_position(u64::try_from(done).unwrap_or(u64::MAX));
    };
    let written = export.run(house.history(), Local::now().naive_local().trunc_subsecs(0), &mut show).await;
    bar.finish_and_clear();
    tell(&written?, arguments)?;
    Ok(ExitCode::SUCCESS)
}

fn tell(written: &Written, arguments: &Arguments) -> anyhow::Result<()> {
    let Some(range) = &written.range else {
        output::talk(|out, _| writeln!(out, "nothing was recorded in this range; nothing was written"));
        return Ok(());
    };
    Output::new().draw(|out, _| {
        for (table, rows, bytes) in &written.tables {
            writeln!(out, "{:<16} {rows:>10} rows {:>9}", table.name(), size(*bytes))?;
        }
        let months = if written.months == 1 { "1 month".to_owned() } else { format!("{} months", written.months) };
        let (start, end) = (range.start.format("%Y-%m-%d %H:%M"), range.end.format("%Y-%m-%d %H:%M"));
        writeln!(out, "{months}, {start} to before {end}, in {}", arguments.out.display())
    })
}

/// A number of bytes for a person.
fn size(bytes: u64) -> String {
    indicatif::BinaryBytes(bytes).to_string()
}
