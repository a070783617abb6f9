//! What is asked, as a value that another process can be told: a worker makes the same engine of it.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::engine::Engine;
use crate::engine::worker::{self, Launch};
use crate::export::{self, Archive};
use crate::house::{House, engine_over_archive};
use crate::manictime::Source;
use crate::timesheet;

/// What an engine asks.
#[derive(Debug, Clone, Serialize, Deserialize)]
enum Asked {
    /// A history, screenshots included, and the timesheet beside it, where one is set up.
    History(Source, Option<timesheet::Setup>),
    /// The same without screenshots.
    Activities(Source, Option<timesheet::Setup>),
    /// The folder of an export.
    Export(OsString),
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
            Self::History(source, sheet) => engine_of(&House::over(source.clone())?, sheet.as_ref()),
            Self::Activities(source, sheet) => engine_of(&House::over_activities(source.clone())?, sheet.as_ref()),
            Self::Export(folder) => engine_over_archive(&Archive::open(folder.as_ref())?)?,
        })
    }
}

/// The engine of a house, with the timesheet that is set up so.
fn engine_of(house: &House, timesheet: Option<&timesheet::Setup>) -> Engine {
    match timesheet {
        Some(setup) => house.with_timesheet(setup.clone()).engine().clone(),
        None => house.engine().clone(),
    }
}

impl House {
    /// The same rooms, which have statements of others carried out by workers: `program` is dayledger itself.
    ///
    /// # Errors
    /// A history or a timesheet that cannot be told to another process.
    pub fn with_workers(&self, program: PathBuf) -> io::Result<Self> {
        let (source, sheet) = (self.history().source().clone(), self.sheet().set_up_as().cloned());
        let asked = match self.history().pictures() {
            Some(_) => Asked::History(source, sheet),
            None => Asked::Activities(source, sheet),
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
    worker::serve(opened).await
}
