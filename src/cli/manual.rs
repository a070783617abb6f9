//! `dayledger manual`: writes the manual pages that packages contain, one page for each command.

use std::path::PathBuf;

use anyhow::Context;
use clap::Command;
use dayledger_terminal::destination::file_error;

use super::history::HistoryArguments;
use crate::files::{OffLimits, make_folder};

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Folder to write the pages to
    dir: PathBuf,
}

/// Writes the pages of `command`.
pub(super) fn run(arguments: &Arguments, history: &HistoryArguments, command: Command) -> anyhow::Result<()> {
    let dir = &arguments.dir;
    // Without this line, the pages of a package would contain the questions of the user who builds the package.
    let command = command.mut_subcommand("ask", |ask| ask.defer(|ask| ask));
    make_folder(dir, &OffLimits::new(history.own_folders())).map_err(|error| file_error(dir, error))?;
    clap_mangen::generate_to(command, dir).with_context(|| format!("cannot write the manual to `{}`", dir.display()))
}
