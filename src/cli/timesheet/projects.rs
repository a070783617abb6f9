//! `dayledger timesheet projects`: lists and imports projects and tasks.

use std::fs::File;
use std::path::PathBuf;

use clap::Subcommand;
use dayledger_terminal::output::{self, Output};
use dayledger_timesheet::ProjectFilter;

use super::shared::{app, file_error};
use crate::cli::OUTPUT;
use crate::cli::history::HistoryArguments;
use crate::files::read_up_to;
use crate::report;
use crate::timesheet::{CallSession, ProjectAnswer, ProjectsRequest};

/// The size limit of an imported file, in bytes.
pub(super) const MAX_BYTES: u64 = 64 << 20;

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// List the projects with their tasks and tags
    ///
    /// By default, it lists only the projects that accept hours.
    #[command(after_help = "Examples:\n\
        \x20 dayledger timesheet projects list --all")]
    List {
        /// Also list projects that no longer accept hours
        #[arg(long)]
        all: bool,
        /// Print JSON, which `import` can read
        #[arg(long, help_heading = OUTPUT)]
        json: bool,
    },
    /// Import projects from a file or from your tags
    ///
    /// Adds the projects to the ledger on this machine. A project of a file replaces the one with the same code. With
    /// `--from-tags`, the first level of each tag becomes a project and the rest a task, unless they exist already.
    #[command(after_help = "Examples:\n\
        \x20 dayledger timesheet projects import projects.csv\n\
        \x20 dayledger timesheet projects import --from-tags")]
    Import {
        /// CSV file with the columns code, name and task, or JSON from `list --json`
        #[arg(required_unless_present = "from_tags")]
        file: Option<PathBuf>,
        /// Import the projects and tasks of your tags
        #[arg(long, conflicts_with = "file")]
        from_tags: bool,
    },
}

pub(super) async fn run(command: &Command, history: &HistoryArguments) -> anyhow::Result<()> {
    let app = app(history)?;
    match command {
        Command::List { all, json } => {
            let filter = if *all { ProjectFilter::All } else { ProjectFilter::Active };
            let answer = app.run(ProjectsRequest { filter, call_session: CallSession::new() }).await?;
            Output::new().write_response(&answer, *json, |out, answer, style| {
                report::write_projects(out, &answer.projects, style)
            })
        }
        Command::Import { file, from_tags } => {
            let imported = match file {
                Some(file) if !from_tags => {
                    let read = File::open(file).and_then(|file| read_up_to(file, MAX_BYTES));
                    let content = read.map_err(|error| file_error("read", file, &error))?;
                    app.timesheet().import_projects(&content).await?
                }
                _ => app.timesheet().import_tags().await?,
            };
            let projects: Vec<_> = imported.projects.into_iter().map(ProjectAnswer::from).collect();
            if !projects.is_empty() {
                Output::new().write_styled(|out, style| report::write_projects(out, &projects, style))?;
            }
            let count = projects.len();
            let projects = if count == 1 { "project" } else { "projects" };
            output::write_stderr(|out, _| {
                imported.notes.iter().try_for_each(|note| writeln!(out, "note: {note}"))?;
                writeln!(out, "imported {count} {projects}")
            });
            Ok(())
        }
    }
}
