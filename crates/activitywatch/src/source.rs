//! `ActivityWatch`'s history as a [`HistorySource`].

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rusqlite::Connection;
use serde::{Deserialize, Serialize};

use dayledger_source::selection::Selection;
use dayledger_source::{
    CachedRows, Capability, Contents, Error, HiddenScreenshots, HistorySource, Location, Privacy, ReadHandle, ReadRows,
    ScanExtent, ScanRequest, SourceHealth, Table, TrackerDays, UnreadData,
};
use dayledger_sqlite::{Capacity, FileIdentity, ReadDeadline, UnusedFile, find_special_file};

use crate::clock::{Clock, MAX_OFFSET};
use crate::data::MAX_TEXT_LENGTH;
use crate::error::{convert_failure, incomplete, inconsistent, not_a_file, unsettled_error};
use crate::history::{File, History, NOTHING, Needs, Stop};
use crate::instant::SECOND;
use crate::remarks::{remarks, tracker_days};
use crate::rows::{Rows, Timeline, timelines};
use crate::settings::{InvalidSetting, Settings};
use crate::shape::Shape;
use crate::tables::{self, ScannedRows, needs_counts};

/// The maximum time that a read waits while another program locks the file.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);
/// The timeout of a read, if the file has a write-ahead log. One second for each MiB of the file is added to the
/// timeout.
const READ_TIMEOUT: Duration = Duration::from_mins(1);

/// A history of `ActivityWatch`. Each read searches for the database and opens it if needed. Clones share the data in
/// memory.
///
/// Events stay in memory until the file changes. A file with a write-ahead log is read in one transaction. Any other
/// file is read in slices. Each slice locks the file for at most a second, because `ActivityWatch` gives up writes
/// after five seconds. After the last slice, the read checks whether the file has changed, and reads changed data
/// again.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(try_from = "Stored", into = "Stored")]
#[must_use]
pub struct ActivityWatch {
    settings: Arc<Settings>,
    privacy: Privacy,
    state: Arc<Mutex<Option<State>>>,
}

/// The serialised form of [`ActivityWatch`].
#[derive(Serialize, Deserialize)]
struct Stored {
    settings: Settings,
    privacy: Privacy,
}

impl TryFrom<Stored> for ActivityWatch {
    type Error = InvalidSetting;

    fn try_from(stored: Stored) -> Result<Self, InvalidSetting> {
        Ok(Self { privacy: stored.privacy, ..Self::new(stored.settings)? })
    }
}

impl From<ActivityWatch> for Stored {
    fn from(source: ActivityWatch) -> Self {
        Self { settings: Arc::unwrap_or_clone(source.settings), privacy: source.privacy }
    }
}

/// An open file, and the data that was read from it.
#[derive(Debug)]
struct State {
    connection: Connection,
    identity: FileIdentity,
    path: PathBuf,
    shape: Shape,
    journal_mode: String,
    /// Set if no program had the file open when it was opened here. The connection is then valid only until a program
    /// changes the file.
    unused: Option<UnusedFile>,
    history: Option<History>,
    /// The activities of `history`, and the clock with which their local times were computed.
    rows: Option<(Clock, Arc<Rows>)>,
}

impl State {
    /// Whether the connection sees the current state of the file.
    fn is_current(&self) -> bool {
        self.unused.as_ref().is_none_or(UnusedFile::is_unchanged)
    }
}

/// The history in memory after a read. It is consistent with the file.
struct Snapshot<'s> {
    source: &'s ActivityWatch,
    state: &'s mut State,
    clock: Clock,
}

impl Snapshot<'_> {
    /// Returns the activities of the history. Computes them if the history or the clock has changed.
    fn rows(&mut self) -> Result<Arc<Rows>, Error> {
        let (source, state) = (self.source, &mut *self.state);
        if let Some((clock, rows)) = &state.rows
            && *clock == self.clock
        {
            return Ok(Arc::clone(rows));
        }
        // Drop the old rows, because they share the texts. Then texts can be added without copying all texts.
        state.rows = None;
        let history = state.history.as_mut().ok_or_else(|| incomplete(&state.path, &source.privacy))?;
        let rows = Arc::new(Rows::new(history, &self.clock, &source.settings, &source.privacy));
        state.rows = Some((self.clock.clone(), Arc::clone(&rows)));
        Ok(rows)
    }

    fn timelines(&self) -> Vec<Timeline> {
        let history = self.state.history.as_ref();
        history.map(|history| timelines(history, &self.clock, &self.source.settings)).unwrap_or_default()
    }
}

