//! `dayledger completions`: prints a script that lets a shell complete the command line.

use clap::Command;
use clap_complete::{Shell, generate};
use dayledger_terminal::output::Output;

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n\
    \x20 dayledger completions bash > completions.bash")]
pub(super) struct Arguments {
    /// Shell to generate the script for
    shell: Shell,
}

/// Prints the completions of `command`.
pub(super) fn run(arguments: &Arguments, command: &Command) -> anyhow::Result<()> {
    let mut command = without_hidden_commands(command);
    let mut text = Vec::new();
    generate(arguments.shell, &mut command, env!("CARGO_PKG_NAME"), &mut text);
    Output::new().write_styled(|out, _| out.write_all(&text))
}

/// Returns the command without its hidden subcommands, because shells would also suggest hidden commands.
fn without_hidden_commands(command: &Command) -> Command {
    let listed = command.get_subcommands().filter(|subcommand| !subcommand.is_hide_set());
    Command::new(env!("CARGO_PKG_NAME"))
        .args(command.get_arguments().cloned())
        .subcommands(listed.cloned())
        .version(env!("CARGO_PKG_VERSION"))
}
