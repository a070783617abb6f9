//! Opens a connection to the file without changing anything next to it, and detects that the file
//! was replaced.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use cap_fs_ext::MetadataExt;
use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::capacity::Capacity;
use super::errors::{io_error, sqlite_error};
use super::restrictions;
use crate::error::Error;
use crate::locate::companion_file;
use dayledger_core::files::file_uri;
use dayledger_source::ReadHandle;

/// The size of the header of every `SQLite` file. `SQLite` accepts a shorter file as an empty
/// database.
const HEADER_BYTES: u64 = 100;
/// How many steps of its virtual machine `SQLite` runs between two checks of the deadline: about
/// ten microseconds.
const STEPS_BETWEEN_CHECKS: i32 = 1000;

/// Distinguishes a file from another file that replaced it under the same name. `same_file` can't
/// be used here: it opens the file, and closing it would release the locks that `SQLite` holds on
/// it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FileIdentity {
    path: PathBuf,
    device: u64,
    number: u64,
}

/// When a read must end: when the caller no longer waits, or after a time that no intact file
/// needs.
#[derive(Debug, Clone)]
pub(crate) struct ReadDeadline {
    reading: ReadHandle,
    /// `None` if the deadline is too far away to represent.
    deadline: Option<Instant>,
}

impl ReadDeadline {
    /// Sets the deadline of a read that begins now: `timeout` plus one second for every mebibyte of
    /// the file. No disk is that slow, but a view can run forever.
    pub(crate) fn new(reading: &ReadHandle, timeout: Duration, capacity: Capacity) -> Self {
        let deadline = Instant::now().checked_add(timeout.saturating_add(Duration::from_secs(capacity.mebibytes())));
        Self { reading: reading.clone(), deadline }
    }

    fn is_reached(&self) -> bool {
        self.reading.is_stopped() || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Makes all following statements of the connection fail after the deadline. `SQLite` checks it
    /// while a statement runs. An interrupt from another thread would be lost between two
    /// statements.
    fn apply_to(&self, connection: &mut Connection) -> rusqlite::Result<()> {
        let end = self.clone();
        connection.progress_handler(STEPS_BETWEEN_CHECKS, Some(move || end.is_reached()))
    }
}

#[derive(Debug)]
pub(crate) struct Reader {
    pub(crate) connection: Connection,
    pub(crate) file: FileIdentity,
    pub(crate) path: PathBuf,
    /// Whether it hasn't completed a request yet.
    pub(crate) is_new: bool,
    pub(crate) data_version: Option<i64>,
    /// Whether the last `begin_transaction` found a commit that this connection had not seen.
    pub(crate) changed: bool,
    pub(crate) schema_version: i64,
    /// The generation of the current transaction, if any.
    pub(crate) generation: Option<u64>,
    /// The capacity of the file when the current transaction began.
    pub(crate) capacity: Capacity,
}

impl FileIdentity {
    pub(crate) fn from_path(path: &Path) -> Result<Self, Error> {
        let found = metadata(path).map_err(|error| io_error(&error, path))?;
        Ok(Self { path: path.to_owned(), device: found.dev(), number: found.ino() })
    }
}

#[cfg(not(windows))]
fn metadata(path: &Path) -> io::Result<fs::Metadata> {
    fs::metadata(path)
}

/// Returns the metadata of a file from an open handle, the only source on Windows. Opening without
/// any access right doesn't disturb other programs. The creation time isn't enough to identify a
/// file: if a file is removed and recreated within seconds, Windows keeps the old creation time.
#[cfg(windows)]
fn metadata(path: &Path) -> io::Result<cap_std::fs::Metadata> {
    use std::os::windows::fs::OpenOptionsExt;
    let file = fs::OpenOptions::new().access_mode(0).open(path)?;
    cap_std::fs::Metadata::from_file(&file)
}

impl Reader {
    pub(crate) fn open(
        path: &Path,
        file: FileIdentity,
        busy_timeout: Duration,
        end: &ReadDeadline,
    ) -> Result<Self, Error> {
        let length = fs::metadata(path).map_err(|error| io_error(&error, path))?.len();
        if length == 0 {
            return Err(Error::Empty(path.to_owned()));
        }
        if length < HEADER_BYTES {
            return Err(Error::NotSqlite(path.to_owned()));
        }
        let connection = connect(path, busy_timeout, end).map_err(|error| open_error(&error, path))?;
        Ok(Self {
            connection,
            file,
            path: path.to_owned(),
            is_new: true,
            data_version: None,
            changed: true,
            schema_version: 0,
            generation: None,
            capacity: Capacity::from_database(path),
        })
    }

