//! `dayledger sql`: statements from `-c`, a file, a pipe, or typed line by line.

use std::fs;
use std::io::{self, BufRead, IsTerminal, Read, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::tokenizer::{Token, Tokenizer};

use super::{Output, output};
use crate::engine::{Engine, QueryLimits};
use crate::report::{self, Format};

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
}

pub(super) async fn run(arguments: &Arguments, engine: &Engine) -> anyhow::Result<ExitCode> {
    let text = match (&arguments.command, &arguments.file) {
        (Some(text), _) => text.clone(),
        (None, Some(path)) => fs::read_to_string(path).with_context(|| format!("cannot read `{}`", path.display()))?,
        (None, None) if io::stdin().is_terminal() => return lines(arguments.format, engine).await,
        (None, None) => {
            let mut text = String::new();
            io::stdin().read_to_string(&mut text).context("cannot read statements from stdin")?;
            text
        }
    };
    for statement in statements(&text)? {
        print(&statement, arguments.format, engine).await?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Reads statements up to a semicolon, one after the other, until the input ends.
async fn lines(format: Format, engine: &Engine) -> anyhow::Result<ExitCode> {
    let mut pending = String::new();
    prompt("dayledger> ")?;
    for line in io::stdin().lock().lines() {
        pending.push_str(&line?);
        pending.push('\n');
        if pending.trim_end().ends_with(';') {
            print_typed(&std::mem::take(&mut pending), format, engine).await;
        }
        prompt(if pending.trim().is_empty() { "dayledger> " } else { "        -> " })?;
    }
    print_typed(&pending, format, engine).await;
    Ok(ExitCode::SUCCESS)
}

/// Runs what was typed; a mistake in it is told and costs nothing else.
async fn print_typed(text: &str, format: Format, engine: &Engine) {
    let told = |error: anyhow::Error| output::complain(&super::message_of(&error), super::hint_of(&error).as_deref());
    match statements(text) {
        Ok(statements) => {
            for statement in statements {
                if let Err(error) = print(&statement, format, engine).await {
                    told(error);
                }
            }
        }
        Err(error) => told(error),
    }
}

/// A prompt is talk, not data.
fn prompt(text: &str) -> io::Result<()> {
    let mut stderr = io::stderr().lock();
    stderr.write_all(text.as_bytes())?;
    stderr.flush()
}

async fn print(statement: &str, format: Format, engine: &Engine) -> anyhow::Result<()> {
    let table = engine.query(statement, &QueryLimits::default()).await?;
    Output::new().draw(|out, style| report::write_batches(out, &table.batches, &table.schema, format, style))
}

/// Splits a text at the semicolons that end statements, leaving out empty ones.
fn statements(text: &str) -> anyhow::Result<Vec<String>> {
    let tokens = Tokenizer::new(&GenericDialect {}, text)
        .with_unescape(false)
        .tokenize()
        .map_err(|error| anyhow::anyhow!("{error}"))?;
    let statements = tokens.split(|token| *token == Token::SemiColon);
    Ok(statements
        .filter(|tokens| tokens.iter().any(|token| !matches!(token, Token::Whitespace(_))))
        .map(|tokens| tokens.iter().map(ToString::to_string).collect())
        .collect())
}

#[cfg(test)]
mod tests {
    use super::statements;

    #[test]
    fn semicolons_end_statements_but_not_inside_texts_and_comments() {
        let text = "SELECT ';' AS a; -- one; two\n;\nSELECT \"b;c\" FROM t /* ; */ WHERE x = 'it''s'";
        let split = statements(text).unwrap();
        assert_eq!(split.len(), 2, "{split:?}");
        assert_eq!(split[0], "SELECT ';' AS a");
        assert_eq!(split[1].trim(), "SELECT \"b;c\" FROM t /* ; */ WHERE x = 'it''s'");
    }
}
