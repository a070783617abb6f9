//! Opens the database, reads it consistently, and caches the results.
//!
//! One call of [`Source::read`] uses one transaction of a connection from [`sqlite`](super::sqlite).
//! So all its scans see the same state of the database, even while `ManicTime` writes. The
//! transaction is closed before the results are used.
//!
//! Results are cached until the next commit to the database. The cache of results belongs to a *generation*, which has
//! a number. With `PRAGMA data_version`, a connection detects whether another connection has committed since the
//! previous check:
//!
//! - A connection that detects a commit starts a new generation. A new connection also starts a new generation, because
//!   it can't detect earlier commits.
//! - A connection that doesn't detect a commit uses the current generation.
//! - If another connection starts a new generation during a read, the read may see an older state than this generation.
//!   Such a read neither uses cached results nor adds results to the cache.
//!
//! As a result, a response contains all data that was committed before its request.
//!
//! Complete timelines stay cached after a commit. If a cached timeline is from an earlier generation, a read updates it
//! before it uses the rows.
//!
//! Connections that no request has used for a while are closed (module `idle`).

mod history_source;
mod idle;
mod losses;
mod result_cache;
mod settings;
mod state;
mod timeline_memory;
mod timelines;

use std::path::Path;
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use arrow::array::RecordBatch;
use serde::{Deserialize, Serialize};

use idle::close_after_timeout;
use settings::Settings;
use state::{State, lock_state};
use timeline_memory::GenerationMemory;

use super::dimensions::{Dimensions, Links};
use super::error::{Error, redact_error};
use super::locate::Locator;
use super::privacy::RedactedNames;
use super::shape::Shape;
use super::snapshot::{Commit, Snapshot};
use super::sqlite::{BUSY_TIMEOUT, READ_TIMEOUT, Reader, convert_failure, sqlite_error};
use super::tables::{self, CachedActivities, read_cached};
use dayledger_source::{
    Batches, Location, Privacy, ReadHandle, ReadRows, ScanExtent, ScanRequest, Table, merge_scans, rows_of_scan,
};
use dayledger_sqlite::{Capacity, FileIdentity, ReadDeadline, find_special_file};

/// The maximum memory for cached timelines and results, in bytes.
const CACHE_BYTES: usize = 256 << 20;
/// The time that the file stays open after the last request. On Windows, this time is short, because `ManicTime` can't
/// replace or remove an open file there. Five seconds are enough for most requests of one conversation. On other
/// platforms, an open file doesn't disturb other programs.
const IDLE_TIMEOUT: Duration = Duration::from_secs(if cfg!(windows) { 5 } else { 600 });

/// A `ManicTime` history. Each read searches for the database and opens it if needed. A `Source` can
/// be serialised, so that another process reads the same history with the same privacy settings.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(from = "Settings", into = "Settings")]
#[must_use]
pub struct Source {
    settings: Arc<Settings>,
    state: Arc<Mutex<State>>,
}

impl From<Settings> for Source {
    fn from(settings: Settings) -> Self {
        Self { settings: Arc::new(settings), state: Arc::default() }
    }
}

impl From<Source> for Settings {
    fn from(source: Source) -> Self {
        Arc::unwrap_or_clone(source.settings)
    }
}

impl Source {
    /// Creates a source for the history that `locator` finds. Doesn't open the database yet.
    pub fn new(locator: Locator) -> Self {
        Self::with_busy_timeout(locator, BUSY_TIMEOUT)
    }

    /// Creates a source with a custom busy timeout. If another program locks the file, a read waits for at most this
    /// time. The default is five seconds.
    pub fn with_busy_timeout(locator: Locator, busy_timeout: Duration) -> Self {
        Settings {
            locator,
            busy_timeout,
            patience: READ_TIMEOUT,
            idle_patience: IDLE_TIMEOUT,
            memory: CACHE_BYTES,
            privacy: Privacy::default(),
        }
        .into()
    }

