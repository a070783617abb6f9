//! `dayledger timesheet projects`: what hours can be logged on.

use std::fs::File;
use std::path::PathBuf;

use clap::Subcommand;
use dayledger_timesheet::ProjectFilter;

use super::failure::file_error;
use super::scope::app;
use crate::cli::history::HistoryArguments;
use crate::cli::{Output, output};
use crate::files::read_up_to;
use crate::report;
use crate::timesheet::{CallSession, ProjectAnswer, ProjectsRequest};

/// The largest file of projects that is imported.
const MAX_BYTES: u64 = 64 << 20;

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// List the projects with their tasks and tags
    List {
        /// Also those that no hours can be logged on any more
        #[arg(long)]
        all: bool,
        /// Print them as JSON, which `import` reads
        #[arg(long)]
        json: bool,
    },
    /// Put the projects of a file in the place of those with the same codes, in the ledger of this machine
    Import {
        /// CSV with the columns code, name and task, as spreadsheets save it, or JSON as `list --json` prints it
        file: PathBuf,
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
        Command::Import { file } => {
            let read = File::open(file).and_then(|file| read_up_to(file, MAX_BYTES));
            let content = read.map_err(|error| file_error("read", file, &error))?;
            let imported = app.timesheet().import_projects(&content).await?;
            let projects: Vec<_> = imported.projects.into_iter().map(ProjectAnswer::from).collect();
            Output::new().write_styled(|out, style| report::write_projects(out, &projects, style))?;
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
