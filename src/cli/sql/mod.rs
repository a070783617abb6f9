//! `dayledger sql`: statements from `-c`, a file, a pipe, or typed at a prompt.
//!
//! Purpose: SQL for a person and for scripts. At a prompt there are history, completion, commands and a pager; without a
//! terminal, statements go in, rows come out, and the first mistake ends it.

mod arguments;
mod commands;
mod completion;
mod editor;
mod examples;
pub(super) mod misplaced;
mod pager;
mod prompt;
mod result_file;
mod screen;
mod script;
mod shell;
mod statements;
mod target;

use std::io::{self, BufRead, IsTerminal, Read, Write};
use std::process::ExitCode;

use anyhow::Context;

use super::complaint::{hint_of, message_of};
use super::history::HistoryArguments;
use super::{Output, output};
use crate::engine::{Engine, QueryLimits};
use crate::report::{self, Format};
pub(super) use arguments::Arguments;
pub use arguments::Asking;
use misplaced::misplaced;
use script::{read, without_mark};
use statements::Statement;
pub use target::Target;

/// Where statements go and how their rows come back.
struct Desk<'e> {
    engine: &'e Engine,
    limits: QueryLimits,
    format: Format,
}

pub(super) async fn run(arguments: &Arguments, history: &HistoryArguments) -> anyhow::Result<ExitCode> {
    let asked = Target::open(arguments.exports.as_deref(), history)?;
    ask(&arguments.asking, &asked).await
}

/// Carries out the command for whatever is asked.
///
/// # Errors
/// A file of statements that cannot be read, and without a prompt what is wrong with a statement.
pub async fn ask(arguments: &Asking, asked: &Target) -> anyhow::Result<ExitCode> {
    let engine = &asked.engine;
    let desk = Desk { engine, limits: arguments.limits(QueryLimits::default()), format: arguments.format };
    let text = match (arguments.text(), &arguments.file) {
        (Some(text), _) => text.to_owned(),
        (None, Some(path)) => read(path)?,
        (None, None) if io::stdin().is_terminal() && io::stdout().is_terminal() => {
            return prompt::run(arguments, asked).await;
        }
        (None, None) if io::stdin().is_terminal() => return desk.lines().await,
        (None, None) => {
            let mut text = String::new();
            io::stdin().read_to_string(&mut text).context("cannot read statements from stdin")?;
            without_mark(text)
        }
    };
    desk.print_all(&text).await?;
    Ok(ExitCode::SUCCESS)
}

/// Prints the rows of a statement that is the caller's own.
///
/// # Errors
/// What is wrong with it, or with what it asks.
pub async fn print_rows(sql: &str, format: Format, asked: &Target) -> anyhow::Result<()> {
    Desk { engine: &asked.engine, limits: QueryLimits::default(), format }.print_all(sql).await
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
                output::complain(&message_of(&error), hint_of(&error).as_deref());
            }
        }
    }

    /// Runs the statements of `text` in order, up to the first mistake.
    async fn print_all(&self, text: &str) -> anyhow::Result<()> {
        for statement in statements::split(text) {
            self.print(text, &statement).await?;
        }
        Ok(())
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
