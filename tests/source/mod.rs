//! Tests sources other than ManicTime's: one with its rows in memory, and files of ActivityWatch with the same rows.
//! Requests, statements and outputs must work without code for a specific source. All sources must keep the promises of
//! `HistorySource`.

#![cfg(test)]

mod activitywatch;
mod contract;
mod expected;
mod memory;
mod outputs;
mod redaction;
mod requests;
mod server;
mod statements;
mod two_trackers;
mod week;
mod worked_examples;

use std::sync::Arc;

use dayledger::App;
use dayledger::source::{HistorySource, Role};
use dayledger_fixtures::Server;
use tempfile::TempDir;

use activitywatch::ActivityWatchFile;
use expected::Expected;
use memory::{MemorySource, Row};

use crate::histories::rows;

/// Returns an app over any source.
fn app_over(source: Arc<dyn HistorySource>) -> App {
    App::builder(source).build().unwrap()
}

/// Returns an app over the week in memory.
fn week_app() -> App {
    app_over(Arc::new(MemorySource::new(week::rows())))
}

/// The week in one kind of source.
struct Week {
    app: App,
    /// The rows in the form in which the source records them.
    rows: Vec<Row>,
    /// Keeps the files of the source until the test ends.
    _folder: Option<TempDir>,
}

impl Week {
    /// Returns the expected numbers of a range.
    fn expect_range(&self, texts: (&'static str, &'static str)) -> Expected {
        Expected::from_rows(self.rows.clone(), texts)
    }

    /// Returns the id of the timeline with this role.
    fn timeline_id(&self, role: Role) -> i64 {
        let sql = format!("SELECT timeline_id FROM timelines WHERE role = '{}'", role.name());
        rows(&self.app, &sql)[0].parse().unwrap()
    }

    /// Returns the names of two applications and a site, as the source records them.
    fn names(&self) -> [&str; 3] {
        ["editor.exe", "firefox.exe", "docs.example"]
            .map(|key| self.rows.iter().find(|row| row.key.starts_with(key)).unwrap().name.as_str())
    }
}

/// Returns the week in each kind of source.
fn weeks() -> [Week; 2] {
    let folder = tempfile::tempdir().unwrap();
    let mut file = ActivityWatchFile::in_folder(folder.path(), Server::Python);
    file.add(&week::rows());
    [
        Week { app: week_app(), rows: week::rows(), _folder: None },
        Week {
            app: app_over(Arc::new(file.source())),
            rows: activitywatch::convert_rows(week::rows()),
            _folder: Some(folder),
        },
    ]
}
