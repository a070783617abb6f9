//! `dayledger timesheet export`: entries as a file for other tools.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::ArgAction;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use dayledger_timesheet::export::Format;

use super::output_file;
use super::scope::house;
use crate::cli::history::HistoryArguments;
use crate::cli::{Output, output};
use crate::files::IfPresent;
use crate::question::DateRange;
use crate::timesheet::ExportEntriesRequest;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// First day (YYYY-MM-DD), or a period such as `2025-W43`, `2025-10`, `last month` [default: all entries]
    #[arg(long, value_name = "START", num_args = 1.., action = ArgAction::Set)]
    from: Option<Vec<String>>,
    /// Last day, included [default: the end of START]
    #[arg(long, value_name = "END", num_args = 1.., action = ArgAction::Set, requires = "from")]
    to: Option<Vec<String>>,
    /// What the file is: for spreadsheets, klog, hledger (timeclock), calendars (ics), programs
    #[arg(long, value_parser = PossibleValuesParser::new(Format::ALL.map(Format::as_str)).try_map(|name| name.parse::<Format>()))]
    format: Format,
    /// File to write [default: stdout]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Replace a file that is there
    #[arg(long, requires = "out")]
    force: bool,
}

pub(super) async fn run(arguments: &Arguments, history: &HistoryArguments) -> anyhow::Result<ExitCode> {
    let to = arguments.to.as_ref().map(|words| words.join(" "));
    let names = ("--from", "--to");
    let range = arguments.from.as_ref().map(|from| DateRange::parse_inclusive(&from.join(" "), to.as_deref(), names));
    let house = house(history)?;
    let exported = house.ask(ExportEntriesRequest::new(range.transpose()?, arguments.format)?).await?;
    let Some(path) = &arguments.out else {
        Output::new().draw(|out, _| out.write_all(exported.text.as_bytes()))?;
        return Ok(ExitCode::SUCCESS);
    };
    let if_present = if arguments.force { IfPresent::Replace } else { IfPresent::Keep };
    output_file::write(path, &exported.text, if_present, house.history().source())?;
    let entries = if exported.entries == 1 { "entry" } else { "entries" };
    output::talk(|out, _| {
        writeln!(out, "{} {entries}, {} hours, in `{}`", exported.entries, exported.hours, path.display())
    });
    Ok(ExitCode::SUCCESS)
}
