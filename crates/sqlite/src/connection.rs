//! Opens a connection to a database, if possible without changing the files next to it. Also detects whether a file was
//! replaced.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use cap_fs_ext::MetadataExt;
use rusqlite::{Connection, ErrorCode, OpenFlags};

use crate::capacity::Capacity;
use crate::failure::Failure;
use crate::restrictions;
use dayledger_core::files::file_uri;
use dayledger_source::ReadHandle;

/// The size of the header of every `SQLite` file. `SQLite` accepts a shorter file as an empty
/// database.
const HEADER_BYTES: u64 = 100;
/// The number of instructions that `SQLite` runs between two checks of the deadline. This many instructions take about
/// ten microseconds.
const STEPS_BETWEEN_CHECKS: i32 = 1000;

/// Identifies a file, so that another file that later has the same name is recognised as different. The crate
/// `same_file` can't be used here, because it opens and closes the file. Closing the file would release the locks that
/// `SQLite` holds on the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileIdentity {
    path: PathBuf,
    device: u64,
    number: u64,
}

/// Decides when a read must stop. This is at its deadline, or earlier if the caller stops the read with the
/// [`ReadHandle`].
#[derive(Debug, Clone)]
pub struct ReadDeadline {
    reading: ReadHandle,
    /// `None` if the deadline is too far away to represent.
    deadline: Option<Instant>,
}

impl ReadDeadline {
    /// Returns the deadline of a read that begins now: `timeout` plus one second for every mebibyte of the file. Every
    /// disk is faster than one mebibyte per second. So a read that takes longer probably reads a view that never ends.
    pub fn new(reading: &ReadHandle, timeout: Duration, capacity: Capacity) -> Self {
        let deadline = Instant::now().checked_add(timeout.saturating_add(Duration::from_secs(capacity.mebibytes())));
        Self { reading: reading.clone(), deadline }
    }

    /// Returns the deadline of a read that begins now and may take `time`.
    pub fn after(reading: &ReadHandle, time: Duration) -> Self {
        Self { reading: reading.clone(), deadline: Instant::now().checked_add(time) }
    }

