//! Completes the command line in a shell.
//!
//! `dayledger completions` prints a script for a shell. For each completion, the script runs `dayledger complete SHELL
//! INDEX -- WORDS`, which isn't in the help. The first line of the output is `values` or `files`. After `values`, each
//! line is a candidate. After `files`, the shell itself completes the name of a file.
//!
//! The module `words` reads and writes words in the notation of a shell, `place` finds the argument that the user is
//! typing, and `values` lists the values of an argument.
//!
//! Invariants: a completion writes only to stdout, never changes a file, and always succeeds. Without an answer, the
//! list is empty. Names that the server hides from an assistant are not listed, because other people may see the screen.

mod place;
mod values;
mod words;

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::{Command, ValueEnum};
use dayledger_terminal::output::Output;
use dayledger_terminal::program::option_value;

use super::config;
use place::Place;
use words::{CommandLine, format_candidate};

/// The first argument of a completion.
const COMPLETE: &str = "complete";

/// A shell that can complete the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Shell {
    Bash,
    Elvish,
    Fish,
    Powershell,
    Zsh,
}

impl Shell {
    fn script(self) -> &'static str {
        match self {
            Self::Bash => include_str!("script.bash"),
            Self::Elvish => include_str!("script.elv"),
            Self::Fish => include_str!("script.fish"),
            Self::Powershell => include_str!("script.ps1"),
            Self::Zsh => include_str!("script.zsh"),
        }
    }
}

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n\
    \x20 dayledger completions bash > completions.bash")]
pub(super) struct Arguments {
    /// Shell to generate the script for
    shell: Shell,
}

/// Prints the script of a shell.
pub(super) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    Output::new().write_styled(|out, _| out.write_all(arguments.shell.script().as_bytes()))
}

/// A value that the user can choose.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Candidate {
    value: String,
    description: String,
}

impl Candidate {
    fn new(value: impl Into<String>, description: impl Into<String>) -> Self {
        Self { value: value.into(), description: description.into() }
    }
}

/// The candidates for a word.
#[derive(Debug, PartialEq, Eq)]
enum Candidates {
    /// These values.
    Values(Vec<Candidate>),
    /// The names of files, which the shell lists.
    Files,
}

/// A request of a shell's script.
#[derive(Debug)]
pub(super) struct Completion {
    shell: Shell,
    line: CommandLine,
}

impl Completion {
    /// Reads the request from the arguments of this process. Returns `None` if the user runs another command.
    pub(super) fn from_arguments(arguments: impl IntoIterator<Item = OsString>) -> Option<Self> {
        let arguments = arguments.into_iter().skip(1).map(|argument| argument.to_string_lossy().into_owned());
        let arguments: Vec<_> = arguments.collect();
        let [command, shell, index, separator, words @ ..] = arguments.as_slice() else { return None };
        let is_request = command == COMPLETE && separator == "--";
        let shell = Shell::from_str(shell, false).ok().filter(|_| is_request)?;
        Some(Self { shell, line: CommandLine::read(shell, words, index.parse().ok()?) })
    }

    /// Prints the candidates. `program` builds the commands of the program.
    pub(super) fn answer(self, program: impl FnOnce() -> Command) -> ExitCode {
        // A shell would show the message of a panic in the middle of the user's command line.
        std::panic::set_hook(Box::new(|_| {}));
        let Self { shell, line } = self;
        let option = |name| option_value(line.before.iter().map(OsString::from), name);
        config::select_file(option("--config").map(Into::into));
        let mut program = program();
        program.build();
        let mut text = String::new();
        match Place::find(&program, &line.before).candidates(&line) {
            Candidates::Files => text.push_str("files\n"),
            Candidates::Values(candidates) => {
                text.push_str("values\n");
                for candidate in &candidates {
                    text.push_str(&format_candidate(shell, &line, candidate));
                    text.push('\n');
                }
            }
        }
        // The shell may stop reading early.
        let _ = io::stdout().write_all(text.as_bytes());
        ExitCode::SUCCESS
    }
}
