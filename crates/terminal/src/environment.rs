//! Reads the environment variables of the log, the terminal and the pager, and finds the user's folders.

#![expect(clippy::disallowed_methods, reason = "this is the one place in this crate that reads the environment")]

use std::env;

use clap::ColorChoice;
use dayledger_render::TerminalFacts;

use super::folders::Folders;

/// Returns the user's folders, or `None` without a home directory.
pub fn user_folders() -> Option<Folders> {
    Folders::from_environment(|name| env::var_os(name))
}

/// Returns the log filter that `DAYLEDGER_LOG` sets.
pub(super) fn log_filter() -> Option<String> {
    variable("DAYLEDGER_LOG")
}

/// Returns the properties of the terminal, from the environment and the arguments.
pub(super) fn terminal(color: ColorChoice, is_terminal: bool, columns: Option<usize>) -> TerminalFacts {
    TerminalFacts {
        color,
        is_terminal,
        no_color: variable("NO_COLOR").is_some(),
        colorterm: variable("COLORTERM"),
        term: variable("TERM"),
        locale: ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(variable),
        columns,
    }
}

/// Returns the command of the user's pager: a program and its arguments.
pub(super) fn pager() -> Option<String> {
    variable("PAGER")
}

/// Whether the environment contains options for `less`.
pub(super) fn has_less_options() -> bool {
    variable("LESS").is_some()
}

/// Returns the value of a variable, unless it is empty.
fn variable(name: &str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.is_empty())
}