    /// Sets the maximum memory for cached data, in bytes. The default is 256 MiB.
    pub fn with_memory(self, bytes: usize) -> Self {
        self.with_settings(|settings| settings.memory = bytes)
    }

    /// Sets the timeout of a read. The default is one minute. For each MiB of the file, a read may take one additional
    /// second.
    pub fn with_read_timeout(self, timeout: Duration) -> Self {
        self.with_settings(|settings| settings.patience = timeout)
    }

    /// Sets the time that the file stays open after the last request. The default is five seconds on Windows and ten
    /// minutes on other platforms.
    pub fn with_idle_timeout(self, timeout: Duration) -> Self {
        self.with_settings(|settings| settings.idle_patience = timeout)
    }

    /// Sets the privacy settings. They apply to all data that the returned source reads.
    pub fn with_privacy(self, privacy: Privacy) -> Self {
        // The returned source starts with an empty cache, because the cached data was read with other privacy settings.
        Self { state: Arc::default(), ..self.with_settings(|settings| settings.privacy = privacy) }
    }

    fn with_settings(mut self, change: impl FnOnce(&mut Settings)) -> Self {
        change(Arc::make_mut(&mut self.settings));
        self
    }

    fn privacy(&self) -> &Privacy {
        &self.settings.privacy
    }

    /// Finds the database. Redacts paths in errors, but not in the returned location.
    fn locate(&self) -> Result<Location, Error> {
        self.settings.locator.find().map_err(|error| redact_error(self.privacy(), error))
    }

    /// Reads all scans in one transaction. Returns the rows of each scan, in the order of `scans`. If several scans
    /// select the same rows, these rows are read only once. Blocks until the rows are read or `reading` is stopped.
    ///
    /// # Errors
    /// Fails if the file can't be read.
    fn read_scans(&self, scans: &[(&ScanRequest, ScanExtent)], reading: &ReadHandle) -> Result<Vec<ReadRows>, Error> {
        self.run_at_commit(reading, |source, snapshot, reader| {
            let memory = GenerationMemory::new(&source.state, reader.generation, source.settings.memory);
            // `CachedActivities` contains unredacted rows. So it is used only if there are no privacy settings.
            let can_hold = source.privacy().is_empty();
            let is_held = |(scan, extent): &(&ScanRequest, ScanExtent)| {
                can_hold && *extent == ScanExtent::Parts && scan.table == Table::Activities
            };
            let of = |scans: &[(&ScanRequest, ScanExtent)]| {
                merge_scans(&scans.iter().map(|(scan, _)| *scan).collect::<Vec<_>>())
            };
            let (in_parts, whole): (Vec<_>, Vec<_>) = scans.iter().copied().partition(is_held);
            let held = of(&in_parts).into_iter().map(|scan| {
                let rows =
                    read_cached(&scan.selection, snapshot, &memory).map_err(|error| sqlite_error(&error, &reader.path));
                Ok((scan, Arc::new(rows?)))
            });
            let held = held.collect::<Result<Vec<_>, Error>>()?;
            let shared = of(&whole);
            let batches = shared.iter().map(|scan| source.read_scan(scan, snapshot, reader, &memory));
            let batches = batches.collect::<Result<Vec<_>, _>>()?;
            let rows = scans.iter().map(|requested| {
                if is_held(requested) {
                    let (_, rows) = held.iter().find(|(held, _)| held.selects_same_rows_as(requested.0))?;
                    return Some(ReadRows::Cached(Arc::<CachedActivities>::clone(rows)));
                }
                rows_of_scan(requested.0, &shared, &batches).map(ReadRows::Batches)
            });
            rows.collect::<Option<_>>().ok_or_else(|| inconsistent_error(&reader.path))
        })
    }

