//! Serialises the data source of an engine, so that a worker process can build the same engine.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;

use dayledger_core::local_days::LocalDays;
use serde::{Deserialize, Serialize};

use crate::app::{App, AppBuilder};
use crate::calendar::Calendars;
use crate::engine::worker::{self, Launch};
use crate::engine::{self, Engine};
use crate::export::{self, OpenedExport};
use crate::rules::Rules;
use crate::screenshots::ConfiguredFolder;
use crate::trackers::HistorySettings;
use crate::{notes, timesheet};

/// The serialised data source of an engine.
#[derive(Serialize, Deserialize)]
enum SourceSpec {
    /// A history.
    History(Box<HistorySpec>),
    /// The folder of an export, and the start of its days and weeks.
    Export(OsString, LocalDays),
}

/// The options of an app that affect its engine.
#[derive(Serialize, Deserialize)]
struct HistorySpec {
    source: HistorySettings,
    removes_titles: bool,
    rules: Rules,
    calendars: Calendars,
    screenshots_folder: Option<ConfiguredFolder>,
    shows_screenshots: bool,
    timesheet: Option<timesheet::Setup>,
    notes: Option<notes::WorkspaceLocations>,
    local_days: LocalDays,
}

/// The reason why a worker's engine cannot be created.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The export cannot be read.
    #[error(transparent)]
    Export(#[from] export::Error),
    /// The settings of the history don't belong to a tracker that this version supports.
    #[error("cannot open the history in a worker: {0}")]
    Settings(#[from] serde_json::Error),
    /// The operating system can't start a thread.
    #[error("cannot create a thread: {0}")]
    Threads(#[from] io::Error),
}

impl SourceSpec {
    /// Returns the launch settings of a worker for this source. `program` is the dayledger binary. The arguments select
    /// the command that calls [`run_worker`].
    fn launch(&self, program: PathBuf) -> io::Result<Launch> {
        Ok(Launch {
            program,
            name: "dayledger",
            arguments: vec!["worker".into()],
            // By default, the allocator reserves a gigabyte immediately. The whole gigabyte counts against a worker's
            // memory limit.
            environment: vec![("MIMALLOC_ARENA_EAGER_COMMIT", "0")],
            setup: worker::write_setup(self)?,
        })
    }

    /// Builds the engine of a worker. The engine runs every statement in the worker's own process.
    fn engine(self) -> Result<Engine, OpenError> {
        match self {
            Self::History(spec) => {
                let spec = *spec;
                spec.local_days.make_current();
                let builder = AppBuilder {
                    source: spec.source.open()?,
                    removes_titles: spec.removes_titles,
                    rules: spec.rules,
                    calendars: spec.calendars,
                    screenshots_folder: spec.screenshots_folder,
                    shows_screenshots: spec.shows_screenshots,
                    timesheet: spec.timesheet,
                    notes: spec.notes.map(notes::Setup::read_only),
                };
                Ok(builder.build()?.engine().clone())
            }
            Self::Export(folder, local_days) => {
                local_days.make_current();
                Ok(Engine::from_tables(OpenedExport::open(folder.as_ref())?.model()?)?)
            }
        }
    }
}

impl AppBuilder {
    /// Builds the app. Statements of users and models run in worker processes. `program` is the dayledger binary.
    ///
    /// # Errors
    /// Fails if the options cannot be serialised, or if the operating system cannot start threads.
    pub fn build_with_workers(self, program: PathBuf) -> io::Result<App> {
        let spec = HistorySpec {
            source: HistorySettings::from_source(&*self.source)?,
            removes_titles: self.removes_titles,
            rules: self.rules.clone(),
            calendars: self.calendars.clone(),
            screenshots_folder: self.screenshots_folder.clone(),
            shows_screenshots: self.shows_screenshots,
            timesheet: self.timesheet.clone(),
            notes: self.notes.as_ref().map(|setup| setup.places().clone()),
            local_days: LocalDays::current(),
        };
        self.build_with(Some(SourceSpec::History(Box::new(spec)).launch(program)?))
    }
}

/// Creates an engine over the files of an export. The engine runs statements in worker processes. `program` is the
/// dayledger binary. From this call on, days start as in the export.
///
/// # Errors
/// Fails if the export cannot be read, or if the operating system cannot start threads.
pub fn export_with_workers(export: &OpenedExport, program: PathBuf) -> Result<Engine, OpenError> {
    let days = LocalDays { day_start: export.manifest().day_start, ..LocalDays::current() };
    days.make_current();
    let spec = SourceSpec::Export(export.folder().into(), days);
    Ok(Engine::from_tables(export.model()?)?.with_workers(spec.launch(program)?))
}

/// Runs statements for the parent process until the parent closes standard input ([`worker::serve`]).
///
/// # Errors
/// Fails if standard input doesn't come from dayledger, or if the parent no longer reads the responses.
pub async fn run_worker() -> io::Result<()> {
    let replaced = |version| format!("dayledger {version} was replaced while it was running: restart it");
    let spec = worker::read_setup::<SourceSpec>()?.map_err(replaced);
    let opened = spec.and_then(|spec| spec.engine().map(Engine::with_preloading).map_err(|error| error.to_string()));
    worker::serve(opened.map_err(|message| engine::Error::Query { message, position: None })).await
}
