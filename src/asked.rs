//! What is asked, as a value that another process can be told: a worker makes the same engine of it.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::engine::worker::{self, Launch};
use crate::engine::{self, Engine};
use crate::export::{self, Archive};
use crate::house::{House, engine_over_archive};
use crate::manictime::Source;
use crate::{notes, timesheet};

/// What an engine asks.
#[derive(Debug, Clone, Serialize, Deserialize)]
enum Asked {
    /// A history, screenshots included.
    History(Source, Beside),
    /// The same without screenshots.
    Activities(Source, Beside),
    /// The folder of an export.
    Export(OsString),
}

/// What is beside a history, where it is set up.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Beside {
    timesheet: Option<timesheet::Setup>,
    notes: Option<notes::Places>,
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
struct Setup {
    /// Of who tells it: the program's file may have been replaced since that was started.
    version: String,
    asked: Asked,
}

impl Asked {
    /// How a worker is started that asks the same: `program`, which is dayledger itself, with the command that calls
    /// [`work`].
    fn launch(self, program: PathBuf) -> io::Result<Launch> {
        let setup = Setup { version: env!("CARGO_PKG_VERSION").to_owned(), asked: self };
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
            Self::History(source, beside) => engine_of(House::over(source.clone())?, beside),
            Self::Activities(source, beside) => engine_of(House::over_activities(source.clone())?, beside),
            Self::Export(folder) => engine_over_archive(&Archive::open(folder.as_ref())?)?,
        })
    }
}

/// The engine of a house with what is beside it. A draft of hours reads notes, so that they come first.
fn engine_of(house: House, beside: &Beside) -> Engine {
    let Beside { timesheet, notes } = beside.clone();
    let house = match notes {
        Some(places) => house.with_notes(notes::Setup::reading(places)),
        None => house,
    };
    let house = match timesheet {
        Some(setup) => house.with_timesheet(setup),
        None => house,
    };
    house.engine().clone()
}

impl House {
    /// The same rooms, which have statements of others carried out by workers: `program` is dayledger itself.
    ///
    /// # Errors
    /// A history, a timesheet or notes that cannot be told to another process.
    pub fn with_workers(&self, program: PathBuf) -> io::Result<Self> {
        let source = self.history().source().clone();
        let (timesheet, notes) = (self.sheet().set_up_as().cloned(), self.notebook().places().cloned());
        let beside = Beside { timesheet, notes };
        let asked = match self.history().pictures() {
            Some(_) => Asked::History(source, beside),
            None => Asked::Activities(source, beside),
        };
        Ok(self.around(&self.engine().clone().with_workers(asked.launch(program)?)))
    }
}

/// An engine over the files of an export that has statements carried out by workers: `program` is dayledger itself.
///
/// # Errors
/// [`OpenError`].
pub fn archive_with_workers(archive: &Archive, program: PathBuf) -> Result<Engine, OpenError> {
    let asked = Asked::Export(archive.folder().into());
    Ok(engine_over_archive(archive)?.with_workers(asked.launch(program)?))
}

/// Carries out statements for another process of this program until that has no more ([`worker::serve`]).
///
/// # Errors
/// Standard input that no process of this program writes, and answers that nobody reads.
pub async fn work() -> io::Result<()> {
    let Setup { version, asked } = serde_json::from_slice(&worker::setup()?)?;
    let opened = if version == env!("CARGO_PKG_VERSION") {
        asked.engine().map_err(|error| error.to_string())
    } else {
        Err(format!("dayledger {version} was replaced while it ran; start it anew"))
    };
    worker::serve(opened.map_err(|message| engine::Error::Query { message, position: None })).await
}
