//! The file behind every scan: connections, consistent reads, and what was read already.
//!
//! **Owns** every contact with the database file: read-only, never `immutable`, short transactions (design, section 5).
//! One call of [`Source::read`] is one consistent read: all its scans see the same state of the file though `ManicTime`
//! is writing, and its transaction is closed before anybody uses what it read.
//!
//! What was read is kept until the file changes. `PRAGMA data_version` tells a connection whether anybody committed
//! since it last looked. A connection that is new, or that finds a change, starts a new *generation* of kept results;
//! one that finds none joins the current generation, for then no commit lies between. A read during which somebody
//! else started a generation may be older than that and belongs to none: it neither uses nor keeps anything. So
//! nothing older than the last commit at the time of the question is answered, however the connections interleave.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use datafusion::arrow::array::RecordBatch;
use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::dimensions::{Dimensions, TableReader};
use super::privacy::{Hidden, Privacy, WithheldPictures};
use super::scan::Scan;
use super::shape::Shape;
use super::{Error, Locator, Reading};

/// What every `SQLite` file begins with; a shorter one `SQLite` itself takes for an empty database.
const HEADER_BYTES: u64 = 100;
/// How long a read waits for `ManicTime` to finish a write; its transactions are short.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);
/// How many steps of its machine `SQLite` takes before it asks whether to go on: some ten microseconds.
const STEPS_BETWEEN_ASKING: i32 = 1000;
/// How many bytes of batches are kept for repeated questions.
const KEEP_BYTES: usize = 256 << 20;
/// How many results are kept: an empty one takes no bytes, but there are endless empty ranges.
const KEEP_SCANS: usize = 1024;
/// How many idle connections are kept; more are opened while more questions run at once.
const IDLE_CONNECTIONS: usize = 2;

/// Rows as they were read, shared by everybody who asks the same.
pub(crate) type Batches = Arc<Vec<RecordBatch>>;

/// A history, found and opened anew as often as it needs.
#[derive(Debug, Clone)]
pub struct Source {
    locator: Arc<Locator>,
    busy_timeout: Duration,
    privacy: Privacy,
    /// Where the pictures are, when that is not beside the database.
    screenshots: Option<Arc<Path>>,
    state: Arc<Mutex<State>>,
}

#[derive(Debug, Default)]
struct State {
    generation: u64,
    file: Option<FileIdentity>,
    idle: Vec<Reader>,
    shape: Option<(i64, Arc<Shape>)>,
    dimensions: Option<Arc<Dimensions>>,
    kept: HashMap<Scan, Batches>,
    kept_bytes: usize,
}

/// Tells a file from the one that replaced it under the same name.
#[derive(Debug, Clone, PartialEq, Eq)]
struct FileIdentity {
    path: PathBuf,
    #[cfg(unix)]
    inode: (u64, u64),
    #[cfg(not(unix))]
    created: Option<std::time::SystemTime>,
}

#[derive(Debug)]
struct Reader {
    connection: Connection,
    file: FileIdentity,
    path: PathBuf,
    data_version: Option<i64>,
    /// Whether the last `begin` found a commit that this connection had not seen.
    changed: bool,
    schema_version: i64,
    /// The generation that the transaction in progress belongs to, if any.
    generation: Option<u64>,
}

/// One consistent read in progress: the file's state at one commit.
pub(crate) struct Snapshot<'r> {
    /// The connection, in a read transaction.
    pub(crate) connection: &'r Connection,
    /// The file's tables and columns.
    pub(crate) shape: &'r Shape,
    /// Timelines, groups, lists and devices at this commit.
    pub(crate) dimensions: &'r Dimensions,
    /// Counts the rows.
    pub(crate) reading: &'r Reading,
}

impl Snapshot<'_> {
    /// Where something hidden was, read when it is first asked for.
    pub(crate) fn hidden(&self) -> rusqlite::Result<&Hidden> {
        if let Some(hidden) = self.dimensions.hidden.get() {
            return Ok(hidden);
        }
        let reader = TableReader { connection: self.connection, shape: self.shape };
        let hidden = Hidden::read(&reader, self.dimensions)?;
        Ok(self.dimensions.hidden.get_or_init(|| hidden))
    }
}

impl Source {
    /// A history wherever `locator` finds one; nothing is opened yet.
    pub fn new(locator: Locator) -> Self {
        Self::with_busy_timeout(locator, BUSY_TIMEOUT)
    }

