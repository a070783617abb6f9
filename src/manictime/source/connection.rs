//! One connection to the file: opened so that nothing beside it changes, and told apart from one to a file that was
//! replaced.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::BUSY_TIMEOUT;
use crate::manictime::{Error, Reading};

/// What every `SQLite` file begins with; a shorter one `SQLite` itself takes for an empty database.
const HEADER_BYTES: u64 = 100;
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

#[derive(Debug)]
pub(super) struct Reader {
    pub(super) connection: Connection,
    pub(super) file: FileIdentity,
    pub(super) path: PathBuf,
    pub(super) data_version: Option<i64>,
    /// Whether the last `begin` found a commit that this connection had not seen.
    pub(super) changed: bool,
    pub(super) schema_version: i64,
    /// The generation that the transaction in progress belongs to, if any.
    pub(super) generation: Option<u64>,
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
    pub(super) fn open(path: &Path, file: FileIdentity, busy_timeout: Duration) -> Result<Self, Error> {
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
    pub(super) fn stop_with(&mut self, reading: &Reading) -> Result<(), Error> {
        let reading = reading.clone();
        let asked = self.connection.progress_handler(STEPS_BETWEEN_ASKING, Some(move || reading.is_stopped()));
        asked.map_err(|error| sqlite_error(&error, &self.path))
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

/// A file or folder as a URI. A path stands behind an empty authority as it is: `//server/share` stays one for `SQLite`.
pub(crate) fn file_uri(path: &Path) -> String {
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
