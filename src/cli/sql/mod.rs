//! `dayledger sql`: statements from `-c`, a file, a pipe, or typed at a prompt.
//!
//! Purpose: SQL for a person and for scripts. At a prompt there are history, completion, commands and a pager; without a
//! terminal, statements go in, rows come out, and the first mistake ends it.

mod commands;
mod completion;
mod editor;
mod examples;
mod interrupts;
mod pager;
mod prompt;
mod result_file;
mod screen;
mod shell;
mod statements;

use std::fs;
use std::io::{self, BufRead, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context;

use super::{HistoryArguments, Output, output, worker};
use crate::engine::{self, Engine, Position, QueryLimits, Table};
use crate::export::Archive;
use crate::manictime::Source;
use crate::report::{self, Format};
use crate::{House, archive_with_workers};
use statements::Statement;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Run these statements
    #[arg(short, long, value_name = "SQL", conflicts_with = "file")]
    command: Option<String>,
    /// Run the statements of this file
    #[arg(short, long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// Ask the Parquet files of this folder, which `dayledger export` wrote, instead of the history
    #[arg(long, value_name = "DIR")]
    exports: Option<PathBuf>,
    /// How rows are printed
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Show at most this many rows of a statement [default: 100000 at a prompt, else 10000000]
    #[arg(long, value_name = "ROWS", value_parser = clap::value_parser!(u64).range(1..))]
    max_rows: Option<u64>,
    /// Stop a statement that runs for this long [default: 300]
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=604_800))]
    timeout: Option<u64>,
    /// Stop a statement that needs more memory than this [default: 1024]
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(1..=1_048_576))]
    memory: Option<u64>,
    /// At a prompt, neither read nor keep what was typed before
    #[arg(long)]
    no_history: bool,
}

impl Arguments {
    /// Whether an export is asked, not a history.
    pub(super) fn asks_exports(&self) -> bool {
        self.exports.is_some()
    }

    /// The limits of each statement, with those of `usual` where no flag says otherwise.
    fn limits(&self, usual: QueryLimits) -> QueryLimits {
        let size = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        QueryLimits {
            deadline: self.timeout.map_or(usual.deadline, Duration::from_secs),
            memory_bytes: self.memory.map_or(usual.memory_bytes, |megabytes| size(megabytes << 20)),
            rows: self.max_rows.map_or(usual.rows, size),
            ..usual
        }
    }
}

/// A statement's mistake, with its place in the text that the statement is from.
#[derive(Debug, thiserror::Error)]
#[error("{error} (line {}, column {})", at.line, at.column)]
pub(super) struct Misplaced {
    #[source]
    error: engine::Error,
    at: Position,
}

impl Misplaced {
    pub(super) fn hint(&self) -> String {
        self.error.hint()
    }
}

/// Where statements go and how their rows come back.
struct Desk<'e> {
    engine: &'e Engine,
    limits: QueryLimits,
    format: Format,
}

/// What is asked, and its name for a person.
struct Named {
    engine: Engine,
    /// The history; absent where an export is asked.
    source: Option<Source>,
    place: String,
}

impl Named {
    fn open(exports: Option<&Path>, history: &HistoryArguments) -> anyhow::Result<Self> {
        if let Some(folder) = exports {
            let archive = Archive::open(folder)?;
            let engine = archive_with_workers(&archive, worker::program()?)?;
            return Ok(Self { engine, source: None, place: archive.summary() });
        }
        let source = super::source(history)?;
        let place = match source.location() {
            Ok(location) => location.database.display().to_string(),
            // Every statement will say it again, until the history is there.
            Err(error) => error.to_string(),
        };
        let house = House::over(source)?.with_workers(worker::program()?)?;
        Ok(Self { engine: house.engine().clone(), source: Some(house.history().source().clone()), place })
    }
}

