//! Writes invented ManicTime histories with their screenshots, for trying things out and for tests.
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
mod pictures;
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
use dayledger_canvas::ImageError;
use history::History;
use pictures::Album;

pub use clock::{Moment, Span};
pub use history_writer::HistoryWriter;
pub use pictures::Pictures;
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
    /// A picture could not be encoded.
    #[error("cannot draw `{}`: {source}", path.display())]
    Picture {
        /// Its file.
        path: PathBuf,
        /// What the encoder said.
        source: ImageError,
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
/// The name of the folder beside it that holds a folder of screenshots for each day (ManicTime data, section 4).
const SCREENSHOTS: &str = "Screenshots";

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
    /// The screenshots that it has; `None` for none, and no folder for them.
    pub pictures: Option<Pictures>,
}

impl Plan {
    /// Six weeks up to a day, with every table that ManicTime writes, without screenshots.
    pub fn new(until: NaiveDate) -> Self {
        Self { until, days: 42, activities_per_day: 550, seed: 1, tables: SchemaOptions::default(), pictures: None }
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
    /// Screenshots; one is a full picture, a thumbnail, or most often both.
    pub pictures: u64,
}

/// Writes a demo history to `ManicTimeReports.db` in a folder, which is made where it is missing, and its screenshots
/// into day folders below `Screenshots` beside it.
///
/// The person has two devices and lives in central Europe: local times are UTC+1 or UTC+2. `progress` is told the
/// steps done and in total; a step is the rows of a day or the screenshots of a day. The file appears under its name
/// only when it and all screenshots are complete.
///
/// Fails with [`Error::Exists`] rather than replace a history or mix its screenshots with others.
pub fn write(dir: &Path, plan: &Plan, progress: &mut dyn FnMut(u64, u64)) -> Result<Summary, Error> {
    let wrong_days = || Error::Days { days: plan.days };
    if !(1..=36_525).contains(&plan.days) {
        return Err(wrong_days());
    }
    let first = plan.until.checked_sub_days(Days::new(u64::from(plan.days - 1))).ok_or_else(wrong_days)?;
    fs::create_dir_all(dir).map_err(|source| Error::Io { path: dir.to_owned(), source })?;
    let (path, screenshots) = (dir.join(FILE_NAME), dir.join(SCREENSHOTS));
    let refuse_existing = || {
        let in_the_way =
            [Some(&path), plan.pictures.map(|_| &screenshots)].into_iter().flatten().find(|path| path.exists());
        in_the_way.map_or(Ok(()), |path| Err(Error::Exists { path: path.clone() }))
    };
    refuse_existing()?;
    let unfinished = Unfinished::at(dir.join(format!("{FILE_NAME}.partial")))?;
    let days = u64::from(plan.days);
    let steps = days + plan.pictures.map_or(0, |pictures| u64::from(pictures.days.min(plan.days)));
    let (activities, album) = write_days(&unfinished.path, plan, first, &mut |done| progress(done, steps))?;
    let mut pictures = 0;
    if plan.pictures.is_some() {
        let folder = Unfinished::at(dir.join(format!("{SCREENSHOTS}.partial")))?;
        fs::create_dir(&folder.path).map_err(|source| Error::Io { path: folder.path.clone(), source })?;
        pictures = album.write(&folder.path, &mut |done| progress(days + done, steps))?;
        refuse_existing()?;
        folder.complete(&screenshots)?;
    } else {
        refuse_existing()?;
    }
    unfinished.sync()?;
    unfinished.complete(&path)?;
    Ok(Summary { path, first, last: plan.until, activities, pictures })
}

fn write_days(
    path: &Path,
    plan: &Plan,
    first: NaiveDate,
    progress: &mut dyn FnMut(u64),
) -> Result<(u64, Album), Error> {
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
        progress(done);
    }
    let (conn, activities, album) = history.finish()?;
    conn.close().map_err(|(_, error)| error)?;
    Ok((activities, album))
}

/// A file or folder under a temporary name, removed unless it is completed.
struct Unfinished {
    path: PathBuf,
}

impl Unfinished {
    /// Takes the name, and removes what an interrupted run left under it.
    fn at(path: PathBuf) -> Result<Self, Error> {
        match remove(&path) {
            Err(source) if source.kind() != io::ErrorKind::NotFound => Err(Error::Io { path, source }),
            _ => Ok(Self { path }),
        }
    }

    /// Waits until the file is on the disk.
    fn sync(&self) -> Result<(), Error> {
        let file = OpenOptions::new().write(true).open(&self.path);
        file.and_then(|file| file.sync_all()).map_err(|source| Error::Io { path: self.path.clone(), source })
    }

    fn complete(self, name: &Path) -> Result<(), Error> {
        fs::rename(&self.path, name).map_err(|source| Error::Io { path: name.to_owned(), source })
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        // After completion there is nothing under this name any more, and a failure here has nowhere to go.
        let _ = remove(&self.path);
    }
}

fn remove(path: &Path) -> io::Result<()> {
    if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) }
}