impl ActivityWatch {
    /// Creates a source. Doesn't open the database yet.
    ///
    /// # Errors
    /// Fails if a time zone is unknown, or if a journey ends before it begins.
    pub fn new(settings: Settings) -> Result<Self, InvalidSetting> {
        settings.check()?;
        Ok(Self { settings: Arc::new(settings), privacy: Privacy::default(), state: Arc::default() })
    }

    /// Returns the settings of the source.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Returns remarks about the history, for `doctor`. Examples are buckets and events that aren't read, and settings
    /// of `ActivityWatch` that aren't applied. Each remark is a sentence without a full stop. Reads the whole history.
    ///
    /// # Errors
    /// Fails if the database can't be read.
    pub fn remarks(&self) -> Result<Vec<String>, Error> {
        self.with_snapshot(&Needs::everything(), &ReadHandle::default(), |mut snapshot| {
            let rows = snapshot.rows()?;
            let State { connection, path, history, .. } = snapshot.state;
            let capacity = Capacity::from_database(path);
            let found = history.as_ref().map(|history| remarks(history, &rows, connection, capacity));
            found.unwrap_or(Ok(Vec::new())).map_err(|error| convert_failure((&error).into(), path, &self.privacy))
        })
    }

    /// Returns the times at which days and weeks start in `ActivityWatch`. A setting that isn't in the database is
    /// `None`.
    ///
    /// # Errors
    /// Fails if the database can't be read.
    pub fn tracker_days(&self) -> Result<TrackerDays, Error> {
        let mut guard = self.lock();
        let State { connection, path, .. } = self.open(&mut guard, &ReadHandle::default())?;
        let found = tracker_days(connection, Capacity::from_database(path));
        found.map_err(|error| convert_failure((&error).into(), path, &self.privacy))
    }

    /// Returns the IANA name of the time zone for local times. If the zone of this computer has no name, returns its
    /// offset from UTC.
    pub fn zone_name(&self) -> String {
        Clock::new(&self.settings).name()
    }

    fn locate(&self) -> Result<Location, Error> {
        self.settings.locator.find_for(&self.privacy)
    }

