//! The data that statements query: a history, or the files of an export.

use std::path::Path;

use crate::activity::History;
use crate::cli::history::HistoryArguments;
use crate::cli::worker;
use crate::engine::Engine;
use crate::export::OpenedExport;
use crate::request::Error;
use crate::{OpenError, export_with_workers};

/// The queried data, and its name for people.
pub struct Target {
    /// The engine.
    pub engine: Engine,
    /// The history; `None` for an export.
    pub(super) history: Option<History>,
    pub(super) place: String,
}

impl Target {
    /// Returns a target with an engine over other data than this machine's history, and a name for people.
    pub fn new(engine: Engine, place: String) -> Self {
        Self { engine, history: None, place }
    }

    pub(super) fn open(exports: Option<&Path>, history: &HistoryArguments) -> anyhow::Result<Self> {
        if let Some(folder) = exports {
            let export = OpenedExport::open(folder).map_err(Error::from)?;
            let engine = export_with_workers(&export, worker::program()?).map_err(|error| match error {
                OpenError::Export(error) => anyhow::Error::from(Error::from(error)),
                error @ (OpenError::Settings(_) | OpenError::Threads(_)) => error.into(),
            })?;
            return Ok(Self::new(engine, export.summary()));
        }
        // Without a home directory, hours can't be stored, but the history can still be queried.
        let builder = history.app_builder()?.with_timesheet(history.timesheet_setup_if_any()?);
        let app = builder.build_with_workers(worker::program()?)?;
        let place = match app.history().source().location() {
            Ok(location) => location.database.display().to_string(),
            // Each statement returns this error again until the history exists.
            Err(error) => error.to_string(),
        };
        Ok(Self { engine: app.engine().clone(), history: Some(app.history().clone()), place })
    }
}
