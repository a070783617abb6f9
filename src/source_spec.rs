//! What is asked, as a value that another process can be told: a worker makes the same engine of it.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::app::{App, engine_for_archive};
use crate::engine::worker::{self, Launch};
use crate::engine::{self, Engine};
use crate::export::{self, Archive};
use crate::manictime::Source;
use crate::{notes, timesheet};

/// What an engine asks.
#[derive(Debug, Clone, Serialize, Deserialize)]
enum SourceSpec {
    /// A history, screenshots included.
    History(Source, Integrations),
    /// The same without screenshots.
    Activities(Source, Integrations),
    /// The folder of an export.
    Export(OsString),
}

/// What is beside a history, where it is set up.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Integrations {
    timesheet: Option<timesheet::Setup>,
    notes: Option<notes::WorkspaceLocations>,
}

/// Why there is no engine.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The export cannot be asked.
    #[error(transparent)]
    Export(#[from] export::Error),
    /// The system gives no threads.
    #[error("the system gives no threads: {0}")]
    Threads(#[from] io::Error),
}

/// What a worker is told before its first statement.
#[derive(Debug, Serialize, Deserialize)]
struct WorkerSetup {
    /// Of who tells it: the program's file may have been replaced since that was started.
    version: String,
    asked: SourceSpec,
}

impl SourceSpec {
    /// How a worker is started that asks the same: `program`, which is dayledger itself, with the command that calls
    /// [`work`].
    fn launch(self, program: PathBuf) -> io::Result<Launch> {
        let setup = WorkerSetup { version: env!("CARGO_PKG_VERSION").to_owned(), asked: self };
        Ok(Launch {
            program,
            name: "dayledger",
            arguments: vec!["worker".into()],
            // The allocator would set aside a gigabyte at once, which counts against a worker's limit whole.
            environment: vec![("MIMALLOC_ARENA_EAGER_COMMIT", "0")],
            setup: serde_json::to_vec(&setup)?,
        })
    }

    /// An engine that carries out every statement in this process, as a worker does.
    fn engine(&self) -> Result<Engine, OpenError> {
        Ok(match self {
            Self::History(source, beside) => engine_with_integrations(App::from_source(source.clone())?, beside),
            Self::Activities(source, beside) => {
                engine_with_integrations(App::without_screenshots(source.clone())?, beside)
            }
            Self::Export(folder) => engine_for_archive(&Archive::open(folder.as_ref())?)?,
        })
    }
}

/// The engine of a house with what is beside it. A draft of hours reads notes, so that they come first.
fn engine_with_integrations(house: App, beside: &Integrations) -> Engine {
    let Integrations { timesheet, notes } = beside.clone();
    let house = match notes {
        Some(places) => house.with_notes(notes::Setup::read_only(places)),
        None => house,
    };
    let house = match timesheet {
        Some(setup) => house.with_timesheet(setup),
        None => house,
    };
    house.engine().clone()
}

impl App {
    /// The same rooms, which have statements of others carried out by workers: `program` is dayledger itself.
    ///
    /// # Errors
    /// A history, a timesheet or notes that cannot be told to another process.
    pub fn with_workers(&self, program: PathBuf) -> io::Result<Self> {
        let source = self.history().source().clone();
        let (timesheet, notes) = (self.timesheet().setup_if_any().cloned(), self.notebook().places().cloned());
        let beside = Integrations { timesheet, notes };
        let asked = match self.history().screenshots() {
            Some(_) => SourceSpec::History(source, beside),
            None => SourceSpec::Activities(source, beside),
        };
        Ok(self.with_engine(&self.engine().clone().with_workers(asked.launch(program)?)))
    }
}

/// An engine over the files of an export that has statements carried out by workers: `program` is dayledger itself.
///
/// # Errors
/// [`OpenError`].
pub fn archive_with_workers(archive: &Archive, program: PathBuf) -> Result<Engine, OpenError> {
    let asked = SourceSpec::Export(archive.folder().into());
    Ok(engine_for_archive(archive)?.with_workers(asked.launch(program)?))
}

/// Carries out statements for another process of this program until that has no more ([`worker::serve`]).
///
/// # Errors
/// Standard input that no process of this program writes, and answers that nobody reads.
pub async fn run_worker() -> io::Result<()> {
    let WorkerSetup { version, asked } = serde_json::from_slice(&worker::read_setup()?)?;
    let opened = if version == env!("CARGO_PKG_VERSION") {
        asked.engine().map_err(|error| error.to_string())
    } else {
        Err(format!("dayledger {version} was replaced while it ran; start it anew"))
    };
    worker::serve(opened.map_err(|message| engine::Error::Query { message, position: None })).await
}
