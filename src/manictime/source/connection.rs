//! One connection to the file: opened so that nothing beside it changes, and told apart from one to a file that was
//! replaced.

use std::fmt::Write;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::ration::{Capacity, is_overfull};
use super::{BUSY_TIMEOUT, PATIENCE, harmless};
use crate::manictime::locate::beside;
use crate::manictime::{Error, Reading};

/// What every `SQLite` file begins with; a shorter one `SQLite` itself takes for an empty database.
const HEADER_BYTES: u64 = 100;
/// What a write-ahead log begins with.
const LOG_HEADER_BYTES: usize = 32;
/// How many steps of its machine `SQLite` takes before it asks whether to go on: some ten microseconds.
const STEPS_BETWEEN_ASKING: i32 = 1000;

/// Tells a file from the one that replaced it under the same name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FileIdentity {
    path: PathBuf,
    #[cfg(unix)]
    inode: (u64, u64),
    #[cfg(not(unix))]
    created: Option<std::time::SystemTime>,
}

/// When a read has to end: when nobody waits for it any more, or after a time that no sound file takes.
#[derive(Debug, Clone)]
pub(super) struct End {
    reading: Reading,
    /// None where it is beyond all time.
    deadline: Option<Instant>,
}

impl End {
    /// The end of a read that begins now: after `patience`, and a second more for every mebibyte that the file holds.
    /// No disk is as slow as that; a view can take for ever.
    pub(super) fn of(reading: &Reading, patience: Duration, capacity: Capacity) -> Self {
        let deadline = Instant::now().checked_add(patience.saturating_add(Duration::from_secs(capacity.mebibytes())));
        Self { reading: reading.clone(), deadline }
    }

    fn is_here(&self) -> bool {
        self.reading.is_stopped() || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// From now on statements of the connection end with an error when it is here. `SQLite` asks by itself while it runs
    /// one; an interrupt from outside would be lost where it comes between two.
    fn ends(&self, connection: &mut Connection) -> rusqlite::Result<()> {
        let end = self.clone();
        connection.progress_handler(STEPS_BETWEEN_ASKING, Some(move || end.is_here()))
    }
}

#[derive(Debug)]
pub(super) struct Reader {
    pub(super) connection: Connection,
    pub(super) file: FileIdentity,
    pub(super) path: PathBuf,
    /// Whether it has not answered anything yet.
    pub(super) is_new: bool,
    pub(super) data_version: Option<i64>,
    /// Whether the last `begin` found a commit that this connection had not seen.
    pub(super) changed: bool,
    pub(super) schema_version: i64,
    /// The generation that the transaction in progress belongs to, if any.
    pub(super) generation: Option<u64>,
    /// How much the file holds as the transaction in progress begins.
    pub(super) capacity: Capacity,
}

impl FileIdentity {
    pub(super) fn of(path: &Path) -> Result<Self, Error> {
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
    pub(super) fn open(path: &Path, file: FileIdentity, busy_timeout: Duration, end: &End) -> Result<Self, Error> {
        let length = fs::metadata(path).map_err(|error| io_error(&error, path))?.len();
        if length < HEADER_BYTES {
            return Err(Error::NotSqlite { path: path.to_owned() });
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
            capacity: Capacity::of(path),
        })
    }

    /// From now on statements end with an error when that end is here.
    pub(super) fn ends_at(&mut self, end: &End) -> Result<(), Error> {
        end.ends(&mut self.connection).map_err(|error| sqlite_error(&error, &self.path))
    }

    /// Ends the read transaction; returns whether the connection can be used again.
    pub(super) fn end(&mut self) -> bool {
        // The next read asks for itself when it ends; until then nothing stops what is done here.
        let free = self.connection.progress_handler(0, None::<fn() -> bool>);
        free.is_ok() && self.connection.execute_batch("ROLLBACK").is_ok()
    }

    /// Starts a read transaction and notes whether anybody committed since the last one.
    pub(super) fn begin(&mut self) -> Result<(), Error> {
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

/// Refuses a history where something else than a file has the name of one of its files: `SQLite` would wait for ever
/// for what comes out of a pipe.
pub(super) fn refuse_what_is_no_file(database: &Path) -> Result<(), Error> {
    for ending in ["", "-wal", "-shm", "-journal"] {
        let path = beside(database, ending);
        if fs::metadata(&path).is_ok_and(|found| !found.is_file()) {
            return Err(Error::NotAFile { path });
        }
    }
    Ok(())
}

/// Opens the file so that nothing beside it changes either: with `readonly_shm` a WAL file's existing `-shm` is used
/// as it is. Where nobody has recovered the WAL yet, `SQLite` refuses that, and may write the `-shm`.
fn connect(path: &Path, busy_timeout: Duration, end: &End) -> rusqlite::Result<Connection> {
    if beside(path, "-shm").exists()
        && !is_noise(&beside(path, "-wal"))
        && let Ok(connection) = connect_with(path, "mode=ro&readonly_shm=1", busy_timeout, end)
    {
        return Ok(connection);
    }
    connect_with(path, "mode=ro", busy_timeout, end)
}

fn connect_with(path: &Path, parameters: &str, busy_timeout: Duration, end: &End) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(format!("{}?{parameters}", file_uri(path)), flags)?;
    connection.busy_timeout(busy_timeout)?;
    end.ends(&mut connection)?;
    harmless::set_up(&mut connection)?;
    connection.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))?;
    Ok(connection)
}

