//! `dayledger timesheet`: hours from what was done to what is submitted.
//!
//! Purpose: a person's way through a week: look, draft, log or edit, submit. Each command is a file here; what is asked
//! and what is logged is `timesheet`, how it looks is `report`.
//!
//! Invariants: nothing is logged unasked; what a person has typed is never lost.

mod confirm;
mod draft;
mod edit;
mod edited_text;
mod export;
mod failure;
mod log;
mod projects;
mod rules;
mod running;
mod scope;
mod status;
mod week;

use std::process::ExitCode;

use clap::Subcommand;

use super::history::HistoryArguments;

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n\
    \x20 dayledger timesheet\n\
    \x20 dayledger timesheet draft last week")]
#[command(subcommand_precedence_over_arg = true)]
pub(super) struct Arguments {
    #[command(flatten)]
    week: week::WeekArguments,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Draft hours from the history; nothing is logged
    Draft(draft::Arguments),
    /// Log a draft as it is, after you have seen it
    Log(log::Arguments),
    /// Change a draft as a text in $VISUAL or $EDITOR, and log what comes back
    Edit(edit::Arguments),
    /// Hand in what is open of a week
    Submit(status::Arguments),
    /// Open what was submitted of a week, in the ledger of this machine
    Reopen(status::Arguments),
    /// List or import projects
    #[command(subcommand)]
    Projects(projects::Command),
    /// Propose rules from what you logged otherwise than it was named
    Rules(rules::Arguments),
    /// Write entries as a file for other tools
    Export(export::Arguments),
    /// Begin work on a task; what went on before is logged
    Start(running::StartArguments),
    /// End the work that goes on, and log it
    Stop(running::StopArguments),
}

impl Arguments {
    /// Whether a week stands both before a command and in it, or before one that has none.
    pub(super) fn names_two_weeks(&self) -> bool {
        self.command.is_some() && self.week.is_given()
    }

    /// Whether a separator is set for a format that has none.
    pub(super) fn has_unused_separator(&self) -> bool {
        matches!(&self.command, Some(Command::Export(arguments)) if arguments.has_unused_separator())
    }
}

pub(super) async fn run(arguments: &Arguments, history: &HistoryArguments) -> anyhow::Result<ExitCode> {
    match &arguments.command {
        None => week::run(&arguments.week, history).await?,
        Some(Command::Draft(arguments)) => draft::run(arguments, history).await?,
        Some(Command::Log(arguments)) => return log::run(arguments, history).await,
        Some(Command::Edit(arguments)) => return edit::run(arguments, history).await,
        Some(Command::Submit(arguments)) => return status::submit(arguments, history).await,
        Some(Command::Reopen(arguments)) => status::reopen(arguments, history).await?,
        Some(Command::Projects(command)) => projects::run(command, history).await?,
        Some(Command::Rules(arguments)) => rules::run(arguments, history).await?,
        Some(Command::Export(arguments)) => export::run(arguments, history).await?,
        Some(Command::Start(arguments)) => running::start(arguments, history).await?,
        Some(Command::Stop(arguments)) => running::stop(arguments, history).await?,
    }
    Ok(ExitCode::SUCCESS)
}