    /// The same, with another time than five seconds to wait where another program holds the file locked.
    pub fn with_busy_timeout(locator: Locator, busy_timeout: Duration) -> Self {
        Self {
            locator: Arc::new(locator),
            busy_timeout,
            privacy: Privacy::default(),
            screenshots: None,
            state: Arc::default(),
        }
    }

    /// The same history, whose screenshots lie in `folder`.
    #[must_use]
    pub fn with_screenshots_in(self, folder: &Path) -> Self {
        Self { screenshots: Some(folder.into()), ..self }
    }

    /// The same history with less of it told: nothing that is read through it tells what `privacy` withholds.
    #[must_use]
    pub fn with_privacy(self, privacy: Privacy) -> Self {
        // What was read already was read under other switches.
        Self { privacy, state: Arc::default(), ..self }
    }

    /// What is withheld.
    pub fn privacy(&self) -> &Privacy {
        &self.privacy
    }

    /// Where the history is now, as far as it may be told: without its folder where paths are redacted.
    ///
    /// # Errors
    /// Those of [`Locator::find`].
    pub fn location(&self) -> Result<super::Location, Error> {
        let location = self.locator.find().map_err(|error| error.under(&self.privacy))?;
        Ok(super::Location { database: self.privacy.shown_path(&location.database), ..location })
    }

    /// Where the history's screenshots are, whether or not that folder exists: the configured one, else `Screenshots`
    /// beside the database (`ManicTime` data, section 4). Not to be shown where paths are redacted.
    ///
    /// # Errors
    /// Those of [`Locator::find`], where no folder is configured.
    pub fn screenshots_folder(&self) -> Result<PathBuf, Error> {
        if let Some(folder) = &self.screenshots {
            return Ok(folder.to_path_buf());
        }
        let location = self.locator.find().map_err(|error| error.under(&self.privacy))?;
        Ok(location.database.with_file_name("Screenshots"))
    }

    /// The file's shape now. Blocks on the file.
    ///
    /// # Errors
    /// Everything that keeps the file from being read, and missing core tables or columns.
    pub fn shape(&self) -> Result<Arc<Shape>, Error> {
        self.transaction(&Reading::default(), |source, reader| source.shape_at(reader))
    }

    /// When pictures of the screen may not be shown. Blocks on the file where there are rules; without switches nothing
    /// is opened.
    ///
    /// # Errors
    /// Everything that keeps the file from being read: what cannot be known to be harmless is not shown.
    pub fn withheld_pictures(&self) -> Result<Arc<WithheldPictures>, Error> {
        Ok(Arc::new(WithheldPictures::of(&self.privacy)))
    }

    /// Forgets what was read, as a commit by another program would make it do: the next question reads the file.
    pub fn forget(&self) {
        self.lock().start_generation();
    }

    /// `SQLite`'s journal mode of the file (`delete`, `wal`). Blocks on the file.
    ///
    /// # Errors
    /// Everything that keeps the file from being read.
    pub fn journal_mode(&self) -> Result<String, Error> {
        self.transaction(&Reading::default(), |_, reader| {
            let mode = reader.connection.query_row("PRAGMA journal_mode", [], |row| row.get(0));
            mode.map_err(|error| sqlite_error(&error, &reader.path))
        })
    }

    /// How `SQLite` would carry out the statements of `scan`: a line per step. Blocks on the file.
    ///
    /// # Errors
    /// Everything that keeps the file from being read.
    pub(crate) fn explain(&self, scan: &Scan) -> Result<Vec<String>, Error> {
        let reading = Reading::default();
        self.transaction(&reading, |source, reader| {
            let shape = source.shape_at(reader)?;
            let dimensions = source.dimensions_at(reader, &shape)?;
            let connection = &reader.connection;
            let snapshot = Snapshot { connection, shape: &shape, dimensions: &dimensions, reading: &reading };
            scan.explain(&snapshot).map_err(|error| sqlite_error(&error, &reader.path))
        })
    }

    /// Reads every scan in one transaction, equal scans once, and returns their rows in the same order. Blocks, until
    /// `reading` is stopped.
    ///
    /// # Errors
    /// Everything that keeps the file from being read.
    pub(crate) fn read(&self, scans: &[&Scan], reading: &Reading) -> Result<Vec<Batches>, Error> {
        self.transaction(reading, |source, reader| {
            let shape = source.shape_at(reader)?;
            let dimensions = source.dimensions_at(reader, &shape)?;
            let connection = &reader.connection;
            let snapshot = Snapshot { connection, shape: &shape, dimensions: &dimensions, reading };
            let shared = shared_reads(scans);
            let batches = shared
                .iter()
                .map(|scan| source.read_or_kept(scan, &snapshot, reader))
                .collect::<Result<Vec<_>, _>>()?;
            scans.iter().map(|scan| pick(scan, &shared, &batches).ok_or_else(|| inconsistent(&reader.path))).collect()
        })
    }

