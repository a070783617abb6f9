//! The command `sql` of a program: runs statements from the command line, from a file, from a pipe, or at an
//! interactive prompt.
//!
//! Statements and commands work in the same way in all cases. The prompt adds history, completion and a pager. Without
//! a terminal, only rows are printed, and the first error ends the run. Start reading in `shell`.

mod arguments;
mod commands;
mod completion;
mod editor;
mod examples;
mod prompt;
mod result_file;
mod screen;
mod script;
mod shell;
mod statement_error;
mod statements;
mod target;

use std::io::{self, BufRead, IsTerminal, Write};

use anyhow::Context;
use dayledger_engine::{self as engine, UserStatement};

pub use arguments::{RowArguments, StatementArguments};
use script::read;
use shell::{Flow, Shell, report_error};
pub use target::Target;

/// Runs statements from the command line, a file, stdin or the prompt.
///
/// # Errors
/// Fails if a file can't be read. Outside of the prompt, also fails if a statement fails.
pub async fn run_statements(arguments: &StatementArguments, asked: &Target) -> anyhow::Result<()> {
    let mut shell = Shell::new_script(asked, &arguments.rows);
    let text = match (arguments.text(), &arguments.file) {
        (Some(text), _) => text.to_owned(),
        (None, Some(path)) => read(path)?,
        (None, None) if io::stdin().is_terminal() && io::stdout().is_terminal() => {
            return prompt::run(arguments, asked).await;
        }
        (None, None) if io::stdin().is_terminal() => return run_lines(&mut shell).await,
        (None, None) => script::statements(io::stdin().lock()).context("cannot read statements from stdin")?,
    };
    shell.run_script(&text).await
}

/// Runs one statement and prints its rows, like a script. `explain` converts the error of the statement.
///
/// # Errors
/// Fails if the statement fails, or if stdout can't be written.
pub async fn run_statement(
    statement: UserStatement,
    arguments: &RowArguments,
    target: &Target,
    explain: impl Fn(engine::Error) -> anyhow::Error,
) -> anyhow::Result<()> {
    Shell::new_script(target, arguments).print_rows(statement, explain).await
}

/// Runs the statements that the user types, if stdout isn't a terminal. Errors are printed, and the session continues.
async fn run_lines(shell: &mut Shell) -> anyhow::Result<()> {
    let mut pending = String::new();
    write_prompt(&pending)?;
    for line in io::stdin().lock().lines() {
        pending.push_str(&line?);
        pending.push('\n');
        if statements::can_be_entered(&pending) {
            match shell.enter(&std::mem::take(&mut pending)).await {
                Flow::Continue => {}
                Flow::Resume(begun) => pending = begun,
                Flow::Exit => return Ok(()),
            }
        }
        write_prompt(&pending)?;
    }
    // The last statement doesn't need a semicolon.
    if let Err(error) = shell.run_script(&pending).await {
        report_error(&error);
    }
    Ok(())
}

/// Writes the prompt to stderr, because stdout contains only data.
fn write_prompt(pending: &str) -> io::Result<()> {
    let mut stderr = io::stderr().lock();
    stderr.write_all(if pending.trim().is_empty() { b"dayledger> " } else { b"        -> " })?;
    stderr.flush()
}
