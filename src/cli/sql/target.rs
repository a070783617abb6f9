//! What statements ask: a history, or the files of an export.

use std::path::Path;

use crate::cli::history::HistoryArguments;
use crate::cli::worker;
use crate::engine::Engine;
use crate::export::Archive;
use crate::manictime::Source;
use crate::{App, archive_with_workers};

/// What is asked, and its name for a person.
pub struct Target {
    /// The engine.
    pub engine: Engine,
    /// The history; absent where an export is asked.
    pub(super) source: Option<Source>,
    pub(super) place: String,
}

impl Target {
    /// An engine over something else than this machine's own, with its name for a person.
    pub fn new(engine: Engine, place: String) -> Self {
        Self { engine, source: None, place }
    }

    pub(super) fn open(exports: Option<&Path>, history: &HistoryArguments) -> anyhow::Result<Self> {
        if let Some(folder) = exports {
            let archive = Archive::open(folder)?;
            let engine = archive_with_workers(&archive, worker::program()?)?;
            return Ok(Self::new(engine, archive.summary()));
        }
        let source = history.source()?;
        let place = match source.location() {
            Ok(location) => location.database.display().to_string(),
            // Every statement will say it again, until the history is there.
            Err(error) => error.to_string(),
        };
        let house = history.with_notes(&App::from_source(source)?);
        // Without a home directory there is nowhere to keep hours, and the history can be asked all the same.
        let house = match history.timesheet_setup_if_any()? {
            Some(setup) => house.with_timesheet(setup),
            None => house,
        };
        let house = house.with_workers(worker::program()?)?;
        Ok(Self { engine: house.engine().clone(), source: Some(house.history().source().clone()), place })
    }
}