    fn lock(&self) -> MutexGuard<'_, Option<State>> {
        self.state.lock().unwrap_or_else(|poisoned| {
            // Drop the state, because the history may be incomplete after a read that panicked.
            let mut state = PoisonError::into_inner(poisoned);
            *state = None;
            state
        })
    }

    /// Returns the open file. Opens the file if it isn't open, or if the open file is outdated.
    fn open<'s>(&self, state: &'s mut Option<State>, handle: &ReadHandle) -> Result<&'s mut State, Error> {
        // Keep the chosen database for as long as its file exists, because a new search would open every database.
        let chosen = state.as_ref().map(|open| open.path.clone()).filter(|path| self.settings.locator.finds(path));
        let path = chosen.map_or_else(|| Ok(self.locate()?.database), Ok::<_, Error>)?;
        if let Some(special) = find_special_file(&path) {
            return Err(not_a_file(&special, &self.privacy));
        }
        let failed = |failure| convert_failure(failure, &path, &self.privacy);
        let identity = FileIdentity::from_path(&path).map_err(|error| failed((&error).into()))?;
        if let Some(open) = state.take_if(|open| open.identity == identity && open.is_current()) {
            return Ok(state.insert(open));
        }
        let capacity = Capacity::from_database(&path);
        let deadline = ReadDeadline::new(handle, READ_TIMEOUT, capacity);
        let unused = UnusedFile::find(&path);
        let connection = match &unused {
            Some(file) => file.open(&deadline),
            None => dayledger_sqlite::open(&path, BUSY_TIMEOUT, &deadline),
        };
        let connection = connection.map_err(failed)?;
        let journal_mode = match &unused {
            Some(_) => Ok("wal".to_owned()),
            None => connection.query_row("PRAGMA journal_mode", [], |row| row.get(0)),
        };
        let journal_mode: String = journal_mode.map_err(|error| failed((&error).into()))?;
        let shape = Shape::read(&connection, capacity).map_err(|error| failed((&error).into()))?;
        let shape = shape.ok_or_else(|| incomplete(&path, &self.privacy))?;
        Ok(state.insert(State { connection, identity, path, shape, journal_mode, unused, history: None, rows: None }))
    }

    /// Reads the data that `needs` describes from the current state of the file, and calls `work` with a snapshot.
    fn with_snapshot<T>(
        &self,
        needs: &Needs,
        handle: &ReadHandle,
        work: impl FnOnce(Snapshot<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let mut guard = self.lock();
        let mut state = self.open(&mut guard, handle)?;
        let mut updated = self.update(state, needs, handle);
        if !state.is_current() {
            // Another program opened the file during the read. Read again with a normal connection.
            state = self.open(&mut guard, handle)?;
            updated = self.update(state, needs, handle);
        }
        if updated.is_ok() && !state.is_current() {
            updated = Err(unsettled_error(&state.path, &self.privacy));
        }
        if let Err(error) = updated {
            // Drop the connection, so that the next read opens a new connection.
            *guard = None;
            return Err(error);
        }
        work(Snapshot { source: self, state, clock: Clock::new(&self.settings) })
    }

    /// Updates the events in memory to the current state of the file.
    fn update(&self, state: &mut State, needs: &Needs, handle: &ReadHandle) -> Result<(), Error> {
        let failed = |error: &rusqlite::Error, path: &Path| convert_failure(error.into(), path, &self.privacy);
        let capacity = Capacity::from_database(&state.path);
        let can_wait = state.journal_mode == "wal";
        if can_wait {
            let deadline = ReadDeadline::new(handle, READ_TIMEOUT, capacity);
            let begun = deadline.apply_to(&mut state.connection).and_then(|()| state.connection.execute_batch("BEGIN"));
            begun.map_err(|error| failed(&error, &state.path))?;
        }
        let State { connection, shape, history, .. } = state;
        let mut file = File { connection, shape, capacity, can_wait, handle };
        let updated = History::update(history, &mut file, needs);
        if can_wait {
            // Remove the deadline, so that it doesn't interrupt the rollback.
            let free = state.connection.progress_handler(0, None::<fn() -> bool>);
            let ended = free.and_then(|()| state.connection.execute_batch("ROLLBACK"));
            ended.map_err(|error| failed(&error, &state.path))?;
        }
        match updated {
            Ok(changed) => {
                if changed {
                    state.rows = None;
                }
                Ok(())
            }
            Err(Stop::Sqlite(error)) => Err(failed(&error, &state.path)),
            Err(Stop::Unsettled) => Err(unsettled_error(&state.path, &self.privacy)),
        }
    }
}

/// Returns the data that all scans together need.
fn needs_of(scans: &[(&ScanRequest, ScanExtent)]) -> Needs {
    let activities = scans.iter().filter(|(scan, _)| scan.table == Table::Activities);
    let ranges = activities.map(|(scan, _)| range_of(&scan.selection));
    let range = ranges.fold(NOTHING, |all, range| all.start.min(range.start)..all.end.max(range.end));
    Needs { range, counts: scans.iter().any(|(scan, _)| needs_counts(scan)) }
}

/// Returns a range of UTC times in microseconds. All activities that `selection` selects overlap this range.
fn range_of(selection: &Selection) -> Range<i64> {
    let (starts, ends) = (selection.bounds("start_local"), selection.bounds("end_local"));
    // A selected row overlaps the range: it ends after the beginning of the range, and starts before its end.
    let from = starts.from.max(ends.from);
    let to = starts.to.into_iter().chain(ends.to).min();
    let micros = |seconds: i64, margin: i64| seconds.saturating_add(margin).saturating_mul(SECOND);
    from.map_or(i64::MIN, |from| micros(from, -MAX_OFFSET))..to.map_or(i64::MAX, |to| micros(to, MAX_OFFSET))
}