    /// Makes all following statements fail after the deadline.
    pub(crate) fn set_deadline(&mut self, end: &ReadDeadline) -> Result<(), Error> {
        end.apply_to(&mut self.connection).map_err(|error| sqlite_error(&error, &self.path))
    }

    /// Ends the read transaction. Returns whether the connection can be used again.
    pub(crate) fn end_transaction(&mut self) -> bool {
        // Remove the deadline, so that it doesn't interrupt the rollback. The next read sets its
        // own.
        let free = self.connection.progress_handler(0, None::<fn() -> bool>);
        free.is_ok() && self.connection.execute_batch("ROLLBACK").is_ok()
    }

    /// Starts a read transaction, and records whether there was a commit since the last one.
    pub(crate) fn begin_transaction(&mut self) -> Result<(), Error> {
        let begun = self.connection.execute_batch("BEGIN").and_then(|()| {
            // The first query takes the snapshot. Later queries see the same state.
            let schema_version = self.connection.query_row("PRAGMA schema_version", [], |row| row.get(0))?;
            let data_version: i64 = self.connection.query_row("PRAGMA data_version", [], |row| row.get(0))?;
            Ok((schema_version, data_version))
        });
        let (schema_version, data_version) = begun.map_err(|error| sqlite_error(&error, &self.path))?;
        // The file may have been emptied since it was opened.
        if schema_version == 0 && fs::metadata(&self.path).is_ok_and(|found| found.len() == 0) {
            return Err(Error::Empty(self.path.clone()));
        }
        self.changed = self.data_version != Some(data_version);
        self.schema_version = schema_version;
        self.data_version = Some(data_version);
        Ok(())
    }
}

/// Checks that all files of the history are regular files. `SQLite` would wait forever for data
/// from a pipe.
///
/// On Windows, a folder can't contain a pipe or a device, so nothing is checked. A check would open
/// the journal. While a handle of the journal is open, its name can't be removed, so another
/// program couldn't begin its next transaction.
pub(crate) fn check_regular_files(database: &Path) -> Result<(), Error> {
    if cfg!(windows) {
        return Ok(());
    }
    for ending in ["", "-wal", "-shm", "-journal"] {
        let path = companion_file(database, ending);
        if fs::metadata(&path).is_ok_and(|found| !found.is_file()) {
            return Err(Error::NotAFile(path));
        }
    }
    Ok(())
}

/// Opens the file without changing anything next to it. With `readonly_shm`, an existing `-shm`
/// file is used unchanged. If the WAL wasn't recovered yet, `SQLite` rejects this option, and the
/// second attempt may write the `-shm` file.
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
    connection.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))?;
    Ok(connection)
}

/// Whether a log is invalid, that is, doesn't begin with the magic number of a write-ahead log
/// (`SQLite`'s file format, section 4.1). `SQLite` ignores such a log. But with `readonly_shm` it
/// compares the log with its index repeatedly for ten seconds.
///
/// Unlike the database, the log may be opened here, because `SQLite` holds no locks on it.
fn is_invalid_log(log: &Path) -> bool {
    let mut magic = [0; 4];
    let read = fs::File::open(log).and_then(|mut file| file.read_exact(&mut magic));
    // The last bit is the byte order of the checksums.
    read.is_ok() && u32::from_be_bytes(magic) & !1 != 0x377f_0682
}

/// Returns why the file can't be opened. Only `SQLite` should open the file: when a process closes
/// a file, it loses all its locks on that file (POSIX), including the lock of a read in progress.
/// So this function opens the file only after `SQLite` could not open it.
fn open_error(error: &rusqlite::Error, path: &Path) -> Error {
    if error.sqlite_error_code() == Some(ErrorCode::CannotOpen)
        && let Err(refusal) = fs::File::open(path)
    {
        return io_error(&refusal, path);
    }
    sqlite_error(error, path)
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
        // An empty or missing log is valid.
        fs::write(dir.path().join("empty"), []).unwrap();
        assert!(!is_invalid_log(&dir.path().join("empty")) && !is_invalid_log(&dir.path().join("absent")));
    }
}