pub(super) async fn run(arguments: &Arguments, history: &HistoryArguments) -> anyhow::Result<ExitCode> {
    let asked = Named::open(arguments.exports.as_deref(), history)?;
    let engine = &asked.engine;
    let desk = Desk { engine, limits: arguments.limits(QueryLimits::default()), format: arguments.format };
    let text = match (&arguments.command, &arguments.file) {
        (Some(text), _) => text.clone(),
        (None, Some(path)) => read(path)?,
        (None, None) if io::stdin().is_terminal() && io::stdout().is_terminal() => {
            return prompt::run(arguments, &asked).await;
        }
        (None, None) if io::stdin().is_terminal() => return desk.lines().await,
        (None, None) => {
            let mut text = String::new();
            io::stdin().read_to_string(&mut text).context("cannot read statements from stdin")?;
            without_mark(text)
        }
    };
    for statement in statements::split(&text) {
        desk.print(&text, &statement).await?;
    }
    Ok(ExitCode::SUCCESS)
}

impl Desk<'_> {
    /// Runs what somebody types while rows go elsewhere; a mistake is told and costs nothing else.
    async fn lines(&self) -> anyhow::Result<ExitCode> {
        let mut pending = String::new();
        ask_for_more(&pending)?;
        for line in io::stdin().lock().lines() {
            pending.push_str(&line?);
            pending.push('\n');
            if statements::missing(&pending).is_none() {
                self.print_typed(&std::mem::take(&mut pending)).await;
            }
            ask_for_more(&pending)?;
        }
        self.print_typed(&pending).await;
        Ok(ExitCode::SUCCESS)
    }

    async fn print_typed(&self, text: &str) {
        for statement in statements::split(text) {
            if let Err(error) = self.print(text, &statement).await {
                output::complain(&super::message_of(&error), super::hint_of(&error).as_deref());
            }
        }
    }

    /// Runs a statement of `text` and prints its rows, as they come where the format allows it.
    async fn print(&self, text: &str, statement: &Statement) -> anyhow::Result<()> {
        let told = |error| misplaced(error, text, statement);
        let mut rows = self.engine.stream(statement.text.as_str(), &self.limits).await.map_err(told)?;
        let schema = rows.schema();
        let mut out = Output::new();
        if let Some(mut writer) = self.format.row_writer(&schema) {
            out.draw(|out, _| writer.begin(out))?;
            while let Some(batch) = rows.next().await {
                let batch = batch.map_err(told)?;
                out.draw(|out, _| writer.write(out, &batch))?;
            }
            out.draw(|out, _| writer.end(out))?;
        } else {
            let mut batches = Vec::new();
            while let Some(batch) = rows.next().await {
                batches.push(batch.map_err(told)?);
            }
            out.draw(|out, style| report::write_batches(out, &batches, &schema, self.format, style))?;
        }
        if rows.truncated().is_some() {
            // Rows that are missing from a file would be noticed too late, if ever.
            output::talk(|out, _| writeln!(out, "note: these are only the first rows; `--max-rows` sets how many"));
        }
        Ok(())
    }
}

/// A prompt is talk, not data.
fn ask_for_more(pending: &str) -> io::Result<()> {
    let mut stderr = io::stderr().lock();
    stderr.write_all(if pending.trim().is_empty() { b"dayledger> " } else { b"        -> " })?;
    stderr.flush()
}

/// The way to the engine for who shows all rows together.
async fn ask(engine: &Engine, limits: &QueryLimits, statement: &str) -> Result<Table, engine::Error> {
    engine.query(statement, limits).await
}

fn read(path: &Path) -> anyhow::Result<String> {
    let text = fs::read_to_string(path).with_context(|| format!("cannot read `{}`", path.display()))?;
    Ok(without_mark(text))
}

/// A text without the byte order mark that editors of Windows begin one with.
fn without_mark(text: String) -> String {
    text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text)
}

fn misplaced(error: engine::Error, text: &str, statement: &Statement) -> anyhow::Error {
    match error.position() {
        Some(position) => Misplaced { at: statement.place_in(text, position), error }.into(),
        None => error.into(),
    }
}
