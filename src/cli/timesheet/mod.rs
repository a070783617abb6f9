//! `dayledger timesheet`: drafts, logs and submits hours.
//!
//! The commands follow the steps of a week: show, draft, log or edit, submit. Each command has its own file here. The
//! crate `timesheet` computes and stores the hours, and `report` formats them.
//!
//! Invariants: hours are logged only with the user's consent. Text that the user has typed is never lost.

mod balance;
mod draft;
mod edit;
mod edited_text;
mod export;
mod import;
mod log;
mod projects;
mod push;
mod rules;
mod running;
mod shared;
mod status;
mod week;

use std::process::ExitCode;

use clap::Subcommand;

use super::history::HistoryArguments;

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n\
    \x20 dayledger timesheet\n\
    \x20 dayledger timesheet draft last week\n\
    \x20 dayledger timesheet submit last week")]
#[command(subcommand_precedence_over_arg = true)]
pub(super) struct Arguments {
    #[command(flatten)]
    week: week::WeekArguments,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Draft hours from your activity
    ///
    /// Prints a row for each project and task of a day, with the reason for the project and the confidence. It logs nothing.
    #[command(after_help = "Examples:\n\
        \x20 dayledger timesheet draft\n\
        \x20 dayledger timesheet draft last week")]
    Draft(draft::Arguments),
    /// Log a draft after you confirm it
    ///
    /// Prints a new draft and asks before it logs the rows that have a project and a task. Rows that can't be logged are
    /// skipped.
    #[command(after_help = "Examples:\n\
        \x20 dayledger timesheet log yesterday\n\
        \x20 dayledger timesheet log --draft last")]
    Log(log::Arguments),
    /// Edit a draft in your editor, then log it
    ///
    /// Opens the draft as text in $VISUAL or $EDITOR. When you close the editor, it logs the rows of the text. If a line is
    /// wrong, it logs nothing, marks the line and offers to open the editor again.
    #[command(after_help = "Examples:\n\
        \x20 dayledger timesheet edit yesterday")]
    Edit(edit::Arguments),
    /// Submit a week for approval
    ///
    /// Submits the open entries of the week. Submitted entries can't be changed unless they are reopened.
    #[command(after_help = "Examples:\n\
        \x20 dayledger timesheet submit last week")]
    Submit(status::Arguments),
    /// Reopen the submitted entries of a week
    ///
    /// Works only for hours in the ledger on this machine, not for hours on a timesheet server.
    #[command(after_help = "Examples:\n\
        \x20 dayledger timesheet reopen last week")]
    Reopen(status::Arguments),
    /// List or import projects
    ///
    /// Hours are logged to a task of a project. `list` prints the projects, and `import` reads them from a file or from
    /// your tags.
    #[command(
        subcommand,
        after_help = "Examples:\n\
        \x20 dayledger timesheet projects list\n\
        \x20 dayledger timesheet projects import --from-tags"
    )]
    Projects(projects::Command),
    /// Compare logged hours with your targets
    ///
    /// Prints the target, the logged hours and the balance of each month. Today and later days don't count.
    #[command(after_help = "Examples:\n\
        \x20 dayledger timesheet balance\n\
        \x20 dayledger timesheet balance 2025")]
    Balance(balance::Arguments),
    /// Suggest rules from your corrections
    ///
    /// If you logged time to another project than the draft suggested, it suggests a rule, with the evidence and any rule that
    /// conflicts.
    #[command(after_help = "Examples:\n\
        \x20 dayledger timesheet rules last month")]
    Rules(rules::Arguments),
    /// Export entries to a file for other tools
    ///
    /// Prints the logged entries in the format of another tool, or writes them to a file.
    #[command(after_help = "Examples:\n\
        \x20 dayledger timesheet export --from last month --format csv-excel --out hours.csv")]
    Export(export::Arguments),
    /// Push entries to another tracker
    ///
    /// Prints the rows that the tracker would get, and asks before it sends them. Rows that were pushed before are skipped,
    /// and entries of the tracker are never changed. The names in the tracker are those of `[timesheet.export]` in the
    /// configuration file. The token is read from the environment variable `DAYLEDGER_HARVEST_TOKEN` or
    /// `DAYLEDGER_KIMAI_TOKEN`, or from a file.
    #[command(after_help = "Examples:\n\
        \x20 dayledger timesheet push harvest last week\n\
        \x20 dayledger timesheet push kimai yesterday --yes")]
    Push(push::Arguments),
    /// Import the entries of another time tracker
    ///
    /// Prints the entries of the file by project and task, and asks before it adds them to the ledger on this machine.
    /// Projects and tasks that don't exist are added. Entries that were imported before are skipped. If an entry can't be
    /// read, nothing is imported.
    #[command(after_help = "Examples:\n\
        \x20 dayledger timesheet import toggl.csv\n\
        \x20 dayledger timesheet import --yes frames.json")]
    Import(import::Arguments),
    /// Start a timer
    ///
    /// Logs the timer that was running, if any, and starts a new one on the task.
    #[command(after_help = "Examples:\n\
        \x20 dayledger timesheet start NORTHWIND Billing -d \"Credit notes\"")]
    Start(running::StartArguments),
    /// Stop the timer and log its time
    ///
    /// With `--discard`, it stops the timer and logs nothing.
    #[command(after_help = "Examples:\n\
        \x20 dayledger timesheet stop\n\
        \x20 dayledger timesheet stop --hours 2")]
    Stop(running::StopArguments),
}

impl Arguments {
    /// Whether a week or an option of a week was passed before a command. A week and its options are only valid after
    /// the command.
    pub(super) fn names_two_weeks(&self) -> bool {
        self.command.is_some() && self.week.is_given()
    }

    /// Whether a separator is set although the format doesn't use separators.
    pub(super) fn has_unused_separator(&self) -> bool {
        matches!(&self.command, Some(Command::Export(arguments)) if arguments.has_unused_separator())
    }

    /// Whether amounts are requested although the format doesn't have columns.
    pub(super) fn has_unused_amounts(&self) -> bool {
        matches!(&self.command, Some(Command::Export(arguments)) if arguments.has_unused_amounts())
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
        Some(Command::Balance(arguments)) => balance::run(arguments, history).await?,
        Some(Command::Rules(arguments)) => rules::run(arguments, history).await?,
        Some(Command::Export(arguments)) => export::run(arguments, history).await?,
        Some(Command::Push(arguments)) => push::run(arguments, history).await?,
        Some(Command::Import(arguments)) => import::run(arguments, history).await?,
        Some(Command::Start(arguments)) => running::start(arguments, history).await?,
        Some(Command::Stop(arguments)) => running::stop(arguments, history).await?,
    }
    Ok(ExitCode::SUCCESS)
}
