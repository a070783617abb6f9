//! Writes invented ManicTime histories, for trying things out and for tests.
//!
//! **Owns** the schema of `ManicTimeReports.db` as a writer sees it, a typed writer for histories of one's own making,
//! and a demo history of any length. **Does not own** reading, nor the command that shows the progress.
//!
//! Invariants: the same plan gives the same rows, on every machine; nothing here reads the clock, the environment or
//! a real history; names of people and companies are invented.

mod cast;
mod clock;
mod day;
mod history;
mod history_writer;
mod hourly;
mod identity;
mod rows;
pub mod schema;
mod screen;
#[cfg(test)]
mod tests;
mod waiting;

use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use chrono::{Days, NaiveDate};
use history::History;

pub use clock::{Moment, Span};
pub use history_writer::HistoryWriter;
pub use rows::{Activity, Group, GroupKind, Timeline};
pub use schema::{SchemaOptions, TableGroup};

/// Why a history could not be written.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A history is there already; it is never overwritten.
    #[error("`{}` exists already; choose another folder or remove it", path.display())]
    Exists {
        /// The history that is in the way.
        path: PathBuf,
    },
    /// A file or folder could not be made, renamed or removed.
    #[error("cannot write `{}`: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// SQLite refused a statement.
    #[error("cannot write the history: {0}")]
    Database(#[from] rusqlite::Error),
    /// A text is no time.
    #[error("`{text}` is no local time; write it as `2025-01-15 09:30:00`")]
    Time {
        /// The text.
        text: String,
    },
    /// An activity or group names a timeline that was not added.
    #[error("there is no timeline `{report}`; add it before its groups and activities")]
    NoTimeline {
        /// The `ReportId`.
        report: i64,
    },
    /// The plan spans no day, or more days than there are dates.
    #[error("a history of `{days}` days cannot be written; ask for 1 to 36525")]
    Days {
        /// The days asked for.
        days: u32,
    },
}

/// The name of a history's file in its folder.
const FILE_NAME: &str = "ManicTimeReports.db";

/// What demo history to write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The last local day, inclusive. It always has activity.
    pub until: NaiveDate,
    /// How many days, the last one included.
    pub days: u32,
    /// About how many activities an average day has, over all timelines, days off included.
    pub activities_per_day: u32,
    /// Another seed gives other days of the same kind.
    pub seed: u64,
    /// The tables that the history has.
    pub tables: SchemaOptions,
}

impl Plan {
    /// Six weeks up to a day, with every table that ManicTime writes.
    pub fn new(until: NaiveDate) -> Self {
        Self { until, days: 42, activities_per_day: 550, seed: 1, tables: SchemaOptions::default() }
    }
}

/// What was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// The file.
    pub path: PathBuf,
    /// The first local day.
    pub first: NaiveDate,
    /// The last local day, inclusive.
    pub last: NaiveDate,
    /// Rows of `Ar_Activity`, over all timelines.
    pub activities: u64,
}

/// Writes a demo history to `ManicTimeReports.db` in a folder, which is made where it is missing.
///
/// The person has two devices and lives in central Europe: local times are UTC+1 or UTC+2. `progress` is told the
/// days done and the days in total after each day. The file appears under its name only when it is complete.
///
/// Fails with [`Error::Exists`] rather than replace a history.
pub fn write(dir: &Path, plan: &Plan, progress: &mut dyn FnMut(u64, u64)) -> Result<Summary, Error> {
    let wrong_days = || Error::Days { days: plan.days };
    if !(1..=36_525).contains(&plan.days) {
        return Err(wrong_days());
    }
    let first = plan.until.checked_sub_days(Days::new(u64::from(plan.days - 1))).ok_or_else(wrong_days)?;
    fs::create_dir_all(dir).map_err(|source| Error::Io { path: dir.to_owned(), source })?;
    let path = dir.join(FILE_NAME);
    refuse_existing(&path)?;
    let unfinished = Unfinished::at(dir.join(format!("{FILE_NAME}.partial")))?;
    let activities = write_days(&unfinished.path, plan, first, progress)?;
    refuse_existing(&path)?;
    unfinished.complete(&path)?;
    Ok(Summary { path, first, last: plan.until, activities })
}

fn refuse_existing(path: &Path) -> Result<(), Error> {
    if path.exists() { Err(Error::Exists { path: path.to_owned() }) } else { Ok(()) }
}

fn write_days(path: &Path, plan: &Plan, first: NaiveDate, progress: &mut dyn FnMut(u64, u64)) -> Result<u64, Error> {
    let writer = HistoryWriter::create(path, plan.tables.clone())?;
    // Nobody reads an unfinished file, and after a crash it is begun anew: no journal, no waiting for the disk.
    writer.connection().execute_batch(
        "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -65536;",
    )?;
    let mut history = History::begin(writer, plan, first)?;
    let total = u64::from(plan.days);
    for (done, date) in (1..=total).zip(first.iter_days()) {
        history.add_day(date, done == total)?;
        if done % 7 == 0 {
            history.settle(date)?;
        }
        progress(done, total);
    }
    let (conn, activities) = history.finish()?;
    conn.close().map_err(|(_, error)| error)?;
    Ok(activities)
}

/// A file under a temporary name, removed unless it is completed.
struct Unfinished {
    path: PathBuf,
}

impl Unfinished {
    /// Takes the name, and removes what an interrupted run left under it.
    fn at(path: PathBuf) -> Result<Self, Error> {
        match fs::remove_file(&path) {
            Err(source) if source.kind() != io::ErrorKind::NotFound => Err(Error::Io { path, source }),
            _ => Ok(Self { path }),
        }
    }

    fn complete(self, name: &Path) -> Result<(), Error> {
        OpenOptions::new()
            .write(true)
            .open(&self.path)
            .and_then(|file| file.sync_all())
            .and_then(|()| fs::rename(&self.path, name))
            .map_err(|source| Error::Io { path: name.to_owned(), source })
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        // After completion there is nothing under this name any more, and a failure here has nowhere to go.
        let _ = fs::remove_file(&self.path);
    }
}