    fn is_reached(&self) -> bool {
        self.reading.is_stopped() || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Makes all following statements of the connection fail after the deadline. `SQLite` itself checks the deadline
    /// while a statement runs. An interrupt from another thread would be lost if no statement is running at that
    /// moment.
    ///
    /// # Errors
    /// Fails if `SQLite` rejects the connection's handler.
    pub fn apply_to(&self, connection: &mut Connection) -> rusqlite::Result<()> {
        let end = self.clone();
        connection.progress_handler(STEPS_BETWEEN_CHECKS, Some(move || end.is_reached()))
    }
}

impl FileIdentity {
    /// Returns the identity of the file that is currently at this path.
    ///
    /// # Errors
    /// Fails if the file doesn't exist or can't be accessed.
    pub fn from_path(path: &Path) -> io::Result<Self> {
        let found = metadata(path)?;
        Ok(Self { path: path.to_owned(), device: found.dev(), number: found.ino() })
    }
}

#[cfg(not(windows))]
fn metadata(path: &Path) -> io::Result<fs::Metadata> {
    fs::metadata(path)
}

/// Returns the metadata of a file, which contains its device and its file number. Windows provides these two values
/// only for an open file. The file is opened without access rights, so other programs can still use it. The creation
/// time isn't enough to identify a file. If a file is removed and created again within seconds, Windows keeps the old
/// creation time.
#[cfg(windows)]
fn metadata(path: &Path) -> io::Result<cap_std::fs::Metadata> {
    use std::os::windows::fs::OpenOptionsExt;
    let file = fs::OpenOptions::new().access_mode(0).open(path)?;
    cap_std::fs::Metadata::from_file(&file)
}

/// Checks the database and the files of `SQLite` next to it, such as the journal. Returns a path that isn't a regular
/// file, if there is one. For example, `SQLite` would wait forever for data from a pipe.
///
/// On Windows, a folder can't contain a pipe or a device, so this function checks nothing. In addition, a check would
/// open the journal. Windows doesn't remove the name of an open file, so the program that writes the database couldn't
/// begin its next transaction.
pub fn find_special_file(database: &Path) -> Option<PathBuf> {
    if cfg!(windows) {
        return None;
    }
    let files = ["", "-wal", "-shm", "-journal"].map(|ending| companion_file(database, ending));
    files.into_iter().find(|path| fs::metadata(path).is_ok_and(|found| !found.is_file()))
}

/// Returns the path of a file that `SQLite` stores next to a database. `ending` is the end of its
/// name, such as `-wal`.
pub(crate) fn companion_file(database: &Path, ending: &str) -> PathBuf {
    let mut name = database.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

/// Opens a restricted, read-only connection. If another program locks the file, a statement waits for at most
/// `busy_timeout`. Statements fail after the deadline.
///
/// # Errors
/// Fails if the file can't be opened, or if it isn't an intact database.
pub fn open(path: &Path, busy_timeout: Duration, deadline: &ReadDeadline) -> Result<Connection, Failure> {
    let length = fs::metadata(path).map_err(|error| Failure::from(&error))?.len();
    if length == 0 {
        return Err(Failure::Empty);
    }
    if length < HEADER_BYTES {
        return Err(Failure::NotSqlite);
    }
    connect(path, busy_timeout, deadline).map_err(|error| open_failure(&error, path))
}

/// A database with a write-ahead log that no program has open. Also contains the size of the database and the time of
/// its last change. For such a database, a normal connection of `SQLite` would create the log and its index next to the
/// database, and leave both files there.
#[derive(Debug, PartialEq, Eq)]
pub struct UnusedFile {
    path: PathBuf,
    length: u64,
    modified: SystemTime,
}

impl UnusedFile {
    /// Returns the database at `path` if it uses a write-ahead log and no program has it open.
    pub fn find(path: &Path) -> Option<Self> {
        if ["-wal", "-journal"].iter().any(|ending| companion_file(path, ending).exists()) {
            return None;
        }
        let found = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
        let modified = found.modified().ok()?;
        uses_log(path).then(|| Self { path: path.to_owned(), length: found.len(), modified })
    }

    /// Opens a restricted, read-only connection without locks and without new files next to the database. The rows that
    /// are read are valid only if [`Self::is_unchanged`] returns true after the read.
    ///
    /// # Errors
    /// Fails if the file can't be opened, or if it isn't an intact database.
    pub fn open(&self, deadline: &ReadDeadline) -> Result<Connection, Failure> {
        let connection = connect_with(&self.path, "mode=ro&immutable=1", Duration::ZERO, deadline);
        connection.map_err(|error| open_failure(&error, &self.path))
    }

    /// Whether no program has opened or changed the database since [`Self::find`].
    pub fn is_unchanged(&self) -> bool {
        Self::find(&self.path).as_ref() == Some(self)
    }
}

/// Runs `read` on a restricted, read-only connection, if possible without changing the files next to the database. If
/// another program opens the database in the meantime, `read` runs a second time.
///
/// # Errors
/// Fails if the file can't be opened, or if it isn't an intact database.
pub fn read_once<T>(
    path: &Path,
    busy_timeout: Duration,
    deadline: &ReadDeadline,
    mut read: impl FnMut(&mut Connection) -> T,
) -> Result<T, Failure> {
    if let Some(file) = UnusedFile::find(path) {
        let result = file.open(deadline).map(|mut connection| read(&mut connection));
        if file.is_unchanged() {
            return result;
        }
    }
    open(path, busy_timeout, deadline).map(|mut connection| read(&mut connection))
}

/// Whether a database uses a write-ahead log, according to its header (`SQLite`'s file format, section 1.3.3).
///
/// The function opens and closes the database. On POSIX systems, closing a file releases all locks of this process on
/// the file. If the database has no log, other connections of this process can hold such locks. So the function
/// remembers each database without a log, and doesn't open it again.
fn uses_log(path: &Path) -> bool {
    static WITHOUT_LOG: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    let mut without = WITHOUT_LOG.lock().unwrap_or_else(PoisonError::into_inner);
    if without.contains(path) {
        return false;
    }
    let mut header = [0; 20];
    let read = fs::File::open(path).and_then(|mut file| file.read_exact(&mut header));
    // Bytes 18 and 19 are the format versions for writing and reading. Version 2 means a write-ahead log.
    let uses_log = read.is_ok() && header.starts_with(b"SQLite format 3\0") && header[18..] == [2, 2];
    if !uses_log {
        without.insert(path.to_owned());
    }
    uses_log
}

/// Opens the database, if possible without changing the files next to it. The first attempt uses an existing `-shm`
/// file without writing to it (option `readonly_shm`). `SQLite` rejects this option if it must first recover the
/// write-ahead log. In this case, the second attempt may write the `-shm` file.
fn connect(path: &Path, busy_timeout: Duration, end: &ReadDeadline) -> rusqlite::Result<Connection> {
    if companion_file(path, "-shm").exists()
        && !is_invalid_log(&companion_file(path, "-wal"))
        && let Ok(connection) = connect_with(path, "mode=ro&readonly_shm=1", busy_timeout, end)
    {
        return Ok(connection);
    }
    connect_with(path, "mode=ro", busy_timeout, end)
}

fn connect_with(
    path: &Path,
    parameters: &str,
    busy_timeout: Duration,
    end: &ReadDeadline,
) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(format!("{}?{parameters}", file_uri(path)), flags)?;
    connection.busy_timeout(busy_timeout)?;
    end.apply_to(&mut connection)?;
    restrictions::restrict(&mut connection)?;
    // SQLite opens a file at the first read. This read finds out whether the file is missing, encrypted or damaged.
    connection.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))?;
    Ok(connection)
}