fn contents() -> Arc<Contents> {
    let capabilities = [Capability::CommonGroups, Capability::Devices].into();
    Arc::new(Contents { capabilities, own_tables: Vec::new() })
}

impl HistorySource for ActivityWatch {
    fn name(&self) -> &'static str {
        "activitywatch"
    }

    fn label(&self) -> &'static str {
        "ActivityWatch"
    }

    fn privacy(&self) -> &Privacy {
        &self.privacy
    }

    fn with_privacy(&self, privacy: Privacy) -> Arc<dyn HistorySource> {
        Arc::new(Self { settings: Arc::clone(&self.settings), privacy, state: Arc::default() })
    }

    fn location(&self) -> Result<Location, Error> {
        let location = self.locate()?;
        Ok(Location { database: self.privacy.redact_path(&location.database), ..location })
    }

    fn size_bytes(&self) -> Option<u64> {
        fs::metadata(self.locate().ok()?.database).map(|metadata| metadata.len()).ok()
    }

    /// Returns a list with the folder of the database, with links resolved. Returns an empty list if there is no
    /// database.
    fn folders(&self) -> Vec<PathBuf> {
        let database = self.locate().ok().map(|found| found.database);
        let database = database.map(|path| fs::canonicalize(&path).unwrap_or(path));
        database.and_then(|database| database.parent().map(Into::into)).into_iter().collect()
    }

    fn contents(&self) -> Result<Arc<Contents>, Error> {
        let mut guard = self.lock();
        self.open(&mut guard, &ReadHandle::default())?;
        Ok(contents())
    }

    fn read(&self, scans: &[(&ScanRequest, ScanExtent)], handle: &ReadHandle) -> Result<Vec<ReadRows>, Error> {
        self.with_snapshot(&needs_of(scans), handle, |mut snapshot| {
            let timelines = snapshot.timelines();
            let read = scans.iter().map(|(scan, extent)| {
                if scan.table != Table::Activities {
                    let batches = tables::read(scan, &timelines).map_err(|error| inconsistent(&error))?;
                    return Ok(ReadRows::Batches(Arc::new(batches)));
                }
                let rows = ScannedRows { rows: snapshot.rows()?, selection: scan.selection.clone() };
                Ok(match extent {
                    ScanExtent::Parts => ReadRows::Cached(Arc::new(rows)),
                    ScanExtent::Whole => ReadRows::Batches(Arc::new(rows.batches(&scan.selection)?)),
                })
            });
            read.collect()
        })
    }

    fn describe(&self, scan: &ScanRequest) -> String {
        format!("table={}", scan.table.name())
    }

    fn hidden_screenshots(&self) -> Result<Arc<HiddenScreenshots>, Error> {
        if let Some(known) = HiddenScreenshots::without_history(&self.privacy) {
            return Ok(Arc::new(known));
        }
        let rows = self.with_snapshot(&Needs::everything(), &ReadHandle::default(), |mut snapshot| snapshot.rows())?;
        Ok(rows.screenshots.clone().unwrap_or_default())
    }

    fn health(&self) -> Result<SourceHealth, Error> {
        self.with_snapshot(&Needs::everything(), &ReadHandle::default(), |snapshot| {
            let truncated_texts = snapshot.state.history.as_ref().map_or(0, History::truncated_texts);
            Ok(SourceHealth {
                schema_version: Some(snapshot.state.shape.version_name()),
                journal_mode: snapshot.state.journal_mode.clone(),
                tables: Vec::new(),
                missing: Vec::new(),
                missing_from: None,
                hourly_totals_remedy: "",
                unread: UnreadData { truncated_texts, max_lengths: [MAX_TEXT_LENGTH; 2], wrong_totals: 0 },
                contents: contents(),
            })
        })
    }

    fn zone(&self) -> Option<String> {
        Some(self.zone_name())
    }

    fn remarks(&self) -> Result<Vec<String>, Error> {
        self.remarks()
    }

    fn tracker_days(&self) -> Result<TrackerDays, Error> {
        self.tracker_days()
    }

    fn settings(&self) -> serde_json::Result<serde_json::Value> {
        serde_json::to_value(self)
    }

    fn forget(&self) {
        *self.lock() = None;
    }
}
