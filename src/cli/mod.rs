//! The commands of dayledger: the command line, the configuration, and terminal input and output.
//!
//! Flags override environment variables, and environment variables override the configuration file.
//!
//! Invariants: stdout contains only data, written through one type. Everything else goes to stderr. Exit codes are 0
//! for success, 1 for a failure and 2 for wrong usage.

mod client_page;
mod completions;
mod config;
mod config_file;
mod day;
mod demo;
mod demo_history;
mod destination;
mod doctor;
mod error_report;
mod escaping_writer;
mod export;
mod folders;
mod form;
mod history;
mod install;
mod interrupts;
mod manual;
mod opener;
mod output;
mod page_file;
mod period;
mod report;
mod rules;
mod serve;
mod settings;
mod sql;
mod timesheet;
mod toml_path;
mod why;
mod worker;

use std::borrow::Cow;
use std::env;
use std::ffi::OsString;
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue};
use clap::{CommandFactory, Parser, Subcommand};

use error_report::{find_hint, full_message};
use escaping_writer::{AllowedCharacters, EscapingWriter, escape_text};
use history::HistoryArguments;
use output::Output;
pub use output::{print_line, print_note};
pub use period::start_and_end;
pub use sql::{StatementArguments, Target, print_table, run_statements};
pub use worker::program;

/// Answers "what did I do?" from the ManicTime history on this machine.
#[derive(Debug, Parser)]
#[command(name = "dayledger", version, max_term_width = 100)]
pub struct Cli {
    #[command(flatten)]
    history: HistoryArguments,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Show what was done on a day
    Day(day::Arguments),
    /// Show today: short for `day today`
    #[command(after_help = "Examples:\n\
        \x20 dayledger today\n\
        \x20 dayledger today --segments")]
    Today(day::Options),
    /// Show the days of a period
    Period(period::Arguments),
    /// Show this week: short for `period this week`
    #[command(after_help = "Examples:\n\
        \x20 dayledger week\n\
        \x20 dayledger week --compare previous")]
    Week(period::Options),
    /// Show this month: short for `period this month`
    #[command(after_help = "Examples:\n\
        \x20 dayledger month\n\
        \x20 dayledger month --tag northwind")]
    Month(period::Options),
    /// Tell what each stretch of time counts as, and why
    Why(why::Arguments),
    /// Write a page about a day, a week or a month for the browser
    Report(report::Arguments),
    /// Show what the rules of the configuration catch, what they leave, and rules for that
    Rules(rules::Arguments),
    /// Show the hours of a week; draft, log, edit and submit them
    Timesheet(timesheet::Arguments),
    /// Ask the history in SQL
    Sql(sql::Arguments),
    /// Write the history as files for other tools: Parquet, CSV or JSON Lines
    Export(export::Arguments),
    /// Check the history: where it is, what it holds, what is missing
    Doctor(doctor::Arguments),
    /// Write an invented history in ManicTime's own format
    Demo(demo::Arguments),
    /// Serve the history to AI assistants over MCP (stdio)
    Serve(settings::Settings),
    /// Set up an AI assistant so that it starts the server
    Install(install::Arguments),
    /// Take the server out of what an AI assistant starts
    Uninstall(install::Removal),
    /// Print what lets your shell complete commands and flags
    Completions(completions::Arguments),
    #[command(hide = true)]
    Manual(manual::Arguments),
    #[command(hide = true)]
    Worker,
}

/// Runs the program with the process's arguments.
pub fn main() -> ExitCode {
    let cli: Cli = parse();
    refuse_conflicts(&cli);
    carry_out(run(cli))
}

/// Starts the log of a program and reads its arguments. Ends it if they ask for help or are wrong.
pub fn parse<P: Parser>() -> P {
    // Before the arguments are read, so that a panic shows nothing of them.
    start_log();
    P::try_parse().unwrap_or_else(|error| end_with(error))
}

/// Prints help or what is wrong with an argument, and ends the process.
fn end_with(mut error: clap::Error) -> ! {
    /// How many characters of an argument are repeated.
    const MAX_QUOTED_CHARS: usize = 200;
    if let Some(ContextValue::String(value)) = error.get(ContextKind::InvalidValue)
        && let Some((end, _)) = value.char_indices().nth(MAX_QUOTED_CHARS)
    {
        let start = format!("{}…", &value[..end]);
        error.insert(ContextKind::InvalidValue, ContextValue::String(start));
    }
    let text = error.render().to_string();
    let shown = escape_text(&text);
    // The text has lost its escape sequences, those of clap and those of an argument.
    let is_plain = |argument: OsString| matches!(escape_text(&argument.to_string_lossy()), Cow::Borrowed(_));
    if shown == text && env::args_os().all(is_plain) {
        error.exit()
    }
    if error.use_stderr() {
        output::write_stderr(|out, _| out.write_all(shown.as_bytes()));
    } else {
        // A reader that stops early, such as `head`, is not an error.
        let _ = Output::new().write_styled(|out, _| out.write_all(shown.as_bytes()));
    }
    std::process::exit(error.exit_code())
}