/// Whether a log is invalid because it doesn't begin with the magic number of a write-ahead log (`SQLite`'s file
/// format, section 4.1). `SQLite` normally ignores an invalid log. But with the option `readonly_shm`, `SQLite`
/// compares the log with its index again and again for ten seconds.
///
/// The function opens and closes the log. On POSIX systems, closing releases all locks of this process on the log. This
/// is safe, because `SQLite` never locks the log itself.
fn is_invalid_log(log: &Path) -> bool {
    let mut magic = [0; 4];
    let read = fs::File::open(log).and_then(|mut file| file.read_exact(&mut magic));
    // Ignore the last bit, which is the byte order of the checksums.
    read.is_ok() && u32::from_be_bytes(magic) & !1 != 0x377f_0682
}

/// Returns the reason why the file can't be opened. On POSIX systems, closing a file releases all locks of this process
/// on the file, including the lock of a running read. So this function opens the file only if `SQLite` could not open
/// it.
fn open_failure(error: &rusqlite::Error, path: &Path) -> Failure {
    if error.sqlite_error_code() == Some(ErrorCode::CannotOpen)
        && let Err(refusal) = fs::File::open(path)
    {
        return Failure::from(&refusal);
    }
    Failure::from(error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn log_is_distinguished_from_other_data() {
        let dir = tempfile::tempdir().unwrap();
        let database = dir.path().join("a.db");
        let writer = Connection::open(&database).unwrap();
        writer.execute_batch("PRAGMA journal_mode = wal; CREATE TABLE t (x)").unwrap();
        let log = companion_file(&database, "-wal");
        let whole = fs::read(&log).unwrap();
        assert!(!is_invalid_log(&log));
        for place in 0..4 {
            let mut damaged = whole.clone();
            damaged[place] ^= 2;
            let other = dir.path().join("other");
            fs::write(&other, damaged).unwrap();
            assert!(is_invalid_log(&other), "byte {place}");
        }
        // An empty or missing log isn't invalid.
        fs::write(dir.path().join("empty"), []).unwrap();
        assert!(!is_invalid_log(&dir.path().join("empty")) && !is_invalid_log(&dir.path().join("absent")));
    }
}