    /// The rows of one scan at the reader's commit, read unless they are still known.
    fn read_or_kept(&self, scan: &Scan, snapshot: &Snapshot<'_>, reader: &Reader) -> Result<Batches, Error> {
        if let Some(kept) = self.lock().kept_at(reader.generation, scan) {
            return Ok(kept);
        }
        let started = Instant::now();
        let read = scan.read(snapshot).map_err(|error| sqlite_error(&error, &reader.path))?;
        let rows: usize = read.iter().map(RecordBatch::num_rows).sum();
        tracing::debug!(table = scan.table.name(), rows, took = ?started.elapsed(), "read");
        let read = Arc::new(read);
        self.lock().keep(reader.generation, scan, &read);
        Ok(read)
    }

    /// Runs `work` inside one read transaction, which is over when this returns.
    fn transaction<T>(
        &self,
        reading: &Reading,
        work: impl FnOnce(&Self, &mut Reader) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let result = self.attempt(reading, work).map_err(|error| match error {
            Error::Busy { path, .. } => Error::Busy { path, waited_seconds: self.busy_timeout.as_secs() },
            error => error,
        });
        // An error goes where the answer would have gone.
        result.map_err(|error| error.under(&self.privacy))
    }

    fn attempt<T>(
        &self,
        reading: &Reading,
        work: impl FnOnce(&Self, &mut Reader) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let mut reader = self.reader()?;
        let generation = self.lock().generation;
        reader.stop_with(reading)?;
        reader.begin()?;
        self.join_generation(&mut reader, generation);
        let result = work(self, &mut reader);
        // The next read asks for itself; until then nothing stops what is done here.
        let free = reader.connection.progress_handler(0, None::<fn() -> bool>);
        if free.is_ok() && reader.connection.execute_batch("ROLLBACK").is_ok() {
            self.give_back(reader);
        }
        result
    }

    /// An idle connection to the file that is there now, or a new one.
    fn reader(&self) -> Result<Reader, Error> {
        let location = self.locator.find()?;
        let identity = FileIdentity::of(&location.database)?;
        {
            let mut state = self.lock();
            if state.file.as_ref() != Some(&identity) {
                *state = State { generation: state.generation + 1, file: Some(identity.clone()), ..State::default() };
            }
            if let Some(reader) = state.idle.pop() {
                return Ok(reader);
            }
        }
        Reader::open(&location.database, identity, self.busy_timeout)
    }

    /// Decides which generation the transaction of `reader` belongs to; `before` was current when it began.
    fn join_generation(&self, reader: &mut Reader, before: u64) {
        let mut state = self.lock();
        reader.generation = (state.generation == before).then_some(before);
        if reader.generation.is_some() && reader.changed {
            state.start_generation();
            reader.generation = Some(state.generation);
        }
        if reader.generation.is_none() {
            // A commit that it saw has started no generation, so its next transaction has to see it again.
            reader.data_version = None;
        }
    }

