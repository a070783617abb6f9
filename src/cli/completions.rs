//! `dayledger completions`: what lets a shell complete the command line.

use std::process::ExitCode;

use clap::Command;
use clap_complete::{Shell, generate};

use super::output::Output;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Shell that reads what is printed
    shell: Shell,
}

/// Prints the completions of `command`.
pub(super) fn run(arguments: &Arguments, mut command: Command) -> anyhow::Result<ExitCode> {
    let name = command.get_name().to_owned();
    let mut text = Vec::new();
    generate(arguments.shell, &mut command, name, &mut text);
    Output::new().draw(|out, _| out.write_all(&text))?;
    Ok(ExitCode::SUCCESS)
}
