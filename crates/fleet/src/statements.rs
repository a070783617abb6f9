//! Runs statements over many exports in separate processes, as dayledger does for a single history.
//!
//! This module defines the setup of such a process, and the hidden command that reads the setup.
//! `dayledger_engine::worker` starts the processes and limits their memory.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;

use chrono::DateTime;
use dayledger_engine::worker::{self, Launch};
use dayledger_engine::{self as engine, Engine};
use dayledger_export::Person;
use serde::{Deserialize, Serialize};
use url::Url;

use crate::credentials::{CredentialFiles, Unreadable};
use crate::members::{Member, Members, Titles};
use crate::team::{self, Team};
use crate::workers::{self, Workers};

/// The name of the hidden command that calls [`work`].
pub const COMMAND: &str = "statement-worker";

/// The settings with which processes for statements are started. Cloning is cheap.
#[derive(Debug, Clone)]
pub struct Statements {
    program: PathBuf,
    machines: Option<Machines>,
}

/// The worker machines that run the tasks of statements.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Machines {
    urls: Vec<String>,
    files: CredentialFiles,
}

/// The data with which a process creates the same engine as its parent process.
#[derive(Debug, Serialize, Deserialize)]
struct Setup {
    folder: OsString,
    refuses_titles: bool,
    people: Vec<PersonExport>,
    /// The index in `people` of the export with the most tables.
    fullest: usize,
    machines: Option<Machines>,
}

/// A person, and the writing time of the export that the parent process uses.
#[derive(Debug, Serialize, Deserialize)]
struct PersonExport {
    person: Person,
    /// The time in milliseconds since 1970-01-01 UTC. The process refuses an export that was written earlier.
    written_utc: Option<i64>,
}

/// The reason why a process couldn't create its engine.
#[derive(Debug, thiserror::Error)]
pub(crate) enum OpenError {
    #[error(transparent)]
    Team(#[from] team::Error),
    #[error(transparent)]
    Workers(#[from] workers::Error),
    #[error(transparent)]
    Credentials(#[from] Unreadable),
    #[error("a worker machine has an invalid address: {0}")]
    Url(#[from] url::ParseError),
    #[error("dayledger-fleet {0} was replaced while it ran")]
    Replaced(String),
    #[error("the process that connects to worker machines failed: {0}")]
    Connecting(#[from] tokio::task::JoinError),
    #[error(transparent)]
    Threads(#[from] io::Error),
}

impl OpenError {
    fn hint(&self) -> String {
        match self {
            Self::Team(error) => error.hint(),
            Self::Workers(error) => error.hint(),
            Self::Replaced(_) => "start it again".to_owned(),
            Self::Credentials(_) | Self::Url(_) => "restore the file, or restart the program".to_owned(),
            Self::Connecting(_) | Self::Threads(_) => "try again".to_owned(),
        }
    }
}

impl Statements {
    /// Creates settings that run statements on this machine only. `program` is the path of dayledger-fleet itself.
    pub fn new(program: PathBuf) -> Self {
        Self { program, machines: None }
    }

    /// Returns settings that also use the worker machines at `urls`. Each process connects to these machines with the
    /// certificate in `files`.
    #[must_use]
    pub fn with_machines(self, urls: &[Url], files: CredentialFiles) -> Self {
        let urls = urls.iter().map(Url::to_string).collect();
        Self { machines: Some(Machines { urls, files }), ..self }
    }

    /// Returns an engine over all exports of `team`. The engine plans statements in this process and runs them in other
    /// processes.
    ///
    /// # Errors
    /// The errors of [`Team::engine`].
    pub fn engine(&self, team: &Team) -> Result<Engine, team::Error> {
        let launch = launch(self.program.clone(), COMMAND, &self.setup(team));
        let launch = launch.map_err(|source| team::Error::Refused(team.folder.clone(), source))?;
        Ok(team.engine(None)?.with_workers(launch))
    }

    fn setup(&self, team: &Team) -> Setup {
        let exported = |member: &Member| PersonExport {
            person: member.parts().0.clone(),
            written_utc: member.written_utc.map(|written| written.timestamp_millis()),
        };
        Setup {
            folder: team.folder.clone().into(),
            refuses_titles: team.members.iter().any(|member| member.titles == Titles::Refused),
            people: team.members.iter().map(exported).collect(),
            fullest: team.members.fullest,
            machines: self.machines.clone(),
        }
    }
}

impl Setup {
    fn team(&self) -> Team {
        let folder = PathBuf::from(&self.folder);
        let titles = if self.refuses_titles { Titles::Refused } else { Titles::Allowed };
        let member = |PersonExport { person, written_utc }: &PersonExport| {
            let written_utc = written_utc.and_then(DateTime::from_timestamp_millis);
            Member::new(person.clone(), folder.join(person.folder())).with_titles(titles).with_written_utc(written_utc)
        };
        let members = Members::new(&folder, self.people.iter().map(member).collect(), self.fullest);
        Team::from_members(folder, members)
    }

    async fn engine(self) -> Result<Engine, OpenError> {
        let team = self.team();
        let Some(Machines { urls, files }) = self.machines else { return Ok(team.engine(None)?) };
        let urls = urls.iter().map(|url| url.parse()).collect::<Result<Vec<Url>, _>>()?;
        // The parent process has already reported unreachable machines.
        let (workers, _absent) = Workers::connect(urls, files.read()?).await?;
        Ok(team.engine(Some(workers))?)
    }
}

/// Returns the settings for starting `program` with a hidden command that reads `setup`. `program` is dayledger-fleet
/// itself.
pub(crate) fn launch(program: PathBuf, command: &'static str, setup: &impl Serialize) -> io::Result<Launch> {
    let setup = worker::write_setup(setup)?;
    Ok(Launch { program, name: "dayledger-fleet", arguments: vec![command.into()], environment: Vec::new(), setup })
}

/// Runs statements for the parent process until standard input is closed. The parent process runs the same program.
///
/// # Errors
/// Fails if standard input doesn't come from a process of this program, or if the parent doesn't read the responses.
pub async fn work() -> io::Result<()> {
    let setup = worker::read_setup::<Setup>()?.map_err(OpenError::Replaced);
    // The main thread writes responses, and blocks until the parent reads them. So another thread keeps the connections
    // alive.
    let connections = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    let opened = connections.spawn(async { setup?.engine().await }).await.unwrap_or_else(|error| Err(error.into()));
    let opened = opened.map_err(|error| engine::Error::Lost { message: error.to_string(), hint: error.hint() });
    let served = worker::serve(opened).await;
    connections.shutdown_background();
    served
}