/// Whether a log begins with something that `SQLite` takes for the beginning of none. It ignores such a log, but with
/// `readonly_shm` it compares the noise with what it remembers of it, again and again for ten seconds.
///
/// Unlike the database, the log may be opened here: `SQLite` holds no locks on it.
fn is_noise(log: &Path) -> bool {
    let mut header = [0; LOG_HEADER_BYTES];
    let read = fs::File::open(log).and_then(|mut file| file.read_exact(&mut header));
    read.is_ok() && !is_log_header(&header)
}

/// Whether a write-ahead log can begin so (`SQLite`'s file format, section 4.1).
fn is_log_header(header: &[u8; LOG_HEADER_BYTES]) -> bool {
    let (words, _) = header.as_chunks::<4>();
    let at = |place: usize| u32::from_be_bytes(words[place]);
    let magic = at(0);
    let page_size = at(2);
    let (mut first, mut second) = (0_u32, 0_u32);
    for pair in words[..6].chunks_exact(2) {
        let number = |word: [u8; 4]| if magic & 1 == 1 { u32::from_be_bytes(word) } else { u32::from_le_bytes(word) };
        first = first.wrapping_add(number(pair[0])).wrapping_add(second);
        second = second.wrapping_add(number(pair[1])).wrapping_add(first);
    }
    magic & !1 == 0x377f_0682
        && page_size.is_power_of_two()
        && (512..=65_536).contains(&page_size)
        && (first, second) == (at(6), at(7))
}

/// A file or folder as a URI. A path stands behind an empty authority as it is: `//server/share` stays one for `SQLite`.
/// What is no UTF-8 is written byte by byte.
pub(crate) fn file_uri(path: &Path) -> String {
    let mut written = String::new();
    for chunk in path.as_os_str().as_encoded_bytes().utf8_chunks() {
        let valid = if cfg!(windows) { chunk.valid().replace('\\', "/") } else { chunk.valid().to_owned() };
        written += &valid.replace('%', "%25").replace('?', "%3f").replace('#', "%23");
        for byte in chunk.invalid() {
            // Writing to a string cannot fail.
            let _ = write!(written, "%{byte:02x}");
        }
    }
    match written.starts_with('/') {
        true => format!("file://{written}"),
        false if cfg!(windows) => format!("file:///{written}"),
        false => format!("file:{written}"),
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
        Some(ErrorCode::OperationInterrupted) => Error::Endless { path, waited_seconds: PATIENCE.as_secs() },
        Some(ErrorCode::TooBig) => {
            Error::Sqlite { path, message: "a text of it is longer than anything that is read".to_owned() }
        }
        Some(ErrorCode::NotADatabase) => Error::NotSqlite { path },
        Some(ErrorCode::PermissionDenied) => Error::PermissionDenied { path },
        _ if is_overfull(error) => Error::Overfull { path },
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
        #[cfg(unix)]
        {
            use std::os::unix::ffi::OsStrExt;
            let path = Path::new(std::ffi::OsStr::from_bytes(b"/M\xfcller\xff/x.db"));
            assert_eq!(file_uri(path), "file:///M%fcller%ff/x.db");
        }
        assert_eq!(file_uri(Path::new("x.db")).trim_start_matches("file:").trim_start_matches('/'), "x.db");
    }

    #[test]
    fn a_log_is_told_from_noise() {
        let dir = tempfile::tempdir().unwrap();
        let database = dir.path().join("a.db");
        let writer = Connection::open(&database).unwrap();
        writer.execute_batch("PRAGMA journal_mode = wal; CREATE TABLE t (x)").unwrap();
        let log = beside(&database, "-wal");
        let whole = fs::read(&log).unwrap();
        assert!(!is_noise(&log));
        for place in 0..LOG_HEADER_BYTES {
            let mut damaged = whole.clone();
            damaged[place] ^= 1;
            let other = dir.path().join("other");
            fs::write(&other, damaged).unwrap();
            assert!(is_noise(&other), "byte {place}");
        }
        // An empty log, or none, is none that has to be ignored.
        fs::write(dir.path().join("empty"), &whole[..31]).unwrap();
        assert!(!is_noise(&dir.path().join("empty")) && !is_noise(&dir.path().join("absent")));
    }
}