/// Carries out a command of a program. Prints its error on stderr, with the hint of the [`Error`](crate::request::Error) that
/// it is or comes from.
pub fn carry_out(command: impl Future<Output = anyhow::Result<ExitCode>>) -> ExitCode {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let outcome = runtime.map_err(anyhow::Error::from).and_then(|runtime| {
        let outcome = runtime.block_on(command);
        // A read or write of a standard stream that hangs ends with the process.
        runtime.shutdown_background();
        outcome
    });
    match outcome {
        Ok(code) => code,
        Err(error) if output::is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            output::print_error(&full_message(&error), find_hint(&error));
            ExitCode::FAILURE
        }
    }
}

fn refuse_conflicts(cli: &Cli) {
    const SEPARATOR: &str = "`--separator` needs `--format csv` or `--format csv-excel`";
    // clap has no conflicts with options of all commands, with commands and with values.
    let message = match &cli.command {
        Command::Sql(arguments) if arguments.exports.is_some() && cli.history.is_given() => {
            "`--exports` cannot be used with `--data-dir`, `--screenshots-dir` or `--demo`"
        }
        Command::Timesheet(arguments) if arguments.names_two_weeks() => {
            "the week belongs behind the last command, such as `dayledger timesheet draft 2025-W43`"
        }
        Command::Export(arguments) if arguments.has_unused_separator() => SEPARATOR,
        Command::Timesheet(arguments) if arguments.has_unused_separator() => SEPARATOR,
        _ => return,
    };
    Cli::command().error(clap::error::ErrorKind::ArgumentConflict, message).exit();
}

async fn run(cli: Cli) -> anyhow::Result<ExitCode> {
    match cli.command {
        Command::Day(arguments) => day::run(&arguments, &cli.history).await?,
        Command::Today(options) => day::run_today(&options, &cli.history).await?,
        Command::Week(options) => period::run_named("this week", &options, &cli.history).await?,
        Command::Month(options) => period::run_named("this month", &options, &cli.history).await?,
        Command::Period(arguments) => period::run(&arguments, &cli.history).await?,
        Command::Why(arguments) => why::run(&arguments, &cli.history.app()?).await?,
        Command::Report(arguments) => report::run(&arguments, &cli.history).await?,
        Command::Rules(arguments) => rules::run(&arguments, &cli.history).await?,
        Command::Timesheet(arguments) => return timesheet::run(&arguments, &cli.history).await,
        Command::Sql(arguments) => sql::run(&arguments, &cli.history).await?,
        Command::Export(arguments) => export::run(&arguments, &cli.history).await?,
        Command::Doctor(arguments) => return doctor::run(&arguments, &cli.history).await,
        Command::Serve(settings) => serve::run(settings, &cli.history).await?,
        Command::Install(arguments) => install::run(&arguments, &cli.history)?,
        Command::Uninstall(arguments) => install::remove(&arguments, &cli.history)?,
        Command::Demo(arguments) => demo::run(&arguments, &cli.history).await?,
        Command::Completions(arguments) => completions::run(&arguments, &Cli::command())?,
        Command::Manual(arguments) => manual::run(&arguments, &cli.history, Cli::command())?,
        Command::Worker => worker::run().await?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Logs go to stderr; `DAYLEDGER_LOG` sets the level. A panic's message may hold private data, so only its place is
/// logged.
fn start_log() {
    let filter = config::log_filter().unwrap_or_else(|| "warn".to_owned());
    // The protocol's library logs what clients send, at any level.
    let filter = format!("{filter},rmcp=off");
    let filter = tracing_subscriber::EnvFilter::try_new(filter).unwrap_or_else(|_| "warn,rmcp=off".into());
    let stderr = || EscapingWriter::new(std::io::stderr(), AllowedCharacters::TEXT);
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(stderr).with_ansi(false).init();
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        tracing::error!(place, "internal error");
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The words of a command as it is typed, up to where a shell sends what it prints.
    fn words(typed: &str) -> Vec<&str> {
        let parts = typed.split('"').enumerate();
        let words = parts.flat_map(|(place, part)| match place % 2 {
            0 => part.split_whitespace().collect(),
            _ => vec![part],
        });
        words.take_while(|word| *word != ">").collect()
    }

    #[test]
    fn every_command_ends_its_help_with_examples_that_it_takes() {
        for command in Cli::command().get_subcommands().filter(|command| !command.is_hide_set()) {
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            let examples: Vec<_> = help.lines().skip(1).map(str::trim).collect();
            assert!(!examples.is_empty(), "{}", command.get_name());
            for example in examples {
                let parsed = Cli::try_parse_from(words(example));
                assert!(parsed.is_ok(), "{example}: {}", parsed.unwrap_err());
                assert!(words(example).contains(&command.get_name()), "{example}");
            }
        }
    }
}