    fn give_back(&self, reader: Reader) {
        let mut state = self.lock();
        if state.file.as_ref() == Some(&reader.file) && state.idle.len() < IDLE_CONNECTIONS {
            state.idle.push(reader);
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
        let shape = Arc::new(Shape::read(&reader.connection, &reader.path)?);
        let mut state = self.lock();
        if state.file.as_ref() == Some(&reader.file) {
            state.shape = Some((reader.schema_version, Arc::clone(&shape)));
        }
        Ok(shape)
    }

    fn dimensions_at(&self, reader: &Reader, shape: &Shape) -> Result<Arc<Dimensions>, Error> {
        {
            let state = self.lock();
            let current = reader.generation == Some(state.generation);
            if let Some(dimensions) = state.dimensions.as_ref().filter(|_| current) {
                return Ok(Arc::clone(dimensions));
            }
        }
        let read = Dimensions::read(&reader.connection, shape, &self.privacy);
        let dimensions = Arc::new(read.map_err(|error| sqlite_error(&error, &reader.path))?);
        let mut state = self.lock();
        if reader.generation == Some(state.generation) {
            state.dimensions = Some(Arc::clone(&dimensions));
        }
        Ok(dimensions)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Every change of the state is a few assignments that cannot panic half-way.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Scans that ask for the same rows read them once, with all their columns together.
fn shared_reads(scans: &[&Scan]) -> Vec<Scan> {
    let mut shared: Vec<Scan> = Vec::new();
    for scan in scans {
        if let Some(other) = shared.iter_mut().find(|other| other.asks_for_rows_of(scan)) {
            other.projection.extend(&scan.projection);
            other.projection.sort_unstable();
            other.projection.dedup();
        } else {
            let mut scan = (*scan).clone();
            scan.projection.sort_unstable();
            shared.push(scan);
        }
    }
    shared
}

/// The columns of `scan` out of the shared read that holds its rows.
fn pick(scan: &Scan, shared: &[Scan], batches: &[Batches]) -> Option<Batches> {
    let (read, batches) = shared.iter().zip(batches).find(|(read, _)| read.asks_for_rows_of(scan))?;
    if read.projection == scan.projection {
        return Some(Arc::clone(batches));
    }
    let places: Option<Vec<usize>> =
        scan.projection.iter().map(|column| read.projection.binary_search(column).ok()).collect();
    let places = places?;
    let picked: Result<Vec<_>, _> = batches.iter().map(|batch| batch.project(&places)).collect();
    picked.ok().map(Arc::new)
}

fn inconsistent(path: &Path) -> Error {
    Error::Sqlite { path: path.to_owned(), message: "a shared read lacks a column".to_owned() }
}

impl State {
    fn start_generation(&mut self) {
        self.generation += 1;
        self.dimensions = None;
        self.kept.clear();
        self.kept_bytes = 0;
    }

    fn kept_at(&self, generation: Option<u64>, scan: &Scan) -> Option<Batches> {
        self.kept.get(scan).filter(|_| generation == Some(self.generation)).map(Arc::clone)
    }

    fn keep(&mut self, generation: Option<u64>, scan: &Scan, batches: &Batches) {
        let bytes: usize = batches.iter().map(RecordBatch::get_array_memory_size).sum();
        if generation != Some(self.generation) || bytes > KEEP_BYTES {
            return;
        }
        if self.kept_bytes + bytes > KEEP_BYTES || self.kept.len() >= KEEP_SCANS {
            self.kept.clear();
            self.kept_bytes = 0;
        }
        if self.kept.insert(scan.clone(), Arc::clone(batches)).is_none() {
            self.kept_bytes += bytes;
        }
    }
}

impl FileIdentity {
    fn of(path: &Path) -> Result<Self, Error> {
        let metadata = fs::metadata(path).map_err(|error| io_error(&error, path))?;
        #[cfg(unix)]
        let identity = {
            use std::os::unix::fs::MetadataExt;
            Self { path: path.to_owned(), inode: (metadata.dev(), metadata.ino()) }
        };
        #[cfg(not(unix))]
        let identity = Self { path: path.to_owned(), created: metadata.created().ok() };
        Ok(identity)
    }
}

impl Reader {
    fn open(path: &Path, file: FileIdentity, busy_timeout: Duration) -> Result<Self, Error> {
        let length = fs::metadata(path).map_err(|error| io_error(&error, path))?.len();
        if length < HEADER_BYTES {
            return Err(Error::NotSqlite { path: path.to_owned() });
        }
        let connection = connect(path, busy_timeout).map_err(|error| open_error(&error, path))?;
        Ok(Self {
            connection,
            file,
            path: path.to_owned(),
            data_version: None,
            changed: true,
            schema_version: 0,
            generation: None,
        })
    }

    /// From now on statements end with an error when `reading` is stopped. `SQLite` asks by itself while it runs one; an
    /// interrupt from outside would be lost where it comes between two.
    fn stop_with(&mut self, reading: &Reading) -> Result<(), Error> {
        let reading = reading.clone();
        let asked = self.connection.progress_handler(STEPS_BETWEEN_ASKING, Some(move || reading.is_stopped()));
        asked.map_err(|error| sqlite_error(&error, &self.path))
    }

    /// Starts a read transaction and notes whether anybody committed since the last one.
    fn begin(&mut self) -> Result<(), Error> {
        let begun = self.connection.execute_batch("BEGIN").and_then(|()| {
            // The first read takes the snapshot; what follows sees the same state.
            let schema_version = self.connection.query_row("PRAGMA schema_version", [], |row| row.get(0))?;
            let data_version: i64 = self.connection.query_row("PRAGMA data_version", [], |row| row.get(0))?;
            Ok((schema_version, data_version))
        });
        let (schema_version, data_version) = begun.map_err(|error| sqlite_error(&error, &self.path))?;
        self.changed = self.data_version != Some(data_version);
        self.schema_version = schema_version;
        self.data_version = Some(data_version);
        Ok(())
    }
}

/// Opens the file so that nothing beside it changes either: with `readonly_shm` a WAL file's existing `-shm` is used
/// as it is. Where nobody has recovered the WAL yet, `SQLite` refuses that, and may write the `-shm`.
fn connect(path: &Path, busy_timeout: Duration) -> rusqlite::Result<Connection> {
    let shared_memory = PathBuf::from(format!("{}-shm", path.display()));
    if shared_memory.exists()
        && let Ok(connection) = connect_with(path, "mode=ro&readonly_shm=1", busy_timeout)
    {
        return Ok(connection);
    }
    connect_with(path, "mode=ro", busy_timeout)
}

fn connect_with(path: &Path, parameters: &str, busy_timeout: Duration) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(format!("{}?{parameters}", file_uri(path)), flags)?;
    connection.busy_timeout(busy_timeout)?;
    connection.execute_batch("PRAGMA query_only = ON; PRAGMA cache_size = -16384;")?;
    connection.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))?;
    Ok(connection)
}

