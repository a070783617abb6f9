//! Creates apps and engines in the same way as the program.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use dayledger::engine::Engine;
use dayledger::export::OpenedExport;
use dayledger::manictime::{Locator, Source};
use dayledger::source::FoundBy;
use dayledger::timesheet::Setup;
use dayledger::{App, AppBuilder};

/// Returns an app over the history in a folder.
pub(crate) fn app_at(folder: &Path) -> App {
    app_over(source_at(folder))
}

/// Returns a source whose cached rows don't expire during a test, because a test machine can be slow.
pub(crate) fn source_at(folder: &Path) -> Source {
    Source::new(Locator::from_path(folder, FoundBy::Flag)).with_idle_timeout(Duration::from_hours(1))
}

/// Returns the options of an app over the history in a folder.
pub(crate) fn builder_at(folder: &Path) -> AppBuilder {
    App::builder(Arc::new(source_at(folder)))
}

pub(crate) fn app_over(source: Source) -> App {
    App::builder(Arc::new(source)).build().unwrap()
}

/// Returns an app over a history that the test replaces between two queries. On Windows, an open file can't be
/// replaced, so the app closes the file immediately after each query.
pub(crate) fn app_over_replaceable(folder: &Path) -> App {
    let source = source_at(folder);
    app_over(if cfg!(windows) { source.with_idle_timeout(Duration::ZERO) } else { source })
}

/// Changes a file as soon as the system allows the change. On Windows, the change is possible only when no process has
/// the file open.
#[track_caller]
pub(crate) fn retry_until_unlocked<T>(change: impl Fn() -> io::Result<T>) -> T {
    let patience = Instant::now() + Duration::from_mins(1);
    loop {
        match change() {
            Err(_) if cfg!(windows) && Instant::now() < patience => std::thread::yield_now(),
            changed => return changed.unwrap(),
        }
    }
}

/// Returns an app that hides all screenshots.
pub(crate) fn app_without_screenshots(source: Source) -> App {
    App::builder(Arc::new(source)).with_screenshots(false).build().unwrap()
}

/// Adds a timesheet whose ledger is in `folder`. `table` is the text of the configuration's table `[timesheet]`.
pub(crate) fn with_timesheet(builder: AppBuilder, folder: &Path, table: &str) -> AppBuilder {
    builder.with_timesheet(Setup::new(toml::from_str(table).unwrap(), folder, folder).unwrap())
}

/// Returns an engine over the history in a folder.
pub(crate) fn engine_at(folder: &Path) -> Engine {
    app_at(folder).engine().clone()
}

/// Returns an engine over the files of an export.
pub(crate) fn engine_over_export(folder: &Path) -> Engine {
    Engine::from_tables(OpenedExport::open(folder).unwrap().model().unwrap()).unwrap()
}
