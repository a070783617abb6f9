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
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;

use super::{Output, output};
use crate::engine::{self, Engine, Position, Table};
use crate::report::{self, Format};
use statements::Statement;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Run these statements
    #[arg(short, long, value_name = "SQL", conflicts_with = "file")]
    command: Option<String>,
    /// Run the statements of this file
    #[arg(short, long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// How rows are printed
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// At a prompt, neither read nor keep what was typed before
    #[arg(long)]
    no_history: bool,
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

pub(super) async fn run(arguments: &Arguments, engine: &Engine) -> anyhow::Result<ExitCode> {
    let text = match (&arguments.command, &arguments.file) {
        (Some(text), _) => text.clone(),
        (None, Some(path)) => read(path)?,
        (None, None) if io::stdin().is_terminal() && io::stdout().is_terminal() => {
            return prompt::run(arguments, engine).await;
        }
        (None, None) if io::stdin().is_terminal() => return lines(arguments.format, engine).await,
        (None, None) => {
            let mut text = String::new();
            io::stdin().read_to_string(&mut text).context("cannot read statements from stdin")?;
            text
        }
    };
    for statement in statements::split(&text) {
        print(&text, &statement, arguments.format, engine).await?;
    }
    Ok(ExitCode::SUCCESS)
}

fn read(path: &std::path::Path) -> anyhow::Result<String> {
    fs::read_to_string(path).with_context(|| format!("cannot read `{}`", path.display()))
}

/// Runs what somebody types while rows go elsewhere; a mistake is told and costs nothing else.
async fn lines(format: Format, engine: &Engine) -> anyhow::Result<ExitCode> {
    let mut pending = String::new();
    ask_for_more(&pending)?;
    for line in io::stdin().lock().lines() {
        pending.push_str(&line?);
        pending.push('\n');
        if statements::is_complete(&pending) {
            print_typed(&std::mem::take(&mut pending), format, engine).await;
        }
        ask_for_more(&pending)?;
    }
    print_typed(&pending, format, engine).await;
    Ok(ExitCode::SUCCESS)
}

async fn print_typed(text: &str, format: Format, engine: &Engine) {
    for statement in statements::split(text) {
        if let Err(error) = print(text, &statement, format, engine).await {
            output::complain(&super::message_of(&error), super::hint_of(&error).as_deref());
        }
    }
}

/// A prompt is talk, not data.
fn ask_for_more(pending: &str) -> io::Result<()> {
    let mut stderr = io::stderr().lock();
    stderr.write_all(if pending.trim().is_empty() { b"dayledger> " } else { b"        -> " })?;
    stderr.flush()
}

/// Runs a statement of `text` and prints its rows.
async fn print(text: &str, statement: &Statement, format: Format, engine: &Engine) -> anyhow::Result<()> {
    let table = ask(engine, &statement.text).await.map_err(|error| misplaced(error, text, statement))?;
    Output::new().draw(|out, style| report::write_batches(out, &table.batches, &table.schema, format, style))
}

/// The one way to the engine.
async fn ask(engine: &Engine, statement: &str) -> Result<Table, engine::Error> {
    engine.query(statement.to_owned()).await
}

fn misplaced(error: engine::Error, text: &str, statement: &Statement) -> anyhow::Error {
    match error.position() {
        Some(position) => Misplaced { at: statement.place_in(text, position), error }.into(),
        None => error.into(),
    }
}