/// The file as a URI for `SQLite`, which takes a path behind an empty authority as it is: `//server/share` stays one.
fn file_uri(path: &Path) -> String {
    let path = path.to_string_lossy();
    let path = if cfg!(windows) { path.replace('\\', "/") } else { path.into_owned() };
    let path = path.replace('%', "%25").replace('?', "%3f").replace('#', "%23");
    match path.starts_with('/') {
        true => format!("file://{path}"),
        false if cfg!(windows) => format!("file:///{path}"),
        false => format!("file:{path}"),
    }
}

/// Why the file cannot be opened. Only `SQLite` ever opens it: a file that this process closes loses every lock that the
/// process holds on it (POSIX), also that of a read in progress. So the system is asked only where it refused already.
fn open_error(error: &rusqlite::Error, path: &Path) -> Error {
    if error.sqlite_error_code() == Some(ErrorCode::CannotOpen)
        && let Err(refusal) = fs::File::open(path)
    {
        return io_error(&refusal, path);
    }
    sqlite_error(error, path)
}

fn io_error(error: &std::io::Error, path: &Path) -> Error {
    let path = path.to_owned();
    match error.kind() {
        std::io::ErrorKind::PermissionDenied => Error::PermissionDenied { path },
        std::io::ErrorKind::NotFound => Error::NotFound { searched: vec![path] },
        _ => Error::Sqlite { path, message: error.to_string() },
    }
}

/// Maps what `SQLite` says to what the user can do about it.
pub(crate) fn sqlite_error(error: &rusqlite::Error, path: &Path) -> Error {
    let path = path.to_owned();
    match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            Error::Busy { path, waited_seconds: BUSY_TIMEOUT.as_secs() }
        }
        Some(ErrorCode::NotADatabase) => Error::NotSqlite { path },
        Some(ErrorCode::PermissionDenied) => Error::PermissionDenied { path },
        _ => Error::Sqlite { path, message: error.to_string() },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_of_the_system_is_told_apart_from_a_file_that_is_gone() {
        let path = Path::new("/history/ManicTimeReports.db");
        let code = |kind: std::io::ErrorKind| io_error(&kind.into(), path).code();
        assert_eq!(code(std::io::ErrorKind::PermissionDenied), "PERMISSION_DENIED");
        assert_eq!(code(std::io::ErrorKind::NotFound), "DATABASE_NOT_FOUND");
        assert_eq!(code(std::io::ErrorKind::TimedOut), "DATABASE_ERROR");
        let refused = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_PERM);
        let refused = rusqlite::Error::SqliteFailure(refused, None);
        assert_eq!(sqlite_error(&refused, path).code(), "PERMISSION_DENIED");
    }

    #[test]
    fn a_path_reaches_sqlite_with_every_character() {
        assert_eq!(file_uri(Path::new("/a b/50%?#ü/x.db")), "file:///a b/50%25%3f%23ü/x.db");
        assert_eq!(file_uri(Path::new("//server/share/x.db")), "file:////server/share/x.db");
        assert_eq!(file_uri(Path::new("x.db")).trim_start_matches("file:").trim_start_matches('/'), "x.db");
    }
}
