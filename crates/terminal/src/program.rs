//! The start and the end of a program: the log, the command line, the exit code, and the path of the executable.

use std::borrow::Cow;
use std::env;
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::process::{self, ExitCode};

use anyhow::Context;
use clap::error::{ContextKind, ContextValue};
use clap::{ColorChoice, Parser, ValueEnum};

use super::environment;
use super::escaping_writer::{AllowedCharacters, EscapingWriter, escape_text};
use super::output::{self, Output};

/// Starts the log of a program and parses its arguments. Ends the process if the arguments request help or are invalid.
pub fn parse_arguments<P: Parser>() -> P {
    // The log starts first, so that a panic while parsing can't print the arguments.
    start_log();
    // The help and the errors of the arguments are also printed in the colours that the user chose.
    let color = option_value(env::args_os().skip(1), "--color");
    let color = color.and_then(|color| ColorChoice::from_str(&color.to_string_lossy(), false).ok());
    let mut command = P::command().color(color.unwrap_or_default());
    let parsed = command.try_get_matches_from_mut(env::args_os());
    parsed
        .and_then(|mut matches| P::from_arg_matches_mut(&mut matches).map_err(|error| error.format(&mut command)))
        .unwrap_or_else(|error| end_with(error))
}

/// Returns the value of `option`, such as `--color`, in arguments that aren't parsed yet. Some options are needed to
/// parse the other arguments.
pub fn option_value(arguments: impl IntoIterator<Item = OsString>, option: &str) -> Option<OsString> {
    let mut arguments = arguments.into_iter().take_while(|argument| argument != "--");
    while let Some(argument) = arguments.next() {
        if argument == option {
            return arguments.next();
        }
        let attached = argument.to_str().and_then(|argument| argument.strip_prefix(option)?.strip_prefix('='));
        if let Some(value) = attached {
            return Some(value.into());
        }
    }
    None
}

/// Prints the help, or the error for an invalid argument, and ends the process.
fn end_with(mut error: clap::Error) -> ! {
    /// The maximum number of characters of an argument that an error repeats.
    const MAX_QUOTED_CHARS: usize = 200;
    if let Some(ContextValue::String(value)) = error.get(ContextKind::InvalidValue)
        && let Some((end, _)) = value.char_indices().nth(MAX_QUOTED_CHARS)
    {
        let start = format!("{}…", &value[..end]);
        error.insert(ContextKind::InvalidValue, ContextValue::String(start));
    }
    let text = error.render().to_string();
    let shown = escape_text(&text);
    // `text` doesn't contain escape sequences any more: clap's own were removed, and those of an argument were escaped.
    let is_plain = |argument: OsString| matches!(escape_text(&argument.to_string_lossy()), Cow::Borrowed(_));
    // Only clap's `exit` prints clap's colours, but `exit` prints control characters unchanged. So `exit` is used only
    // if no argument contains control characters.
    if shown == text && env::args_os().all(is_plain) {
        error.exit()
    }
    if error.use_stderr() {
        output::write_stderr(|out, _| out.write_all(shown.as_bytes()));
    } else {
        // The error is ignored, because a reader such as `head` may stop early.
        let _ = Output::new().write_styled(|out, _| out.write_all(shown.as_bytes()));
    }
    process::exit(error.exit_code())
}

/// Runs the command of a program and returns its exit code. If the command fails, prints the error on stderr with the
/// hint of the first [`Error`](dayledger_core::Error) in its chain of causes.
pub fn run(command: impl Future<Output = anyhow::Result<ExitCode>>) -> ExitCode {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let outcome = runtime.map_err(anyhow::Error::from).and_then(|runtime| {
        let outcome = runtime.block_on(command);
        // A blocked read or write of a standard stream isn't awaited, because it ends with the process.
        runtime.shutdown_background();
        outcome
    });
    match outcome {
        Ok(code) => code,
        Err(error) if output::is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            output::print_failure(&error);
            ExitCode::FAILURE
        }
    }
}

/// Starts the log, which is written to stderr. `DAYLEDGER_LOG` sets the level. For a panic, only the source location is
/// logged, because the message may contain private data.
fn start_log() {
    let filter = environment::log_filter().unwrap_or_else(|| "warn".to_owned());
    // The protocol library is excluded, because it logs the messages of clients at every level.
    let filter = format!("{filter},rmcp=off");
    let filter = tracing_subscriber::EnvFilter::try_new(filter).unwrap_or_else(|_| "warn,rmcp=off".into());
    let stderr = || EscapingWriter::new(io::stderr(), AllowedCharacters::TEXT);
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(stderr).with_ansi(false).init();
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        tracing::error!(place, "internal error");
    }));
}

/// Returns the path of this executable. On Linux, the path stays valid even if the file is replaced while the program
/// runs.
///
/// # Errors
/// Fails if the path can't be found.
pub fn path() -> anyhow::Result<PathBuf> {
    if cfg!(target_os = "linux") {
        return Ok("/proc/self/exe".into());
    }
    env::current_exe().context("cannot find the path of the dayledger executable")
}