    /// Returns the rows of one scan at the reader's commit, from the cache if possible.
    fn read_scan(
        &self,
        scan: &ScanRequest,
        snapshot: &Snapshot<'_>,
        reader: &Reader,
        memory: &GenerationMemory<'_>,
    ) -> Result<Batches, Error> {
        if let Some(known) = self.lock().result(reader.generation, scan) {
            return Ok(known);
        }
        let started = Instant::now();
        let (generation, most) = (reader.generation, self.settings.memory);
        let read = tables::read(scan, snapshot, memory);
        let read = read.map_err(|error| sqlite_error(&error, &reader.path))?;
        let rows: usize = read.iter().map(RecordBatch::num_rows).sum();
        tracing::debug!(table = scan.table.name(), rows, took = ?started.elapsed(), "read");
        let read = Arc::new(read);
        self.lock().keep_result(generation, scan, &read, most);
        Ok(read)
    }

    /// Runs `work` in a transaction, with a snapshot of the file at one commit.
    fn run_at_commit<T>(
        &self,
        reading: &ReadHandle,
        work: impl Fn(&Self, &Snapshot<'_>, &Reader) -> Result<T, Error>,
    ) -> Result<T, Error> {
        self.run_in_transaction(reading, |source, reader| {
            let shape = source.shape_at(reader)?;
            let commit = source.commit_at(reader, &shape)?;
            work(source, &Snapshot::new(&reader.connection, reader.capacity, &shape, &commit, reading), reader)
        })
    }

    /// Runs `work` in one read transaction, which ends before this function returns. If this fails with an error of
    /// `SQLite` on a connection from an earlier request, `work` runs again on a new connection.
    fn run_in_transaction<T>(
        &self,
        reading: &ReadHandle,
        work: impl Fn(&Self, &mut Reader) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let started = Instant::now();
        let result = self.try_transaction(reading, &work).map_err(|error| match error {
            Error::Busy { path, .. } => Error::Busy { path, waited_seconds: self.settings.busy_timeout.as_secs() },
            Error::Endless { path, .. } => Error::Endless { path, waited_seconds: started.elapsed().as_secs() },
            error => error,
        });
        // Redact errors, because the user sees them too.
        result.map_err(|error| redact_error(self.privacy(), error))
    }

    fn try_transaction<T>(
        &self,
        reading: &ReadHandle,
        work: &impl Fn(&Self, &mut Reader) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let mut reader = self.reader(reading)?;
        // Read the generation before the transaction begins. If another connection starts a new generation in between,
        // `join_generation` notices it.
        let generation = self.lock().generation;
        let result = reader.begin_transaction().and_then(|()| {
            self.join_generation(&mut reader, generation);
            work(self, &mut reader)
        });
        match result {
            Ok(answer) => {
                if reader.end_transaction() {
                    self.return_reader(reader);
                }
                Ok(answer)
            }
            // Another program may have overwritten the content of the file, and SQLite may not notice this. The
            // connection then mixes cached pages with new content. So retry with a new connection.
            Err(Error::Sqlite { .. } | Error::NotSqlite { .. }) if !reader.is_new => {
                self.lock().forget_all();
                self.try_transaction(reading, work)
            }
            // Drop the connection, because its state after an error is unknown.
            Err(error) => Err(error),
        }
    }

    /// Returns a connection to the current file: an idle connection if possible, otherwise a new
    /// connection.
    fn reader(&self, reading: &ReadHandle) -> Result<Reader, Error> {
        let location = self.settings.locator.find()?;
        if let Some(special) = find_special_file(&location.database) {
            return Err(Error::NotAFile(special));
        }
        let identity = FileIdentity::from_path(&location.database);
        let identity = identity.map_err(|error| convert_failure((&error).into(), &location.database))?;
        let capacity = Capacity::from_database(&location.database);
        let end = ReadDeadline::new(reading, self.settings.patience, capacity);
        // The lock of the state is released before the file is opened, because opening can wait for another program.
        let idle = {
            let mut state = self.lock();
            if state.file.as_ref() != Some(&identity) {
                state.reset_to(identity.clone());
            }
            state.idle.take()
        };
        let mut reader = match idle {
            Some(reader) => reader,
            None => Reader::open(&location.database, identity, self.settings.busy_timeout, &end)?,
        };
        reader.capacity = capacity;
        reader.set_deadline(&end)?;
        Ok(reader)
    }

    /// Sets the generation of `reader`'s transaction. If the transaction detected a commit, starts a new generation.
    /// `before` is the generation before the transaction began.
    fn join_generation(&self, reader: &mut Reader, before: u64) {
        let mut state = self.lock();
        reader.generation = (state.generation == before).then_some(before);
        if reader.generation.is_some() && reader.changed {
            state.start_generation();
            reader.generation = Some(state.generation);
        }
        if reader.generation.is_none() {
            // This transaction may have detected a commit, but didn't start a new generation for it. So the
            // connection's next transaction must detect the commit again.
            reader.data_version = None;
        }
    }

    fn return_reader(&self, mut reader: Reader) {
        reader.is_new = false;
        let mut state = self.lock();
        // If the file was replaced during the request, the connection still reads the old file. It is then dropped.
        if state.file.as_ref() == Some(&reader.file)
            && let Some(gone) = state.idle.keep(reader)
        {
            // Release the lock, because `schedule_idle_close` needs it if it can't start the thread.
            drop(state);
            self.schedule_idle_close(gone);
        }
    }

    /// Starts a thread that closes the idle connections after the timeout. If a request uses a connection before then,
    /// the timeout starts again.
    fn schedule_idle_close(&self, gone: Receiver<()>) {
        // Use a weak reference. Otherwise, the waiting thread would keep the caches of a dropped source in memory.
        let (state, timeout) = (Arc::downgrade(&self.state), self.settings.idle_patience);
        let close_unused = move || lock_state(&*state.upgrade()?).idle.close_unused(Instant::now(), timeout);
        let scheduled = close_after_timeout(timeout, gone, close_unused);
        if let Err(error) = scheduled {
            tracing::debug!(%error, "cannot schedule the closing of idle connections, so they are closed now");
            self.lock().idle.close_unused(Instant::now(), Duration::ZERO);
        }
    }

    fn shape_at(&self, reader: &Reader) -> Result<Arc<Shape>, Error> {
        {
            let state = self.lock();
            if let Some((version, shape)) = &state.shape
                && *version == reader.schema_version
                && state.file.as_ref() == Some(&reader.file)
            {
                return Ok(Arc::clone(shape));
            }
        }
        let shape = Arc::new(Shape::read(&reader.connection, reader.capacity, &reader.path)?);
        let mut state = self.lock();
        if state.file.as_ref() == Some(&reader.file) {
            state.shape = Some((reader.schema_version, Arc::clone(&shape)));
            // If the schema has changed, cached timelines may lack new columns.
            state.timelines.clear();
        }
        Ok(shape)
    }

    fn commit_at(&self, reader: &Reader, shape: &Shape) -> Result<Arc<Commit>, Error> {
        {
            let state = self.lock();
            let current = reader.generation == Some(state.generation);
            if let Some(commit) = state.commit.as_ref().filter(|_| current) {
                return Ok(Arc::clone(commit));
            }
        }
        let read = Dimensions::read(&reader.connection, shape, reader.capacity);
        let dimensions = read.map_err(|error| sqlite_error(&error, &reader.path))?;
        let links = Links::from_dimensions(&dimensions);
        let commit = Arc::new(Commit::new(RedactedNames::new(dimensions, self.privacy())));
        let mut state = self.lock();
        if reader.generation == Some(state.generation) {
            state.keep_commit(&commit, links);
        }
        Ok(commit)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        lock_state(&self.state)
    }
}

fn inconsistent_error(path: &Path) -> Error {
    Error::Sqlite { path: path.to_owned(), message: "a shared read lacks a column".to_owned() }
}
